import type { BigIntStats } from 'node:fs';

/**
 * Identifies a version of a file without reading it. It contains the ctime, since a copy may preserve the mtime of the original.
 */
export function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}
