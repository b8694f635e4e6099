import { expect } from 'chai';
import { backoffDelay } from '../../../src/ports/backoff.ts';

describe('a backoff', () => {
  it('doubles with each failed attempt, up to its longest delay', () => {
    const delays = [1, 2, 3, 4, 5, 100].map((attempts) => backoffDelay({ first: 100, longest: 1000 }, attempts));
    expect(delays).to.deep.equal([100, 200, 400, 800, 1000, 1000]);
  });
});
