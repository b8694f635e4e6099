import type { BigIntStats } from 'node:fs';

/**
 * What tells one version of a file from another without reading it. The time of the last change of any kind is in it: a copy that keeps
 * the time of the original is a new version too.
 */
export function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}
