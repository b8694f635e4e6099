import { lstat, readlink } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';

/** Maximum number of links in a path, as in the kernel (path_resolution(7)). */
const MAX_LINKS = 40;

/**
 * Resolves a path link by link, and calls `onEntry` with each directory entry before reading it: a change of any of them may make the path resolve
 * differently. Never rejects.
 */
export async function followLinks(path: string, onEntry: (folder: string, name: string) => void): Promise<void> {
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

/** The target of a link; undefined if it is not a link, null if it does not exist. */
async function linkTarget(path: string): Promise<string | undefined | null> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch {
    return null;
  }
}
