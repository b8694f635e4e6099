/**
 * Does OVN confirm the changes that were made? It takes them in the order of its numbers, so that a later one confirms those before. What it has not confirmed in time is asked for
 * again.
 */
import type { LoadBalancers } from '../../ports/node/load-balancers.ts';

/** Needs for that. */
export interface ConfirmationsPorts {
  readonly loadBalancers: Pick<LoadBalancers, 'apply' | 'confirmed'>;
  readonly warn: (text: string) => void;
}

/** Follows whether OVN confirms transactions. */
export class Confirmations {
  readonly #ports: ConfirmationsPorts;
  /** Callbacks of transactions, by their own numbers: those of OVN begin anew with a database that was lost. */
  readonly #unconfirmed = new Map<number, () => void>();
  #transactions = 0;
  /** Whether OVN has not confirmed something when it was asked. */
  #isUnsure = false;
  #asking: Promise<unknown> = Promise.resolve();

  constructor(ports: ConfirmationsPorts) {
    this.#ports = ports;
  }

  /**
   * Takes a transaction over that was made. Others are made meanwhile.
   *
   * @param number that of OVN
   * @param whenConfirmed called once
   */
  follow(number: number, whenConfirmed: () => void): void {
    this.#transactions += 1;
    this.#unconfirmed.set(this.#transactions, whenConfirmed);
    this.#waitFor(this.#ask(number, this.#transactions));
  }

  /** Asks again for what was not confirmed when it was asked for. */
  askAgain(): void {
    if (!this.#isUnsure) return;
    this.#isUnsure = false;
    if (this.#unconfirmed.size > 0) this.#waitFor(this.#askForAll());
  }

  /** Resolves once nothing is asked for. */
  async settled(): Promise<void> {
    await this.#asking;
  }

  #waitFor(asked: Promise<void>): void {
    this.#asking = Promise.all([this.#asking, asked]);
  }

  async #ask(number: number, last: number): Promise<void> {
    const result = await this.#ports.loadBalancers.confirmed(number);
    if (result.done) {
      this.#takeConfirmed(last);
      return;
    }
    this.#isUnsure = true;
    this.#ports.warn(`load balancers of Services are not confirmed: ${result.error}`);
  }

  async #askForAll(): Promise<void> {
    const last = this.#transactions;
    // The number of a change that changes nothing comes after those of all others.
    const result = await this.#ports.loadBalancers.apply([]);
    if (result.done && result.number !== undefined) await this.#ask(result.number, last);
    else this.#isUnsure = true;
  }

  #takeConfirmed(last: number): void {
    for (const [transaction, whenConfirmed] of this.#unconfirmed) {
      if (transaction > last) return;
      this.#unconfirmed.delete(transaction);
      whenConfirmed();
    }
  }
}
