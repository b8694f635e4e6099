import { link, readFile, rm, stat } from 'node:fs/promises';
import { readLedger } from '../../domain/entities/ownership/ledger-text.ts';
import { isFileError } from '../file-system/file-error.ts';

/**
 * Whether a text is not a ledger, so that it is kept for an administrator to inspect. A ledger of another boot is usable: it describes nothing that
 * still exists.
 */
export function isUnusable(text: string): boolean {
  return readLedger(text, undefined).problem !== undefined;
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return -1;
    throw error;
  }
}

/**
 * Keeps an unusable ledger under a second name before it is replaced. Of two such the longer one is kept: the shorter one is more likely to be
 * truncated. It is a hard link, which works on a full disk.
 *
 * @returns rejects with the system error
 */
export async function keepUnusable(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isFileError(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (text === undefined || !isUnusable(text)) return;
  const aside = `${file}.unusable`;
  if ((await sizeOf(aside)) > (await sizeOf(file))) return;
  await rm(aside, { force: true });
  await link(file, aside);
}
