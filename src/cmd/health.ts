import type { Probe } from '../adapters/http/operations-server.ts';
import { describeProblem, type InputProblem } from '../ports/input-problem.ts';

/** Milliseconds without a word after which a loop counts as stuck: it looks every 60 s at least. */
const LONGEST_SILENCE = 180_000;

/** What tells of a loop's health among all that it reports. */
interface Sign {
  readonly kind: string;
  readonly problems?: readonly InputProblem[];
}

/** What probes are told of a loop. */
export class Health {
  readonly #clock: () => number;
  #lastWord: number;
  #obstacle: string | undefined = 'nothing was done yet';

  /** @param clock milliseconds that only go forward */
  constructor(clock: () => number) {
    this.#clock = clock;
    this.#lastWord = clock();
  }

  /** Takes what the loop has to say. */
  take({ kind, problems = [] }: Sign): void {
    this.#lastWord = this.#clock();
    if (kind === 'settled') this.#obstacle = undefined;
    if (kind === 'unreadable') this.#obstacle = problems.map(describeProblem).join('; ');
  }

  /** Whether the loop goes on. */
  healthz(): Probe {
    const silence = this.#clock() - this.#lastWord;
    if (silence <= LONGEST_SILENCE) return { ok: true, text: 'ok' };
    return { ok: false, text: `the loop has not come round for ${Math.round(silence / 1000)} s` };
  }

  /** Whether everything was done once, and can be read now. What is not ready besides says so in its status. */
  readyz(): Probe {
    return this.#obstacle === undefined ? { ok: true, text: 'ok' } : { ok: false, text: this.#obstacle };
  }
}
