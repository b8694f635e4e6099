import type { BigIntStats } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Options of `replaceFile`. */
interface ReplaceOptions {
  /** Path of the temporary file, in the same folder; by default the file's path with `.new` appended. */
  readonly temporary?: string;
  /** Permissions of the new file, whatever umask(2) is. */
  readonly mode?: number;
  /** Called with the new file's status before the rename. */
  readonly onWritten?: (stats: BigIntStats) => void;
}

/**
 * Replaces a file atomically and durably, by rename(2) and fsync(2) of the file and its folder.
 *
 * With the default temporary file, calls for one file must not overlap; the next call overwrites a leftover of a crash. If several processes write
 * the same file, each call needs a temporary file of its own.
 *
 * @returns rejects with the error of the file system; then the file is unchanged and the temporary file removed
 */
export async function replaceFile(
  file: string,
  content: string | Uint8Array,
  { temporary = `${file}.new`, mode = 0o600, onWritten }: ReplaceOptions = {},
): Promise<void> {
  // Opened first, so that as little as possible can fail after the rename.
  const folder = await open(dirname(file), 'r');
  try {
    const stats = await writeAndSync(temporary, content, mode);
    onWritten?.(stats);
    await rename(temporary, file);
    // If this fails the new content stays in place: it cannot be undone.
    await folder.sync();
  } catch (error) {
    // Report the first error.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await folder.close();
  }
}

async function writeAndSync(file: string, content: string | Uint8Array, mode: number): Promise<BigIntStats> {
  const opened = await open(file, 'w', mode);
  try {
    await opened.chmod(mode);
    await opened.writeFile(content);
    await opened.sync();
    return await opened.stat({ bigint: true });
  } finally {
    await opened.close();
  }
}
