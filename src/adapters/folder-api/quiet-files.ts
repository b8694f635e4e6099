import type { BigIntStats } from 'node:fs';
import { isYoung, QUIET, versionOf, wasWrittenLast } from './file-version.ts';

/**
 * Which files may be in the middle of being written? Whoever truncates a file and writes it in pieces leaves no sign that it is whole, but
 * that nothing more comes.
 */
export class QuietFiles {
  private readonly seen = new Map<string, { readonly version: string; readonly since: number }>();

  /**
   * How long a file has to be left alone before it may be read, in milliseconds; 0 for one that may be read now.
   *
   * @param now milliseconds of a clock that nobody sets, such as performance.now().
   * @param time milliseconds since 1970, as the file system counts them. Where its clock is ahead of this one, what counts is for how long
   *   the file was seen as it is.
   */
  waitFor(path: string, stats: BigIntStats, now: number, time: number): number {
    const isOld = !isYoung(stats, time) && Number(stats.ctimeMs) <= time;
    if (isOld || !wasWrittenLast(stats)) {
      this.seen.delete(path);
      return 0;
    }
    const version = versionOf(stats);
    const known = this.seen.get(path);
    const since = known?.version === version ? known.since : now;
    this.seen.set(path, { version, since });
    return Math.max(0, since + QUIET - now);
  }
}
