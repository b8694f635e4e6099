import { type Backoff, jitteredDelay } from '../../../ports/backoff.ts';
import type { ApiFailure } from '../api-server.ts';

/** Milliseconds that a list has been up to date at least, or the attempt counts as failed. */
const SHORTEST_WATCH = 1000;

/** After a failure of this list alone, or a lost connection. */
const LIST_BACKOFF: Backoff = { first: 200, longest: 30_000 };

/** Maximum milliseconds to wait if an API server asks for a delay: timers take 24 days at most (Node.js, setTimeout). */
const LONGEST_WAIT = 600_000;

/** How often a list could not be kept up to date, and when it is asked for again. It has no clock: times are milliseconds of one that its user has. */
export class ListAttempts {
  /** Consecutive attempts after which the list was not up to date for long. */
  #failed = 0;
  /** Since when the list is up to date; absent before that in an attempt. */
  #upToDateSince: number | undefined;

  /** Whether more than one attempt has failed since the list was up to date for long. */
  get areRepeated(): boolean {
    return this.#failed > 1;
  }

  begin(): void {
    this.#upToDateSince = undefined;
  }

  upToDate(now: number): void {
    this.#upToDateSince = now;
  }

  /** Whether the list has been up to date for long in this attempt. */
  hasLasted(now: number): boolean {
    return this.#upToDateSince !== undefined && now - this.#upToDateSince > SHORTEST_WATCH;
  }

  end(now: number): void {
    this.#failed = this.hasLasted(now) ? 0 : this.#failed + 1;
  }

  /**
   * Milliseconds to wait after an attempt.
   *
   * @param failure how it has ended; absent where that was to be expected
   * @param random from 0 to 1, for the jitter
   */
  delayAfter(failure: ApiFailure | undefined, random: number): number {
    // The first that has only ended, or whose version has expired, is resumed at once.
    const attempts = failure === undefined ? this.#failed - 1 : Math.max(this.#failed, 1);
    if (attempts < 1) return 0;
    return Math.max(Math.min(failure?.retryAfter ?? 0, LONGEST_WAIT), jitteredDelay(LIST_BACKOFF, attempts, random));
  }
}
