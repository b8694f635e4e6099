import { lstat, readlink } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';

/** Most links on one way: as many as the kernel follows (path_resolution(7)). */
const MAX_LINKS = 40;

/**
 * Walks the way on which a path leads somewhere, link by link, and tells of each entry before it is looked at: a change of any of them may
 * make the path lead elsewhere. Ends where the way does. Never rejects.
 */
export async function walk(path: string, onEntry: (folder: string, name: string) => void): Promise<void> {
  let rest = resolve(path).split(sep).filter(isName);
  let folder: string = sep;
  for (let links = 0; links <= MAX_LINKS;) {
    const [name, ...following] = rest;
    if (name === undefined) return;
    if (name === '..') {
      folder = dirname(folder);
      rest = following;
      continue;
    }
    onEntry(folder, name);
    const target = await linkTarget(join(folder, name));
    if (target === null) return;
    rest = following;
    if (target === undefined) folder = join(folder, name);
    else {
      links += 1;
      if (target.startsWith(sep)) folder = sep;
      rest = [...target.split(sep).filter(isName), ...following];
    }
  }
}

function isName(part: string): boolean {
  return part !== '' && part !== '.';
}

/** Where a link points; undefined for what is none, null for nothing at all. */
async function linkTarget(path: string): Promise<string | undefined | null> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch {
    return null;
  }
}
