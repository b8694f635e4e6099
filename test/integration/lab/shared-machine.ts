import { Machine } from './machine.ts';
import { defaultUserland, type Userland } from './userland.ts';

const starting = new Map<Userland, Promise<Machine>>();

/** The machine with a userland that all tests of a process share. It is started on demand, also after it has ended, and ends with the process. */
export function sharedMachine(userland: Userland = defaultUserland()): Promise<Machine> {
  const machine = starting.get(userland) ?? start(userland);
  starting.set(userland, machine);
  return machine;
}

async function start(userland: Userland): Promise<Machine> {
  const machine = await Machine.start({ userland, isWaitedFor: false });
  void machine.ended.then(() => starting.delete(userland));
  return machine;
}
