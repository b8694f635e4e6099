import type { Ledger } from '../../domain/snapshot/ledger.ts';
import type { CarriedOut } from '../../ports/carried-out.ts';
import type { Reading } from '../../ports/input-problem.ts';
import type { LedgerStore } from '../../ports/ledger-store.ts';

/**
 * A ledger of which nothing is forgotten that is true already and could not be written, as on a full disk: it is read as it would have been
 * written, for as long as the loop runs, and written as soon as that can be done.
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

  /** Writes what is going to be true. Where that fails it is not going to be. */
  async write(ledger: Ledger, bootId: string | undefined): Promise<CarriedOut> {
    const written = await this.#store.write(ledger, bootId);
    if (written.done) this.#unwritten = undefined;
    return written;
  }

  /** Writes what is true. Where that fails it is remembered. */
  async keep(ledger: Ledger, bootId: string | undefined): Promise<CarriedOut> {
    const written = await this.#store.write(ledger, bootId);
    this.#unwritten = written.done ? undefined : ledger;
    return written;
  }
}
