import { type BigIntStats, statSync } from 'node:fs';
import { errorCode } from '../manifests/file-system-error.ts';

const NOTHING = 'nothing';

/** The last state that this process gave each file, so that its own writes are not reported as changes. */
export class OwnWrites {
  /** Each path with the mark of its file, or NOTHING. */
  private readonly left = new Map<string, string>();

  /** Call before a file is put there: the event may come before the call returns. */
  put(path: string, stats: BigIntStats): void {
    this.left.set(path, markOf(stats));
  }

  /** Call before a file is removed. */
  remove(path: string): void {
    this.left.set(path, NOTHING);
  }

  /** Call where that failed. */
  forget(path: string): void {
    this.left.delete(path);
  }

  /** Whether a file is as this process left it. */
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
