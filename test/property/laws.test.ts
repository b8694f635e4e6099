/**
 * Who runs this gets fresh cases, as fast-check does unless it is told otherwise: every run looks where none has looked before. No test flakes by it, as
 * what is tested is pure: what breaks a law once breaks it for ever, by the folder that is printed; SEED makes the same run again. Only what is compared with
 * other runs gets a seed that stays: whether a change may land (.ci/run), and mutants (test/unit/domain/mutation-run.cjs).
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
