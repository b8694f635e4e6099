/**
 * Are the Services of the networks on a node served? Each change takes a moment, and is no news: only what is not done for a while, or is refused.
 */
import { isSameList } from '../../domain/basics/incremental/list-changes.ts';
import { sameIfEqual } from '../../domain/basics/incremental/same-if-equal.ts';
import { byName, least, sortedBy } from '../../domain/basics/names/ordering.ts';
import type { NotServed, ServedNetwork } from '../../domain/snapshot/served-network.ts';

/**
 * Milliseconds after which a change that is not done is reported, and one that other programs undo. So long a Service then has to stay as it was written last until that is no
 * news any more.
 */
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

/** A Service whose load balancers are changed. */
export interface ChangedService {
  readonly networks: ReadonlySet<string>;
  /** Text of all that its load balancers are to be, by which two changes of it are compared. */
  readonly wanted: string;
}

/** Changes that OVN has not confirmed yet, by the keys of their Services. */
interface Unconfirmed {
  readonly services: ReadonlyMap<string, ChangedService>;
  readonly since: number;
}

/** A Service whose load balancers are not as they should be, or are not confirmed, or were so a moment ago. */
interface Waiting {
  /** When it began to wait; anew with a change of what is wanted. */
  readonly since: number;
  /** When it was as it should be, and confirmed; absent while it is not. */
  readonly servedAt?: number;
  /** The last change; absent where there was none. */
  readonly changed?: ChangedService;
  /** When what is wanted was written first, and last. */
  readonly written?: { readonly first: number; readonly last: number };
}

/** Whether another program undoes what is written: the same was written again and again. */
function isUndone({ written }: Waiting): boolean {
  return written !== undefined && written.last - written.first >= LATE;
}

const NOT_CONFIRMED = 'OVN has not confirmed its load balancers yet';

const noPending: ServedState['pending'] = new Map();

const networksOf = ({ services }: Unconfirmed) => [...services.values()].flatMap(({ networks }) => [...networks]);

/** The first of some Services. */
const first = (keys: Iterable<string>) => least([...keys], byName) ?? '';

/** Whether a Service has stayed as it was written for so long that this is no news any more. */
function hasStayed({ servedAt }: Waiting, now: number): boolean {
  return servedAt !== undefined && servedAt + LATE <= now;
}

/** A Service that waits from now on, whatever it waited for before. */
function waitingAgain(former: Waiting | undefined, now: number): Waiting {
  const { changed, written } = former ?? {};
  return { since: now, ...(changed && { changed }), ...(written && { written }) };
}

/** Follows whether Services are served. All times are milliseconds of one monotonic clock. */
export class ServedProgress {
  /** By the keys of Services. */
  readonly #waiting = new Map<string, Waiting>();
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
    for (const key of state.pending.keys()) {
      const former = this.#formerly(key, now);
      if (former === undefined || former.servedAt !== undefined) this.#waiting.set(key, waitingAgain(former, now));
    }
    this.#state = state;
    this.#judge(now);
  }

  /**
   * Takes over a transaction that OVN is to confirm. A Service of which something else is wanted now begins to wait anew: where it changes again and again, each change is in time or not.
   * One of which the same is wanted waits on, as another program undoes what is written, also where OVN confirms it in between.
   *
   * @param services by their keys
   * @returns the number of the transaction
   */
  changed(services: ReadonlyMap<string, ChangedService>, now: number): number {
    this.#transactions += 1;
    this.#unconfirmed.set(this.#transactions, { services, since: now });
    for (const [key, changed] of services) {
      const former = this.#formerly(key, now);
      const isRepeated = former?.changed?.wanted === changed.wanted;
      const since = isRepeated && former.servedAt === undefined ? former.since : now;
      const first = isRepeated ? former.written?.first : undefined;
      this.#waiting.set(key, { since, changed, written: { first: first ?? now, last: now } });
    }
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
    const begun = [
      ...[...this.#waiting.values()].flatMap((each) => {
        if (each.servedAt === undefined) return [each.since];
        return isUndone(each) ? [each.servedAt] : [];
      }),
      ...[...this.#unconfirmed.values()].map(({ since }) => since),
    ];
    return begun.reduce(
      (next, since) => (since + LATE > this.#lookedAt ? Math.min(next, since + LATE) : next),
      Number.POSITIVE_INFINITY,
    );
  }

  /** How a Service waits, or did a moment ago. */
  #formerly(key: string, now: number): Waiting | undefined {
    const former = this.#waiting.get(key);
    return former !== undefined && hasStayed(former, now) ? undefined : former;
  }

  /** Notes which Services are as they should be, and confirmed by OVN. It forgets those that stay so. */
  #noteServed(now: number): void {
    const unconfirmed = new Set([...this.#unconfirmed.values()].flatMap(({ services }) => [...services.keys()]));
    for (const [key, each] of this.#waiting) {
      if (this.#state?.pending.has(key) === true || unconfirmed.has(key)) continue;
      if (each.servedAt === undefined) this.#waiting.set(key, { ...each, servedAt: now });
      else if (hasStayed(each, now)) this.#waiting.delete(key);
    }
  }

  #judge(now: number): void {
    this.#lookedAt = now;
    this.#noteServed(now);
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
    const unconfirmed = [...this.#unconfirmed.values()].flatMap(networksOf);
    return new Set([...[...pending].flatMap((each) => [...each]), ...unconfirmed]);
  }

  /** Why the Services of networks are not served, as far as they are refused or late. */
  #failed(now: number): ReadonlyMap<string, NotServed> {
    const { pending = noPending, refused } = this.#state ?? {};
    const failed = new Map<string, NotServed>();
    const add = (networks: Iterable<string>, failure: NotServed) => {
      for (const network of networks) if (!failed.has(network)) failed.set(network, failure);
    };
    for (const key of [...pending.keys()].toSorted(byName)) {
      const refusal = refused?.get(key);
      if (refusal !== undefined)
        add(pending.get(key) ?? [], { reason: 'ServiceProgrammingFailed', message: `${key}: ${refusal}` });
    }
    const isLate = ({ since }: { readonly since: number }) => since + LATE <= now;
    const late = [...this.#waiting].filter(
      ([, each]) => isUndone(each) || (each.servedAt === undefined && isLate(each)),
    );
    for (const [key, each] of sortedBy(late, ([name]) => name)) {
      const message = `${key}: ${this.#obstacle(key, each)}`;
      add(pending.get(key) ?? each.changed?.networks ?? [], { reason: 'ServicesPending', message });
    }
    for (const each of this.#unconfirmed.values())
      if (isLate(each))
        add(networksOf(each), {
          reason: 'ServicesPending',
          message: `${first(each.services.keys())}: ${NOT_CONFIRMED}`,
        });
    return failed;
  }

  /** Why a Service is late. */
  #obstacle(key: string, { written }: Waiting): string {
    const { pending = noPending, error } = this.#state ?? {};
    if (error !== undefined && pending.has(key)) return error;
    if (written !== undefined && written.first < written.last)
      return 'its load balancers do not stay as they are written to OVN; another program may change them';
    return pending.has(key) ? 'its load balancers are not in OVN yet' : NOT_CONFIRMED;
  }
}
