import { existsSync } from 'node:fs';
import { cached } from './cache.ts';

/** Whose programs a lab machine has: those of the machine it runs on, those of Debian 13, or those of the tree with an absolute path. */
export type Userland = 'host' | 'debian-13' | `/${string}`;

/** The variable of the environment that names the default userland of machines. */
const VARIABLE = 'OVN_UPLINKS_LAB_USERLAND';

/** The default userland of a machine. */
export function defaultUserland(): Userland {
  const name = process.env[VARIABLE] ?? 'host';
  if (name === 'host' || name === 'debian-13' || isAbsolute(name)) return name;
  throw new Error(`${VARIABLE} is "${name}": expected "host", "debian-13" or the absolute path of a tree`);
}

function isAbsolute(path: string): path is `/${string}` {
  return path.startsWith('/');
}

/** The tree of a userland: nothing for that of the machine. Throws where it is not there. */
export function treeOf(userland: Userland): string | undefined {
  if (userland === 'host') return undefined;
  if (userland === 'debian-13') return cached('debian-13');
  if (existsSync(userland)) return userland;
  throw new Error(`there is no userland for the lab at ${userland}: name another one`);
}
