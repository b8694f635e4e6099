import { expect } from 'chai';
import fc from 'fast-check';
import {
  differingItems,
  isSameList,
  listChanges,
  without,
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

const items = Array.from({ length: 40 }, (_, index) => ({ index }));

/** Two lists: the second one is the first one with some items put in, left out, replaced or moved, in several places. */
const listsWithChanges = fc
  .tuple(
    fc.array(fc.constantFrom(...items), { maxLength: 40 }),
    fc.array(fc.tuple(fc.nat(40), fc.nat(12), fc.array(fc.constantFrom(...items), { maxLength: 12 })), {
      maxLength: 4,
    }),
  )
  .map(([before, splices]) => {
    const after = [...before];
    for (const [start, count, put] of splices) after.splice(start, count, ...put);
    return [before, after] as const;
  });

describe('the changes of a list', () => {
  it('are the items that one of the two has more often, wherever they are', () => {
    fc.assert(
      fc.property(listsWithChanges, ([before, after]) => {
        const { removed, added } = listChanges(before, after);
        const countIn = (list: readonly unknown[], item: unknown) => list.filter((each) => each === item).length;
        for (const item of items) {
          const more = countIn(after, item) - countIn(before, item);
          expect(countIn(added, item)).to.equal(Math.max(0, more));
          expect(countIn(removed, item)).to.equal(Math.max(0, -more));
        }
      }),
    );
  });

  it('are found by comparing each item once where some are put in at several places', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({ index }));
    const more = many.flatMap((item, index) => (index % 1000 === 500 ? [{ index }, { index }, item] : [item]));
    let reads = 0;
    const counted = new Proxy(more, {
      get(target, property) {
        reads += 1;
        return Reflect.get(target, property) as unknown;
      },
    });
    expect(listChanges(many, counted)).to.deep.equal({
      removed: [],
      added: more.filter((item) => !many.includes(item)),
    });
    expect(reads).to.be.lessThan(3 * many.length);
  });
});

it('items are left out of a list as often as they are given', () => {
  expect(without([a, b, a, c, a], [a, a, c])).to.deep.equal([b, a]);
  expect(without([a, b], [])).to.deep.equal([a, b]);
});
