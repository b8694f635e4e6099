import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Whose programs a lab machine has: those of the machine it runs on, those of Debian 13, or those of the tree with an absolute path. */
export type Userland = 'host' | 'debian-13' | `/${string}`;

/** The variable of the environment that names the userland of machines of which nobody says otherwise. */
const VARIABLE = 'OVN_UPLINKS_LAB_USERLAND';

/** The userland of a machine of which nobody says otherwise. */
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
  if (userland !== 'debian-13') return existing(userland, 'name another one');
  const { XDG_CACHE_HOME: named = '' } = process.env;
  const cache = named === '' ? join(homedir(), '.cache') : named;
  return existing(join(cache, 'ovn-uplinks', 'debian-13'), 'scripts/set-up-debian-13 makes it');
}

function existing(tree: string, advice: string): string {
  if (existsSync(tree)) return tree;
  throw new Error(`there is no userland for the lab at ${tree}: ${advice}`);
}
