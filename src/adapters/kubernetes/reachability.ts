import { type Backoff, jitteredDelay } from '../../ports/backoff.ts';

/** Between attempts of all who wait together; an API server restarts within seconds. */
const PROBE_BACKOFF: Backoff = { first: 200, longest: 2000 };

/** Why waiting ends: the API server has answered a request, or it is this one's turn to try. */
export type WaitEnd = 'answered' | 'turn';

/**
 * Those who wait for an API server that does not answer. One after the other tries again, with a backoff that they share; with the first answer, to
 * whatever request, all go on. So a client asks no more often than with one list, and all its lists are up to date again at once.
 */
export class Reachability {
  readonly #backoff: Backoff;
  readonly #waiting = new Set<(end: WaitEnd) => void>();
  /** Attempts since the last answer. */
  #attempts = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(backoff = PROBE_BACKOFF) {
    this.#backoff = backoff;
  }

  /** To be called when a request of the client is answered, whatever the answer. */
  answered(): void {
    this.#attempts = 0;
    this.#stopTimer();
    for (const wake of this.#waiting) wake('answered');
    this.#waiting.clear();
  }

  /** Waits, after a request that was not answered. Never rejects; a signal ends it. */
  async wait(signal: AbortSignal): Promise<WaitEnd> {
    if (signal.aborted) return 'turn';
    const { promise, resolve } = Promise.withResolvers<WaitEnd>();
    const onAbort = () => {
      this.#waiting.delete(resolve);
      if (this.#waiting.size === 0) this.#stopTimer();
      resolve('turn');
    };
    signal.addEventListener('abort', onAbort);
    this.#waiting.add(resolve);
    this.#schedule();
    const end = await promise;
    signal.removeEventListener('abort', onAbort);
    return end;
  }

  #schedule(): void {
    if (this.#timer !== undefined) return;
    this.#attempts += 1;
    const delay = jitteredDelay(this.#backoff, this.#attempts, Math.random());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const [next] = this.#waiting;
      if (next === undefined) return;
      this.#waiting.delete(next);
      next('turn');
      // An attempt may take long: meanwhile others try.
      if (this.#waiting.size > 0) this.#schedule();
    }, delay);
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
