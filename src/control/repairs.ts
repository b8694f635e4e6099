import { type Backoff, backoffDelay, RETRY_BACKOFF } from '../ports/backoff.ts';
import { coalescedAt, type PendingChanges, withChange } from './coalescing.ts';
import { Alarm, RESYNC_INTERVAL } from './time.ts';

/** A repair looks at everything, or at items that are not as they were when they were found in order. */
export type RepairScope = 'everything' | 'changed';

/** The outcome of a repair; an error calls for another attempt. */
export type RepairOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly error: { readonly message: string; readonly details: string } };

/** Something that is repaired. */
export interface Repaired {
  repair(scope: RepairScope): Promise<RepairOutcome>;
  /** Resolves once a repair may begin. */
  idle(): Promise<void>;
}

/** When repairs are made without a reported change. */
export interface RepairTimes {
  /** After failures. */
  readonly backoff: Backoff;
  /** Milliseconds after the last one of everything that has succeeded: what changes a node may not be reported, as where nft loses events. */
  readonly resync: number;
}

/**
 * For how many times its own duration changes are collected after a repair. It compares all pods of the node with what they were: where one followed each pod
 * that is attached, it would take the more time from the next ones the more pods there are.
 */
const REST = 4;

/** Maximum milliseconds of that. */
const MAX_REST = 1000;

/** Repairs what has changed after changes, and everything at the start, after failures with a backoff, and once in a while; one at a time. */
export class Repairs {
  readonly #agent: Repaired;
  readonly #onFailure: (error: string, retryIn: number) => void;
  readonly #times: RepairTimes;
  readonly #alarm = new Alarm(() => this.#begin());
  #changes: PendingChanges | undefined;
  #failures = 0;
  /** When to repair everything, without a change. */
  #nextAt = Number.POSITIVE_INFINITY;
  /** When the next repair is to begin; the alarm may be a millisecond early. */
  #alarmAt = 0;
  /** Whether everything was repaired, and nothing has failed since. */
  #isComplete = false;
  #lastError = '';
  /** When the next repair may begin. */
  #restsUntil = 0;
  #isStopped = false;
  #current: Promise<void> | undefined;

  /**
   * @param agent whose repairs they are: each begins once it is idle
   * @param onFailure takes an error that is not that of the attempt before, and the milliseconds until the next attempt
   */
  constructor(
    agent: Repaired,
    onFailure: (error: string, retryIn: number) => void,
    times: RepairTimes = { backoff: RETRY_BACKOFF, resync: RESYNC_INTERVAL },
  ) {
    this.#agent = agent;
    this.#onFailure = onFailure;
    this.#times = times;
  }

  /** Reports a change, after which there may be something to repair. */
  changed(): void {
    this.#changes = withChange(this.#changes, performance.now());
    this.#schedule();
  }

  /** Repairs no more. Resolves once none is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#alarm.clear();
    await this.#current;
  }

  #schedule(): void {
    if (this.#isStopped || this.#current !== undefined) return;
    this.#alarmAt = Math.max(this.#restsUntil, Math.min(coalescedAt(this.#changes), this.#nextAt));
    this.#alarm.set(this.#alarmAt);
  }

  #begin(): void {
    this.#current = this.#run();
  }

  async #run(): Promise<void> {
    await this.#agent.idle();
    this.#changes = undefined;
    const begin = performance.now();
    const isResync = this.#nextAt <= Math.max(begin, this.#alarmAt);
    const scope = this.#isComplete && !isResync ? 'changed' : 'everything';
    const attempt = await this.#agent.repair(scope);
    const end = performance.now();
    this.#restsUntil = end + Math.min(REST * (end - begin), MAX_REST);
    if (attempt.ok) this.#succeeded(scope);
    else this.#failed(`${attempt.error.message}: ${attempt.error.details}`);
    this.#current = undefined;
    this.#schedule();
  }

  #succeeded(scope: RepairScope): void {
    if (scope === 'changed') return;
    [this.#failures, this.#lastError, this.#isComplete] = [0, '', true];
    this.#nextAt = performance.now() + this.#times.resync;
  }

  #failed(error: string): void {
    this.#failures += 1;
    this.#isComplete = false;
    const retryIn = backoffDelay(this.#times.backoff, this.#failures);
    this.#nextAt = performance.now() + retryIn;
    // Changes may cause many attempts while a database is away.
    if (error !== this.#lastError) this.#onFailure(error, retryIn);
    this.#lastError = error;
  }
}
