/**
 * Are the Services of the networks on a node served? Each change takes a moment, and is no news: only what is not done for a while, or is refused.
 */
import { isSameList } from '../../domain/basics/incremental/list-changes.ts';
import { sameIfEqual } from '../../domain/basics/incremental/same-if-equal.ts';
import { byName, least } from '../../domain/basics/names/ordering.ts';
import type { NotServed, ServedNetwork } from '../../domain/snapshot/served-network.ts';

/** Milliseconds after which a change that is not done is reported. */
export const LATE = 10_000;

/** The state of the Services on a node, after an attempt to make it as it should be. */
export interface ServedState {
  /** The names in OVN of the networks that are on the node, in order. */
  readonly networks: readonly string[];
  /** The networks of the Services whose load balancers are not as they should be, by the key of the Service. */
  readonly pending: ReadonlyMap<string, ReadonlySet<string>>;
  /** Errors of Services whose load balancers the database refuses, by their keys. */
  readonly refused: ReadonlyMap<string, string>;
  /** Why the others were not changed; absent where they were. */
  readonly error?: string;
}

/** Changes that OVN has not confirmed yet. */
interface Unconfirmed {
  readonly networks: ReadonlySet<string>;
  /** Keys of Services. */
  readonly services: ReadonlySet<string>;
  readonly since: number;
}

/** The first of some Services. */
const first = (keys: Iterable<string>) => least([...keys], byName) ?? '';

/** Follows whether Services are served. All times are milliseconds of one monotonic clock. */
export class ServedProgress {
  /** Since when Services are pending, by their keys. */
  #pendingSince = new Map<string, number>();
  /** By the numbers of their transactions. */
  readonly #unconfirmed = new Map<number, Unconfirmed>();
  #transactions = 0;
  #state: ServedState | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #served: readonly ServedNetwork[] | undefined;

  /**
   * How the Services of networks are served: the same list as long as that is the same; undefined before it is known. A network that is not in it is as it
   * was reported before.
   */
  get served(): readonly ServedNetwork[] | undefined {
    return this.#served;
  }

  /** Takes over how everything is. */
  take(state: ServedState, now: number): void {
    const since = (key: string) => this.#pendingSince.get(key) ?? now;
    this.#pendingSince = new Map([...state.pending.keys()].map((key) => [key, since(key)]));
    this.#state = state;
    this.#judge(now);
  }

  /**
   * Takes over a transaction that OVN is to confirm. Its Services do not wait to be changed any more: where one changes again and again, each change is in time or not.
   *
   * @returns the number of the transaction
   */
  changed(services: ReadonlySet<string>, networks: ReadonlySet<string>, now: number): number {
    this.#transactions += 1;
    this.#unconfirmed.set(this.#transactions, { networks, services, since: now });
    for (const key of services) this.#pendingSince.delete(key);
    return this.#transactions;
  }

  /** Takes over that OVN has confirmed a transaction. */
  confirmed(transaction: number, now: number): void {
    this.#unconfirmed.delete(transaction);
    this.#judge(now);
  }

  /** Looks whether something is late by now. */
  look(now: number): void {
    this.#judge(now);
  }

  /** When something is late that was not when it was looked last; infinity where nothing is under way. */
  get nextAt(): number {
    const begun = [...this.#pendingSince.values(), ...[...this.#unconfirmed.values()].map(({ since }) => since)];
    return Math.min(...begun.map((since) => since + LATE).filter((late) => late > this.#lookedAt));
  }

  #judge(now: number): void {
    this.#lookedAt = now;
    if (this.#state === undefined) return;
    const before = new Map(this.#served?.map((each) => [each.networkName, each]));
    const [underWay, failed] = [this.#underWay(), this.#failed(now)];
    const served = [...this.#state.networks].flatMap((networkName): readonly ServedNetwork[] => {
      const failure = failed.get(networkName);
      if (failure !== undefined) return [sameIfEqual(before.get(networkName), { networkName, failure })];
      const former = before.get(networkName);
      if (underWay.has(networkName)) return former === undefined ? [] : [former];
      return [sameIfEqual(former, { networkName })];
    });
    if (this.#served === undefined || !isSameList(this.#served, served)) this.#served = served;
  }

  /** The networks in which something is being changed. */
  #underWay(): ReadonlySet<string> {
    const pending = this.#state?.pending.values() ?? [];
    return new Set(
      [...pending, ...[...this.#unconfirmed.values()].map((each) => each.networks)].flatMap((each) => [...each]),
    );
  }

  /** Why the Services of networks are not served, as far as they are refused or late. */
  #failed(now: number): ReadonlyMap<string, NotServed> {
    const {
      pending = new Map<string, ReadonlySet<string>>(),
      refused = new Map<string, string>(),
      error,
    } = this.#state ?? {};
    const failed = new Map<string, NotServed>();
    const add = (networks: Iterable<string>, failure: NotServed) => {
      for (const network of networks) if (!failed.has(network)) failed.set(network, failure);
    };
    const keys = [...pending.keys()].toSorted(byName);
    for (const key of keys) {
      const refusal = refused.get(key);
      if (refusal !== undefined)
        add(pending.get(key) ?? [], { reason: 'ServiceProgrammingFailed', message: `${key}: ${refusal}` });
    }
    const isLate = (since: number) => since + LATE <= now;
    for (const key of keys)
      if (isLate(this.#pendingSince.get(key) ?? now)) {
        const message = `${key}: ${error ?? 'its load balancers are not in OVN yet'}`;
        add(pending.get(key) ?? [], { reason: 'ServicesPending', message });
      }
    for (const { networks, services, since } of this.#unconfirmed.values())
      if (isLate(since))
        add(networks, {
          reason: 'ServicesPending',
          message: `${first(services)}: OVN has not confirmed its load balancers yet`,
        });
    return failed;
  }
}
