import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

const SCRIPTS = resolve(import.meta.dirname, '../../../scripts');

/** The contents of the project's cache for the lab: the script that creates each, and the files that specify it, whose digest is in its name. */
const contents = {
  'debian-13': { what: 'userland', specification: () => ['debian-13.packages'], script: 'set-up-debian-13' },
  'linux-lab': { what: 'kernel', specification: () => filesOf('lab-kernel'), script: 'set-up-lab-kernel' },
} as const;

function filesOf(folder: string): readonly string[] {
  return readdirSync(join(SCRIPTS, folder))
    .filter((file) => !file.startsWith('.'))
    .sort()
    .map((file) => join(folder, file));
}

/** Path of something in the project's cache. Throws if it does not exist. */
export function cached(name: keyof typeof contents): string {
  const { what, specification, script } = contents[name];
  const hash = createHash('sha256');
  for (const file of specification()) hash.update(readFileSync(join(SCRIPTS, file)));
  const { XDG_CACHE_HOME: directory = '' } = process.env;
  const cache = directory === '' ? join(homedir(), '.cache') : directory;
  const path = join(cache, 'ovn-uplinks', `${name}-${hash.digest('hex').slice(0, 12)}`);
  if (existsSync(path)) return path;
  throw new Error(`there is no ${what} for the lab at ${path}: run scripts/${script}`);
}
