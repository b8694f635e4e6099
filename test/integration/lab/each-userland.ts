import type { Suite } from 'mocha';
import type { Machine } from './machine.ts';
import { sharedMachine } from './shared-machine.ts';
import { defaultUserland, type Userland } from './userland.ts';

/** Whose programs tests are run with that matter most for them: those of every Debian that an agent is to work on. */
const userlands: ReadonlySet<Userland> = new Set([defaultUserland(), 'debian-13']);

/** Gives the machine that the scenarios of a test run share. */
export type SharedMachine = () => Promise<Machine>;

/** Describes something once for the programs of this machine, and once for those of Debian 13. */
export function describeOnEachUserland(
  title: string,
  tests: (this: Suite, machine: SharedMachine, userland: Userland) => void,
): void {
  for (const userland of userlands) {
    const place = userland === 'host' ? '' : `, on ${userland === 'debian-13' ? 'Debian 13' : userland}`;
    describe(`${title}${place}`, function () {
      tests.call(this, () => sharedMachine(userland), userland);
    });
  }
}
