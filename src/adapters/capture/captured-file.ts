import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import { fileError, isFileError } from '../file-system/file-error.ts';
import { type CapturedFile, commandLine } from './layout.ts';

const MEBIBYTE = 1024 * 1024;

/** MiB above which a file is refused. */
const MAX_FILE_SIZE = 64;

/** The fix for a missing capture, or a missing file of it. */
export const HOW_TO_CAPTURE = '"ovn-uplinks capture --out DIR" on the node makes it';

/**
 * Reads a file of a captured node as UTF-8; invalid bytes become replacement characters.
 *
 * @returns the text; absent for a missing optional file
 */
export async function readCapturedFile(
  directory: string,
  captured: CapturedFile,
): Promise<Reading<string | undefined>> {
  const file = join(directory, captured.file);
  const problem = (message: string): Reading<never> => ({ read: false, problems: [{ origin: inFile(file), message }] });
  try {
    const status = await stat(file);
    if (!status.isFile()) return problem('is not a regular file');
    if (status.size > MAX_FILE_SIZE * MEBIBYTE) {
      return problem(
        `is ${Math.ceil(status.size / MEBIBYTE)} MiB large, more than the ${MAX_FILE_SIZE} MiB that are read`,
      );
    }
    const text = new TextDecoder().decode(await readFile(file));
    if (captured.neverEmpty === true && text.trim() === '') return problem('is empty: it is truncated or half-written');
    return { read: true, value: text };
  } catch (error) {
    if (!isFileError(error, 'ENOENT')) return problem(`cannot be read: ${fileError(error)}`);
    if (!captured.required) return { read: true, value: undefined };
    return problem(`is missing; it should hold the output of "${commandLine(captured)}", and ${HOW_TO_CAPTURE}`);
  }
}

/** Checks that a folder exists. */
export async function checkFolder(directory: string): Promise<Reading<undefined>> {
  const problem = (message: string): Reading<never> => ({
    read: false,
    problems: [{ origin: inFile(directory), message }],
  });
  try {
    const status = await stat(directory);
    if (status.isDirectory()) return { read: true, value: undefined };
    return problem(`is a file; expected the folder of a captured node, and ${HOW_TO_CAPTURE}`);
  } catch (error) {
    if (!isFileError(error, 'ENOENT')) return problem(`cannot be read: ${fileError(error)}`);
    return problem(`does not exist; expected the folder of a captured node, and ${HOW_TO_CAPTURE}`);
  }
}
