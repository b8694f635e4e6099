import type { BigIntStats } from 'node:fs';

/** Milliseconds for which a file that is written in place has to be left alone before it is taken for whole. */
export const QUIET = 100;

/**
 * What tells one version of a file from another without reading it. The time of the last change of any kind is in it: a copy that keeps
 * the time of the original is a new version too.
 */
export function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}

/**
 * Whether the last thing that was done to a file was to write into it, so that there may be more to come. Renaming, linking and setting
 * times or permissions change the one time and not the other (inode(7)); a writer does that last, when the content is whole.
 */
export function wasWrittenLast({ mtimeNs, ctimeNs }: BigIntStats): boolean {
  return mtimeNs === ctimeNs;
}

/**
 * Whether a file was changed so lately that another change might leave the same version behind: file systems count time in steps of some
 * milliseconds. One from the future, by the clock of another machine, is not young.
 */
export function isYoung({ ctimeMs }: BigIntStats, now: number): boolean {
  const age = now - Number(ctimeMs);
  return age >= 0 && age < QUIET;
}
