/**
 * Each run generates new cases, as fast-check does, so that every run finds something else. The tests do not flicker because of that, as
 * the engine is pure: a case that violates a law does so every time, and is printed as a folder; SEED repeats the run (test/hooks.ts). Only runs that are
 * compared with others have a fixed seed: .ci/run, and mutation tests (test/unit/domain/mutation-run.cjs).
 */
import { expect } from 'chai';
import { engine, laws } from '../../src/testing/index.ts';
import { caseCount } from '../case-count.ts';
import { checkLawOnGenerated } from './laws.ts';

describe('laws', function () {
  this.timeout(0);
  for (const law of laws) {
    it(`${law.name}: ${law.promise}`, () => {
      const { numRuns, labels } = checkLawOnGenerated(law, engine, { numRuns: caseCount(law.runs) });
      // With few cases the shares mean nothing.
      if (numRuns < law.runs) return;
      for (const [label, share] of Object.entries(law.cover)) {
        expect((labels.get(label) ?? 0) / numRuns, `share of runs with: ${label}`).to.be.at.least(share);
      }
    });
  }
});
