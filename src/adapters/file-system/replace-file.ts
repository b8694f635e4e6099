import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Puts a text in the place of a file: whoever reads the file, also after a crash at any moment, finds the former text or this one, whole.
 *
 * It is written beside the file first, always under the same name, so that what a crash leaves there is what is written over next. Two at
 * once would write into each other's: one after the other is the caller's to see to.
 *
 * @returns a promise that is rejected with what the system said; then the file is as it was, and nothing is left beside it
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.new`;
  // Opened before anything is written, so that as little as possible can still go wrong once the new text is in its place.
  const folder = await open(dirname(file), 'r');
  try {
    await writeToDisk(temporary, text);
    await rename(temporary, file);
    // Refused, this would leave the new text in its place, and nothing to be done about it: it is the disk that is broken.
    await folder.sync();
  } catch (error) {
    // What stood in the way of writing may stand in the way of this, and is the one to tell.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await folder.close();
  }
}

async function writeToDisk(file: string, text: string): Promise<void> {
  const opened = await open(file, 'w', 0o600);
  try {
    await opened.writeFile(text);
    await opened.sync();
  } finally {
    await opened.close();
  }
}
