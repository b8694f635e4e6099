import { Machine } from './machine.ts';

let starting: Promise<Machine> | undefined;

/** The machine that all scenarios of a process share, started when the first one needs it; it ends with the process. */
export function sharedMachine(): Promise<Machine> {
  return (starting ??= Machine.start({ isWaitedFor: false }));
}
