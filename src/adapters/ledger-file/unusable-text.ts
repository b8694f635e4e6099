import { link, readFile, rm, stat } from 'node:fs/promises';
import { readLedger } from '../../domain/ownership/ledger-text.ts';
import { isFileError } from '../file-system/file-error.ts';

/**
 * Whether nothing can be made of a text, and only a person can tell what it may still say. One of another boot is not among them: what it
 * describes is gone, and where no boot is named the ledger is not of another one.
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
 * Keeps a ledger of which nothing can be made under a second name, before another takes its place. Of two such the longer one stays: the
 * shorter one is likelier to be cut off, down to an empty file. It takes no space, since it is a name and no copy: the disk may be full.
 *
 * @returns a promise that is rejected with what the system said
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
