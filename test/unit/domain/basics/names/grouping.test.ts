import { expect } from 'chai';
import { groupBy } from '../../../../../src/domain/basics/names/grouping.ts';

describe('items by name', () => {
  it('are all with that name, in the given order', () => {
    const things = ['banana', 'apple', 'blueberry', 'avocado', 'cherry'];
    expect([...groupBy(things, (thing) => thing.slice(0, 1))]).to.deep.equal([
      ['b', ['banana', 'blueberry']],
      ['a', ['apple', 'avocado']],
      ['c', ['cherry']],
    ]);
  });
});
