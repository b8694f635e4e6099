import { Machine } from './machine.ts';
import { defaultUserland, type Userland } from './userland.ts';

const starting = new Map<Userland, Promise<Machine>>();

/** The machine with a userland that all scenarios of a process share, started when the first one needs it; it ends with the process. */
export function sharedMachine(userland: Userland = defaultUserland()): Promise<Machine> {
  const machine = starting.get(userland) ?? Machine.start({ userland, isWaitedFor: false });
  starting.set(userland, machine);
  return machine;
}
