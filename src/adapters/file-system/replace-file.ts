import type { BigIntStats } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** How a file is replaced. */
interface ReplaceOptions {
  /** Path of the temporary file, in the same folder: the file's own with `.new` appended unless something else is given. */
  readonly temporary?: string;
  /** Permissions of the new file (open(2)). */
  readonly mode?: number;
  /** Called with the new file's status before the rename. */
  readonly onWritten?: (stats: BigIntStats) => void;
}

/**
 * Replaces a file by rename(2), and syncs the file and its folder (fsync(2)): a reader finds the former text or the new one, whole, also
 * after a crash at any moment.
 *
 * With the default temporary file a leftover of a crash is overwritten by the next call, and the caller has to see to it that no two
 * calls for one file overlap. Where several processes write the same file, each call needs a temporary file of its own.
 *
 * @returns a promise that is rejected with the error of the file system; then the file is unchanged and the temporary file removed
 */
export async function replaceFile(
  file: string,
  text: string,
  { temporary = `${file}.new`, mode = 0o600, onWritten }: ReplaceOptions = {},
): Promise<void> {
  // Opened before anything is written, so that as little as possible can fail after the rename.
  const folder = await open(dirname(file), 'r');
  try {
    const stats = await writeAndSync(temporary, text, mode);
    onWritten?.(stats);
    await rename(temporary, file);
    // Where this fails the new text stays in place: the disk is broken, and there is nothing to undo it with.
    await folder.sync();
  } catch (error) {
    // The first error is the one to report.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await folder.close();
  }
}

async function writeAndSync(file: string, text: string, mode: number): Promise<BigIntStats> {
  const opened = await open(file, 'w', mode);
  try {
    await opened.writeFile(text);
    await opened.sync();
    return await opened.stat({ bigint: true });
  } finally {
    await opened.close();
  }
}
