/**
 * Seeds are fresh: every run looks where none has looked before, as fast-check does unless it is told otherwise. No test flakes by that, as what is
 * tested is pure: a law that is broken once is broken for ever by the folder that is printed, and SEED makes the same run again. A seed that is kept would find
 * each mistake at the change that makes it or never; only mutants, which are compared with one another, get one (test/unit/domain/mutation-run.cjs).
 */
import { laws } from './laws.ts';

/** How often the usual number of cases is tried: 10 is a campaign, 0.05 is for mutants. */
const factor = Number(process.env['CASES'] ?? 1);
const seed = process.env['SEED'];

describe('laws', function () {
  this.timeout(0);
  for (const { name, promise, runs, hold } of laws) {
    it(`${name}: ${promise}`, () => {
      hold({ numRuns: Math.ceil(runs * factor), ...(seed !== undefined && { seed: Number(seed) }) });
    });
  }
});
