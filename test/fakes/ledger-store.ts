import { emptyLedger, type Ledger } from '../../src/domain/snapshot/ledger.ts';
import { readLedger, writeLedger } from '../../src/domain/ownership/ledger-text.ts';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import { inFile, type Reading } from '../../src/ports/input-problem.ts';
import type { LedgerStore } from '../../src/ports/ledger-store.ts';

/** A ledger in memory, which cannot be read and written when it is told so. */
export class FakeLedgerStore implements LedgerStore {
  /** What is kept; absent where nothing has been written. Tests change it as another hand would. */
  text: string | undefined;
  /** A former text of which nothing could be made. */
  aside: string | undefined;
  #readFailure: string | undefined;
  #writeFailure: string | undefined;

  /** From here on it can be neither read nor written. */
  fail(reason: string): void {
    this.#readFailure = reason;
    this.#writeFailure = reason;
  }

  /** From here on it cannot be written, as on a full disk. */
  failToWrite(reason: string): void {
    this.#writeFailure = reason;
  }

  /** From here on everything works again. */
  heal(): void {
    this.#readFailure = undefined;
    this.#writeFailure = undefined;
  }

  read(bootId: string | undefined): Promise<Reading<Ledger>> {
    if (this.#readFailure !== undefined) {
      return Promise.resolve({
        read: false,
        problems: [{ origin: inFile('ledger.json'), message: this.#readFailure }],
      });
    }
    return Promise.resolve({
      read: true,
      value: this.text === undefined ? emptyLedger : readLedger(this.text, bootId),
    });
  }

  write(ledger: Ledger, bootId: string | undefined): Promise<ApplyResult> {
    if (this.#writeFailure !== undefined) {
      const error = `the ledger ledger.json cannot be written: ${this.#writeFailure}; nothing is changed on the node without it`;
      return Promise.resolve({ done: false, error });
    }
    const isUnusable = this.text !== undefined && readLedger(this.text, undefined).problem !== undefined;
    if (isUnusable && (this.text?.length ?? 0) >= (this.aside?.length ?? 0)) this.aside = this.text;
    this.text = writeLedger(ledger, bootId);
    return Promise.resolve({ done: true });
  }
}
