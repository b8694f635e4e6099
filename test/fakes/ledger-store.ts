import { emptyLedger, type Ledger } from '../../src/domain/snapshot/ledger.ts';
import { readLedger, writeLedger } from '../../src/domain/entities/ownership/ledger-text.ts';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import { inFile, type Reading } from '../../src/ports/input-problem.ts';
import type { LedgerStore } from '../../src/ports/node/ledger-store.ts';

/** A ledger in memory, which can be made to fail. */
export class FakeLedgerStore implements LedgerStore {
  /** The stored text; absent before the first write. Tests change it as another program would. */
  text: string | undefined;
  /** The copy of an unusable ledger, if any. */
  unusableCopy: string | undefined;
  #readFailure: string | undefined;
  #writeFailure: string | undefined;

  /** Makes reads and writes fail until `recover`. */
  fail(reason: string): void {
    this.#readFailure = reason;
    this.#writeFailure = reason;
  }

  /** Makes writes fail, as on a full disk, until `recover`. */
  failWrites(reason: string): void {
    this.#writeFailure = reason;
  }

  recover(): void {
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
    if (isUnusable && (this.text?.length ?? 0) >= (this.unusableCopy?.length ?? 0)) this.unusableCopy = this.text;
    this.text = writeLedger(ledger, bootId);
    return Promise.resolve({ done: true });
  }
}
