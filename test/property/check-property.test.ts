import { expect } from 'chai';
import fc from 'fast-check';
import { emptyCluster } from '../../src/domain/index.ts';
import { checkProperty } from './check-property.ts';

describe('a broken law', () => {
  it('is reported with its seed, even if the counterexample cannot be reduced or printed', () => {
    const subjects = {
      arbitrary: fc.constant(0),
      partsOf: () => ({ steps: [{ cluster: emptyCluster }], nodes: [], settings: {} }),
      subjectOf: () => 0,
      filesOf: () => {
        throw new Error('nothing to print');
      },
    };
    const check = () => {
      throw new Error('broken');
    };
    const run = () =>
      checkProperty({ name: 'law', promise: 'It holds', check }, subjects, { numRuns: 3, seed: 42, reduceMs: 0 });
    expect(run).to.throw('Broken in case 1 of SEED=42: It holds\nIt could not be reduced: Error: nothing to print');
  });
});
