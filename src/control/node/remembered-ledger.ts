import type { Ledger } from '../../domain/snapshot/ledger.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import type { Reading } from '../../ports/input-problem.ts';
import type { LedgerStore } from '../../ports/node/ledger-store.ts';

/**
 * A ledger store that keeps in memory what could not be written, as on a full disk: reads return it, and it is written as soon as possible.
 */
export class RememberedLedger implements LedgerStore {
  readonly #store: LedgerStore;
  #unwritten: Ledger | undefined;

  constructor(store: LedgerStore) {
    this.#store = store;
  }

  async read(bootId: string | undefined): Promise<Reading<Ledger>> {
    if (this.#unwritten !== undefined) await this.keep(this.#unwritten, bootId);
    return this.#unwritten === undefined ? this.#store.read(bootId) : { read: true, value: this.#unwritten };
  }

  /** Writes the ledger before an operation. If that fails the caller does not apply the operation. */
  async write(ledger: Ledger, bootId: string | undefined): Promise<ApplyResult> {
    const written = await this.#store.write(ledger, bootId);
    if (written.done) this.#unwritten = undefined;
    return written;
  }

  /** Writes the ledger after an operation. If that fails it is kept in memory. */
  async keep(ledger: Ledger, bootId: string | undefined): Promise<ApplyResult> {
    const written = await this.#store.write(ledger, bootId);
    this.#unwritten = written.done ? undefined : ledger;
    return written;
  }
}
