import { expect } from 'chai';
import fc from 'fast-check';
import { nameSample, notReadyMessage } from '../../../../src/domain/status/node-sample.ts';

describe('a sample of names', () => {
  const samples: readonly (readonly [names: readonly string[], sample: string])[] = [
    [[], ''],
    [['a'], 'a'],
    [['a', 'b', 'c'], 'a, b, c'],
    [['a', 'b', 'c', 'd'], 'a, b, c, …'],
  ];
  for (const [names, sample] of samples) {
    it(`of ${names.length} is ${JSON.stringify(sample)}`, () => {
      expect(nameSample(names)).to.equal(sample);
    });
  }
});

describe('a message about nodes', () => {
  it('counts them and names three by name order, each with its reason', () => {
    const affected = ['d', 'b', 'a', 'c'].map((node) => ({ node, reason: `Of${node.toUpperCase()}` }));
    expect(notReadyMessage(affected, 9, 'active')).to.equal(
      '4 of 9 active nodes not ready: a (OfA), b (OfB), c (OfC), …',
    );
    expect(notReadyMessage(affected.slice(0, 1), 1, 'selected')).to.equal('1 of 1 selected nodes not ready: d (OfD)');
  });

  it('is as short for a thousand nodes as for four', () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 1000 }), (count) => {
        const affected = Array.from({ length: count }, (_, index) => ({
          node: `node-${index}`,
          reason: 'BridgeNotFound',
        }));
        expect(notReadyMessage(affected, count, 'selected').length).to.be.at.most(140);
      }),
      { numRuns: 20 },
    );
  });
});
