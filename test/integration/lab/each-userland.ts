import type { Suite } from 'mocha';
import type { Machine } from './machine.ts';
import { sharedMachine } from './shared-machine.ts';
import { defaultUserland, type Userland } from './userland.ts';

/** The userlands on which tests that depend on programs run: those of each supported Debian. */
const userlands: ReadonlySet<Userland> = new Set([defaultUserland(), 'debian-13']);

/** Returns the shared machine. */
export type SharedMachine = () => Promise<Machine>;

/** Describes tests for the programs of this machine and for those of Debian 13. */
export function describeOnEachUserland(
  title: string,
  tests: (this: Suite, machine: SharedMachine, userland: Userland) => void,
): void {
  for (const userland of userlands) {
    const suffix = userland === 'host' ? '' : `, on ${userland === 'debian-13' ? 'Debian 13' : userland}`;
    describe(`${title}${suffix}`, function () {
      tests.call(this, () => sharedMachine(userland), userland);
    });
  }
}
