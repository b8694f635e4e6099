import type { Ledger } from '../../domain/snapshot/ledger.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import type { Reading } from '../../ports/input-problem.ts';
import type { LedgerStore } from '../../ports/ledger-store.ts';

/**
 * A ledger store that keeps in memory what is true already and could not be written, as on a full disk: it is read back as if it were stored, and
 * written as soon as that is possible.
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

  /** Writes what an operation is about to make true. The caller does not apply it where that fails. */
  async write(ledger: Ledger, bootId: string | undefined): Promise<ApplyResult> {
    const written = await this.#store.write(ledger, bootId);
    if (written.done) this.#unwritten = undefined;
    return written;
  }

  /** Writes what is true already. Where that fails it is remembered. */
  async keep(ledger: Ledger, bootId: string | undefined): Promise<ApplyResult> {
    const written = await this.#store.write(ledger, bootId);
    this.#unwritten = written.done ? undefined : ledger;
    return written;
  }
}
