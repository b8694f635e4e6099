import { expect } from 'chai';
import { backoffDelay, jitteredDelay } from '../../../src/ports/backoff.ts';

describe('a backoff', () => {
  it('doubles with each failed attempt, up to its longest delay', () => {
    const delays = [1, 2, 3, 4, 5, 100].map((attempts) => backoffDelay({ first: 100, longest: 1000 }, attempts));
    expect(delays).to.deep.equal([100, 200, 400, 800, 1000, 1000]);
  });

  it('has jitter: between half of a delay and all of it', () => {
    const delays = [0, 0.5, 1].map((random) => jitteredDelay({ first: 100, longest: 1000 }, 3, random));
    expect(delays).to.deep.equal([400, 300, 200]);
  });
});
