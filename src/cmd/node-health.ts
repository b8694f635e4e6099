import type { Probe } from '../adapters/http/operations-server.ts';
import { describeProblem } from '../ports/input-problem.ts';
import type { NodeReport } from '../ports/node-report.ts';

/** Milliseconds without a word after which the loop counts as stuck: it looks every 60 s at least. */
const LONGEST_SILENCE = 180_000;

/** What probes are told of the loop of a node. */
export class NodeHealth {
  readonly #clock: () => number;
  #lastWord: number;
  #obstacle: string | undefined = 'nothing was done yet';

  /** @param clock milliseconds that only go forward */
  constructor(clock: () => number) {
    this.#clock = clock;
    this.#lastWord = clock();
  }

  /** Takes what the loop has to say. */
  take(report: NodeReport): void {
    this.#lastWord = this.#clock();
    if (report.kind === 'settled') this.#obstacle = undefined;
    if (report.kind === 'unreadable') this.#obstacle = report.problems.map(describeProblem).join('; ');
  }

  /** Whether the loop goes on. */
  healthz(): Probe {
    const silence = this.#clock() - this.#lastWord;
    if (silence <= LONGEST_SILENCE) return { ok: true, text: 'ok' };
    return { ok: false, text: `the loop has not come round for ${Math.round(silence / 1000)} s` };
  }

  /** Whether the node has been brought to its plan once, and can be read now. Networks that are not ready say so in their states. */
  readyz(): Probe {
    return this.#obstacle === undefined ? { ok: true, text: 'ok' } : { ok: false, text: this.#obstacle };
  }
}
