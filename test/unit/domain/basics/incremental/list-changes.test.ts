import { expect } from 'chai';
import {
  differingItems,
  differingKeys,
  isSameList,
} from '../../../../../src/domain/basics/incremental/list-changes.ts';

const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];

describe('two lists', () => {
  it('are the same if they have the same objects in the same order', () => {
    expect(isSameList([a, b], [a, b])).to.equal(true);
    for (const other of [[b, a], [a], [a, b, c], [a, { ...b }]]) expect(isSameList([a, b], other)).to.equal(false);
  });

  it('differ by the items that only one of them has', () => {
    expect(differingItems([a, b], [a, b])).to.deep.equal([]);
    expect(differingItems([a, b], [b, a])).to.deep.equal([]);
    expect(differingItems([a, b], [b, c])).to.deep.equal([a, c]);
  });
});

describe('two maps', () => {
  it('differ by the keys whose values are not the same, and those that only one of them has', () => {
    const left = new Map(Object.entries({ a, b, c }));
    const right = new Map(Object.entries({ a, b: { ...b }, d: a }));
    const differing = (isSame: (one: unknown, other: unknown) => boolean) => differingKeys(left, right, isSame);
    expect(differing((one, other) => one === other)).to.deep.equal(['b', 'c', 'd']);
    expect(differing((one, other) => JSON.stringify(one) === JSON.stringify(other))).to.deep.equal(['c', 'd']);
    expect(differingKeys(left, left, () => false)).to.deep.equal([]);
  });
});
