/**
 * Who runs this gets fresh cases, as fast-check does unless it is told otherwise: every run looks where none has looked before. No test flakes by it, as
 * what is tested is pure: what breaks a law once breaks it for ever, by the folder that is printed; SEED makes the same run again. Only what is compared with
 * other runs gets a seed that stays: whether a change may land (.ci/run), and mutants (test/unit/domain/mutation-run.cjs).
 */
import { laws } from './laws.ts';
import { caseCount } from '../case-count.ts';

/** The numbers by which all cases are generated. */
const seed = process.env['SEED'];

describe('laws', function () {
  this.timeout(0);
  for (const { name, promise, runs, hold } of laws) {
    it(`${name}: ${promise}`, () => {
      hold({ numRuns: caseCount(runs), ...(seed !== undefined && { seed: Number(seed) }) });
    });
  }
});
