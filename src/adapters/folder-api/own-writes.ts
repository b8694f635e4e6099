import { type BigIntStats, statSync } from 'node:fs';
import { errorCode } from '../manifests/file-system-error.ts';

const NOTHING = 'nothing';

/** What this process left behind last, so that it is not told of what it did itself. */
export class OwnWrites {
  /** Each path with the mark of its file, or NOTHING. */
  private readonly left = new Map<string, string>();

  /** A file will be put there. To be said before it happens, since the event may be quicker than the answer. */
  put(path: string, stats: BigIntStats): void {
    this.left.set(path, markOf(stats));
  }

  /** A file will be removed. */
  remove(path: string): void {
    this.left.set(path, NOTHING);
  }

  /** What was to happen did not. */
  forget(path: string): void {
    this.left.delete(path);
  }

  /** Whether there is what this process left. */
  isAsLeft(path: string): boolean {
    const left = this.left.get(path);
    return left !== undefined && left === markAt(path);
  }
}

/** Renaming changes the time of the last change, so that is not part of it. */
function markOf({ dev, ino, size, mtimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs].join(':');
}

function markAt(path: string): string | undefined {
  try {
    return markOf(statSync(path, { bigint: true }));
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? NOTHING : undefined;
  }
}
