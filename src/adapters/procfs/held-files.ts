import { closeSync, openSync, readSync } from 'node:fs';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import { fileError, isFileError } from '../file-system/file-error.ts';

/** More bytes than any file has that is read here: one number, or one short line. */
const LONGEST_TEXT = 4096;

/**
 * Files of /proc that are read again and again, held open between the readings.
 *
 * What makes it hard is their number: the settings of 300 devices are 1,500 files. Held open and read one after the other, they take 4 ms;
 * opened and closed each time 14 ms; and read by promises 100 ms, 150 of CPU, since each of them goes through the thread pool three times.
 * The kernel never waits for anything in these readings, so what blocks this process least is to be done with them soonest.
 *
 * A file of /proc says when it is held in vain: what it was about is gone, and it cannot be read any more, though another of its name may
 * be there (fs/proc/proc_sysctl.c, use_table). A file on a disk does not; it would be read as it was when it was removed.
 */
export class HeldFiles {
  #descriptors = new Map<string, number>();
  readonly #buffer = Buffer.allocUnsafe(LONGEST_TEXT);

  /**
   * Reads files, and lets go of those that were read before and are not among them.
   *
   * @returns of each its text without the blanks at its end; absent where it is not there
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

  /** Lets go of all files. */
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
    const length = unlessGone(() => readSync(descriptor, this.#buffer, 0, LONGEST_TEXT, 0));
    return length === undefined ? undefined : this.#buffer.toString('utf8', 0, length).trimEnd();
  }
}

/** What the system answers; absent where what it was asked for is gone. */
function unlessGone<Answer>(ask: () => Answer): Answer | undefined {
  try {
    return ask();
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return undefined;
    throw error;
  }
}
