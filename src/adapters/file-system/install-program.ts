import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isFileError } from './file-error.ts';
import { replaceFile } from './replace-file.ts';

const EXECUTABLE = 0o755;

/**
 * Installs a program in a folder: atomically, as it may be started at any moment, and not at all if it is there. What interrupted calls left is removed;
 * of two calls at once one may fail, and the program is complete nevertheless.
 *
 * @param program path of the program
 * @param folder where it gets its name
 * @returns whether it was written; rejects with the error of the file system
 */
export async function installProgram(program: string, folder: string): Promise<boolean> {
  const name = basename(program);
  const installed = join(folder, name);
  const content = await readFile(program);
  const temporary = `.${name}.new.`;
  for (const entry of await readdir(folder)) {
    if (entry.startsWith(temporary)) await rm(join(folder, entry), { force: true });
  }
  if (await isInstalled(installed, content)) return false;
  await replaceFile(installed, content, { mode: EXECUTABLE, temporary: join(folder, temporary + randomUUID()) });
  return true;
}

async function isInstalled(file: string, content: Buffer): Promise<boolean> {
  try {
    const { mode } = await stat(file);
    return (mode & 0o777) === EXECUTABLE && content.equals(await readFile(file));
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return false;
    throw error;
  }
}
