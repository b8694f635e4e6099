import { closeSync, openSync, readSync } from 'node:fs';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import { fileError, isFileError } from '../file-system/file-error.ts';

/** Maximum bytes of a file: one number, or one short line. */
const MAX_SIZE = 4096;

/**
 * Files of /proc that are read repeatedly and kept open.
 *
 * The settings of 300 devices are 1,500 files. Kept open and read synchronously they take 4 ms; opened and closed each time 14 ms; read by promises
 * 100 ms, and 150 ms of CPU, since each goes through the thread pool three times.
 *
 * Reading an open file of /proc fails once its device is gone, even if there is another of the same name (fs/proc/proc_sysctl.c, use_table). A file on
 * a disk could still be read after its removal.
 */
export class OpenFiles {
  #descriptors = new Map<string, number>();
  readonly #buffer = Buffer.allocUnsafe(MAX_SIZE);

  /**
   * Reads files, and closes those that were read before and are not among them.
   *
   * @returns the trimmed text of each; absent for a missing file
   */
  read(paths: readonly string[]): readonly Reading<string | undefined>[] {
    const held = this.#descriptors;
    this.#descriptors = new Map();
    const texts = paths.map((path) => this.#read(path, held.get(path)));
    for (const [path, descriptor] of held) {
      if (this.#descriptors.get(path) !== descriptor) closeSync(descriptor);
    }
    return texts;
  }

  /** Closes all files. */
  close(): void {
    this.read([]);
  }

  #read(path: string, held: number | undefined): Reading<string | undefined> {
    try {
      return { read: true, value: this.#textHeld(path, held) ?? this.#textOpened(path) };
    } catch (error) {
      return { read: false, problems: [{ origin: inFile(path), message: `cannot be read: ${fileError(error)}` }] };
    }
  }

  #textHeld(path: string, held: number | undefined): string | undefined {
    if (held === undefined) return undefined;
    const text = this.#textIn(held);
    if (text !== undefined) this.#descriptors.set(path, held);
    return text;
  }

  #textOpened(path: string): string | undefined {
    const descriptor = unlessGone(() => openSync(path, 'r'));
    if (descriptor === undefined) return undefined;
    this.#descriptors.set(path, descriptor);
    return this.#textIn(descriptor);
  }

  #textIn(descriptor: number): string | undefined {
    const length = unlessGone(() => readSync(descriptor, this.#buffer, 0, MAX_SIZE, 0));
    return length === undefined ? undefined : this.#buffer.toString('utf8', 0, length).trimEnd();
  }
}

/** The result of a system call; absent if the file is gone. */
function unlessGone<Answer>(ask: () => Answer): Answer | undefined {
  try {
    return ask();
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return undefined;
    throw error;
  }
}
