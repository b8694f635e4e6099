import { expect } from 'chai';
import fc from 'fast-check';
import {
  differingItems,
  differingKeys,
  isSameList,
  listChanges,
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

it('a list’s changes are those of its items, wherever they are', () => {
  const items = Array.from({ length: 8 }, (_, index) => ({ index }));
  const lists = fc.shuffledSubarray(items);
  fc.assert(
    fc.property(lists, lists, (before, after) => {
      const { removed, added } = listChanges(before, after);
      expect(removed).to.have.members(before.filter((item) => !after.includes(item)));
      expect(added).to.have.members(after.filter((item) => !before.includes(item)));
      expect(removed.length + added.length).to.equal(differingItems(before, after).length);
    }),
  );
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
