import { type Backoff, backoffDelay, RETRY_BACKOFF } from '../../ports/backoff.ts';
import type { PodReport } from '../../ports/pod-report.ts';
import { coalescedAt, type PendingChanges, withChange } from '../coalescing.ts';
import { Alarm } from '../time.ts';
import type { PodAgent } from './pod-agent.ts';

/** Repairs at the start, after changes, and after failures with a backoff; one at a time. */
export class Repairs {
  readonly #agent: Pick<PodAgent, 'repair' | 'idle'>;
  readonly #report: (report: PodReport) => void;
  readonly #backoff: Backoff;
  readonly #alarm = new Alarm(() => this.#begin());
  #changes: PendingChanges | undefined;
  #failures = 0;
  /** Infinity where nothing has failed. */
  #retryAt = Number.POSITIVE_INFINITY;
  #lastError = '';
  #isStopped = false;
  #current: Promise<void> | undefined;

  /** @param agent whose repairs they are: each begins once it is idle */
  constructor(
    agent: Pick<PodAgent, 'repair' | 'idle'>,
    report: (report: PodReport) => void,
    backoff: Backoff = RETRY_BACKOFF,
  ) {
    this.#agent = agent;
    this.#report = report;
    this.#backoff = backoff;
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
    this.#alarm.set(Math.min(coalescedAt(this.#changes), this.#retryAt));
  }

  #begin(): void {
    this.#current = this.#run();
  }

  async #run(): Promise<void> {
    await this.#agent.idle();
    this.#changes = undefined;
    this.#retryAt = Number.POSITIVE_INFINITY;
    const attempt = await this.#agent.repair();
    if (attempt.ok) [this.#failures, this.#lastError] = [0, ''];
    else this.#failed(`${attempt.error.message}: ${attempt.error.details}`);
    this.#current = undefined;
    this.#schedule();
  }

  #failed(error: string): void {
    this.#failures += 1;
    const retryIn = backoffDelay(this.#backoff, this.#failures);
    this.#retryAt = performance.now() + retryIn;
    // Changes may cause many attempts while a database is away.
    if (error !== this.#lastError) this.#report({ kind: 'repair-failed', error, retryIn });
    this.#lastError = error;
  }
}
