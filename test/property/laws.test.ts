/**
 * Each run generates fresh cases, as fast-check does, so that every run looks where none has looked before. No test flickers by it, as what is tested is pure: a
 * case that breaks a law breaks it every time, in the folder that is printed; SEED repeats the run. Only runs that are compared with others have a fixed
 * seed: whether a change may land (.ci/run), and mutants (test/unit/domain/mutation-run.cjs).
 */
import { expect } from 'chai';
import { engine, laws } from '../../src/testing/index.ts';
import { caseCount } from '../case-count.ts';
import { holdLaw } from './laws.ts';

const seed = process.env['SEED'];

describe('laws', function () {
  this.timeout(0);
  for (const law of laws) {
    it(`${law.name}: ${law.promise}`, () => {
      const extent = { numRuns: caseCount(law.runs), ...(seed !== undefined && { seed: Number(seed) }) };
      const { numRuns, labels } = holdLaw(law, engine, extent);
      // A few cases say nothing about shares.
      if (numRuns < law.runs) return;
      for (const [label, share] of Object.entries(law.cover)) {
        expect((labels.get(label) ?? 0) / numRuns, `share of runs with: ${label}`).to.be.at.least(share);
      }
    });
  }
});
