import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { inFile, type InputProblem } from '../../ports/input-problem.ts';
import { fileError, isFileError } from '../file-system/file-error.ts';

/**
 * Creates a folder atomically: it is filled under a temporary name beside its place, then renamed.
 *
 * @param directory path; parent folders are created, an empty folder is replaced, anything else refused
 * @param fill fills the temporary folder, and returns problems
 * @returns problems; then only the parent folders remain
 */
export async function makeFolder(
  directory: string,
  fill: (temporary: string) => Promise<readonly InputProblem[]>,
): Promise<readonly InputProblem[]> {
  const problem = (message: string): readonly InputProblem[] => [{ origin: inFile(directory), message }];
  const obstacle = await obstacleAt(directory);
  if (obstacle !== undefined) return problem(obstacle);

  const target = resolve(directory);
  const temporary = join(dirname(target), `.ovn-uplinks-${randomUUID()}`);
  try {
    await mkdir(temporary, { recursive: true });
    const problems = await fill(temporary);
    if (problems.length === 0) await rename(temporary, target);
    return problems;
  } catch (error) {
    return problem(`cannot be created: ${fileError(error)}`);
  } finally {
    // After the rename there is nothing to remove.
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Why a folder cannot be created at a path; absent if there is nothing, or an empty folder. */
async function obstacleAt(directory: string): Promise<string | undefined> {
  try {
    const entries = await readdir(directory);
    return entries.length === 0 ? undefined : 'exists and is not empty; name a folder that does not exist yet';
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return undefined;
    if (isFileError(error, 'ENOTDIR'))
      return 'is, or is below, something that is not a folder; name a folder that does not exist yet';
    return `cannot be inspected: ${fileError(error)}`;
  }
}
