import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emptyLedger, type Ledger } from '../../domain/snapshot/ledger.ts';
import { readLedger, writeLedger } from '../../domain/entities/ownership/ledger-text.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import type { LedgerStore } from '../../ports/node/ledger-store.ts';
import { fileError, isFileError } from '../file-system/file-error.ts';
import { replaceFile } from '../file-system/replace-file.ts';
import { keepUnusable } from './unusable-text.ts';

/** Folder of the ledger; it does not outlive the kernel whose state the ledger describes. */
export const LEDGER_FOLDER = '/run/ovn-uplinks';

/** The ledger in a file (docs/design/ownership.md). */
export class LedgerFile implements LedgerStore {
  readonly #folder: string;
  readonly #file: string;
  /** Whether the file may be overwritten: it was usable, or a copy is kept. */
  #isReplaceable = false;
  #written: Promise<unknown> = Promise.resolve();
  /** The last reading: plans are made from what has changed, and an equal ledger that is another object counts as changed. */
  #last: { readonly text: string; readonly bootId: string | undefined; readonly ledger: Ledger } | undefined;

  /** @param folder created if missing, readable by the agent's user only */
  constructor(folder = LEDGER_FOLDER) {
    this.#folder = folder;
    this.#file = join(folder, 'ledger.json');
  }

  /** The ledger; the same object as long as the file has not changed. */
  async read(bootId: string | undefined): Promise<Reading<Ledger>> {
    try {
      const text = await readFile(this.#file, 'utf8');
      const last = this.#last?.text === text && this.#last.bootId === bootId ? this.#last : undefined;
      const ledger = last?.ledger ?? readLedger(text, bootId);
      this.#last = { text, bootId, ledger };
      if (ledger.problem !== undefined) this.#isReplaceable = false;
      return { read: true, value: ledger };
    } catch (error) {
      if (isFileError(error, 'ENOENT')) return { read: true, value: emptyLedger };
      return {
        read: false,
        problems: [{ origin: inFile(this.#file), message: `cannot be read: ${fileError(error)}` }],
      };
    }
  }

  write(ledger: Ledger, bootId: string | undefined): Promise<ApplyResult> {
    const written = this.#written.then(() => this.#replace(writeLedger(ledger, bootId)));
    this.#written = written;
    return written;
  }

  async #replace(text: string): Promise<ApplyResult> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      if (!this.#isReplaceable) await keepUnusable(this.#file);
      await replaceFile(this.#file, text);
      this.#isReplaceable = true;
      return { done: true };
    } catch (error) {
      return {
        done: false,
        error: `the ledger ${this.#file} cannot be written: ${fileError(error)}; nothing is changed on the node without it`,
      };
    }
  }
}
