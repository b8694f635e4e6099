import { type BigIntStats, statSync } from 'node:fs';
import { errorCode } from '../manifests/file-system-error.ts';

const NOTHING = 'nothing';

/** The state of each file after the last own write, so that own writes are not reported as changes. */
export class OwnWrites {
  /** The mark of each file by path, or NOTHING. */
  private readonly left = new Map<string, string>();

  /** Call before a file is created: the event may come before the call returns. */
  put(path: string, stats: BigIntStats): void {
    this.left.set(path, markOf(stats));
  }

  /** Call before a file is removed. */
  remove(path: string): void {
    this.left.set(path, NOTHING);
  }

  /** Call if that failed. */
  forget(path: string): void {
    this.left.delete(path);
  }

  /** Whether a file is unchanged since the own write. */
  isAsLeft(path: string): boolean {
    const left = this.left.get(path);
    return left !== undefined && left === markAt(path);
  }
}

/** Without the ctime, which a rename changes. */
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
