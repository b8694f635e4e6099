/**
 * Counts what generated cases reach, so that a property that no case puts to the test fails.
 */
import { expect } from 'chai';

/** Below this many cases shares say nothing: mutants get a few cases each. */
const FEW = 20;

export class Coverage {
  #cases = 0;
  readonly #counts = new Map<string, number>();

  /** Counts a case. @param reached what of it was reached, by name */
  count(reached: Readonly<Record<string, boolean>>): void {
    this.#cases += 1;
    for (const [name, isReached] of Object.entries(reached)) {
      this.#counts.set(name, (this.#counts.get(name) ?? 0) + Number(isReached));
    }
  }

  /** @param least the least share of the cases, by name */
  expect(least: Readonly<Record<string, number>>): void {
    if (this.#cases < FEW) return;
    for (const [name, share] of Object.entries(least)) {
      expect((this.#counts.get(name) ?? 0) / this.#cases, `share of cases with: ${name}`).to.be.at.least(share);
    }
  }
}
