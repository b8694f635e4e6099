import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { inFile, type InputProblem } from '../../ports/input-problem.ts';
import { fileError, isFileError } from '../file-system/file-error.ts';

/**
 * Makes a folder that is there either whole or not at all: it is filled under another name beside its place and renamed at the end.
 *
 * @param directory where it shall be; the folders above it are made, an empty folder in its place is replaced, anything else refused
 * @param fill fills the folder under its temporary name, and says what went wrong
 * @returns what went wrong; then nothing is left but the folders above
 */
export async function makeFolder(
  directory: string,
  fill: (temporary: string) => Promise<readonly InputProblem[]>,
): Promise<readonly InputProblem[]> {
  const problem = (message: string): readonly InputProblem[] => [{ origin: inFile(directory), message }];
  const obstacle = await whatStandsAt(directory);
  if (obstacle !== undefined) return problem(obstacle);

  const target = resolve(directory);
  const temporary = join(dirname(target), `.ovn-uplinks-${randomUUID()}`);
  try {
    await mkdir(temporary, { recursive: true });
    const problems = await fill(temporary);
    if (problems.length === 0) await rename(temporary, target);
    return problems;
  } catch (error) {
    return problem(`cannot be made: ${fileError(error)}`);
  } finally {
    // Gone already where all went well.
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Why a folder cannot be made at a place; absent where there is nothing, or an empty folder. */
async function whatStandsAt(directory: string): Promise<string | undefined> {
  try {
    const entries = await readdir(directory);
    return entries.length === 0 ? undefined : 'is there already and not empty; name a folder that does not exist yet';
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return undefined;
    if (isFileError(error, 'ENOTDIR'))
      return 'is, or is below, something that is no folder; name a folder that does not exist yet';
    return `cannot be looked at: ${fileError(error)}`;
  }
}
