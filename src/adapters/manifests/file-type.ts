import type { BigIntStats, Stats } from 'node:fs';

/**
 * Why a special file is not read: opening it may block, or have an effect on a device.
 *
 * @returns completes "FILE …"; absent for a regular file
 */
export function describeSpecialFile(stats: Stats | BigIntStats): string | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isFIFO()) return 'is a named pipe and is not read; use - to read from standard input';
  if (stats.isSocket()) return 'is a socket and is not read';
  return stats.isDirectory() ? 'is a folder, not a file' : 'is a device and is not read';
}
