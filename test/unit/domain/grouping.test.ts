import { expect } from 'chai';
import { groupBy } from '../../../src/domain/grouping.ts';

describe('things by a name', () => {
  it('are all that have it, in the order in which they were given', () => {
    const things = ['banana', 'apple', 'blueberry', 'avocado', 'cherry'];
    expect([...groupBy(things, (thing) => thing.slice(0, 1))]).to.deep.equal([
      ['b', ['banana', 'blueberry']],
      ['a', ['apple', 'avocado']],
      ['c', ['cherry']],
    ]);
  });
});
