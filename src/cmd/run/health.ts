import type { Probe } from '../../adapters/http/operations-server.ts';
import { describeProblem, type InputProblem } from '../../ports/input-problem.ts';

/** Milliseconds without a report after which a loop counts as stuck: it observes at least every 60 s. */
const MAX_SILENCE = 180_000;

/** The reports of a loop that affect its health. */
interface Sign {
  readonly kind: string;
  readonly problems?: readonly InputProblem[];
}

/** The health of a loop, for probes. */
export class Health {
  readonly #clock: () => number;
  #lastWord: number;
  #obstacle: string | undefined = 'starting';

  /** @param clock milliseconds of a monotonic clock */
  constructor(clock: () => number) {
    this.#clock = clock;
    this.#lastWord = clock();
  }

  /** Processes a report. */
  take({ kind, problems = [] }: Sign): void {
    this.#lastWord = this.#clock();
    if (kind === 'settled') this.#obstacle = undefined;
    if (kind === 'standing-by') {
      // It is as ready as it can be, and silent until it leads.
      this.#obstacle = undefined;
      this.#lastWord = Number.POSITIVE_INFINITY;
    }
    if (kind === 'unreadable') this.#obstacle = problems.map(describeProblem).join('; ');
  }

  /** Whether the loop is alive. */
  healthz(): Probe {
    const silence = this.#clock() - this.#lastWord;
    if (silence <= MAX_SILENCE) return { ok: true, text: 'ok' };
    return { ok: false, text: `the loop has not completed a pass for ${Math.round(silence / 1000)} s` };
  }

  /** Whether everything was done once and can be read now. Networks that are not ready are reported in their status. */
  readyz(): Probe {
    return this.#obstacle === undefined ? { ok: true, text: 'ok' } : { ok: false, text: this.#obstacle };
  }
}
