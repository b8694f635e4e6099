import { Machine } from './machine.ts';
import { defaultUserland, type Userland } from './userland.ts';

const starting = new Map<Userland, Promise<Machine>>();

/** The machine with a userland that all tests of a process share. It is started on demand and ends with the process. */
export function sharedMachine(userland: Userland = defaultUserland()): Promise<Machine> {
  const machine = starting.get(userland) ?? Machine.start({ userland, isWaitedFor: false });
  starting.set(userland, machine);
  return machine;
}
