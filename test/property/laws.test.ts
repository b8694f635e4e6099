import fc from 'fast-check';
import { cases, checkIsolated, checkPure, checkSymmetric } from '../../src/testing/index.ts';

/** Cases a law; a campaign asks for more with CASES. */
const numRuns = Number(process.env['CASES'] ?? 1000);

describe('laws on generated clusters', () => {
  it('1 pure: the same snapshot gives the same plan, whatever the order of lists and keys', () => {
    fc.assert(
      fc.property(cases, fc.nat(), (subject, seed) => checkPure(subject, seed)),
      { numRuns },
    );
  });

  it('4 isolated: what one network does changes nothing for those that share nothing with it', () => {
    fc.assert(
      fc.property(cases, (subject) => checkIsolated(subject)),
      { numRuns },
    );
  });

  it('5 symmetric: a conflict has no winner, and its members are held', () => {
    fc.assert(
      fc.property(cases, (subject) => checkSymmetric(subject)),
      { numRuns },
    );
  });
});
