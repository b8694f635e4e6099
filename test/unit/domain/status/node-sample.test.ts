import { expect } from 'chai';
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

it('a message about nodes counts them and names three, each with its reason', () => {
  const first = ['a', 'b', 'c', 'd'].map((node) => ({ node, reason: `Of${node.toUpperCase()}` }));
  expect(notReadyMessage({ count: 4, first }, 9, 'active')).to.equal(
    '4 of 9 active nodes not ready: a (OfA), b (OfB), c (OfC), …',
  );
  expect(notReadyMessage({ count: 1, first: first.slice(0, 1) }, 1, 'selected')).to.equal(
    '1 of 1 selected nodes not ready: a (OfA)',
  );
});
