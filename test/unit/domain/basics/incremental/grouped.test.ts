import { expect } from 'chai';
import fc from 'fast-check';
import { groupedByName, groupedCompactly, itemsIn } from '../../../../../src/domain/basics/incremental/grouped.ts';

interface Item {
  readonly id: number;
  /** Absent for an item that is in no group. */
  readonly group?: string;
}

const items: readonly Item[] = Array.from({ length: 9 }, (_, id) => ({
  id,
  ...(id % 4 < 3 && { group: `of ${String(id % 4)}` }),
}));

describe('groups by name', () => {
  it('have the items of each list, one list after the other', () => {
    fc.assert(
      fc.property(fc.array(fc.shuffledSubarray([...items])), (lists) => {
        const groups = groupedByName(({ group }: Item) => group);
        for (const list of lists) {
          const found = groups(list);
          expect([...found.values()].flat()).to.have.members(list.filter(({ group }) => group !== undefined));
          for (const [name, group] of found) {
            expect(group).not.to.be.empty;
            for (const item of group) expect(item.group).to.equal(name);
          }
        }
      }),
    );
  });

  it('have an item as often as the list has it, under each of its names', () => {
    const named = [['a'], ['a', 'b'], ['b', 'c', 'b'], []].map((names) => ({ names }));
    fc.assert(
      fc.property(fc.array(fc.array(fc.constantFrom(...named), { maxLength: 8 })), (lists) => {
        const groups = groupedByName(({ names }: (typeof named)[number]) => names);
        for (const list of lists) {
          const expected = list.flatMap((item) => item.names.map((name) => ({ name, item })));
          const found = [...groups(list)].flatMap(([name, group]) => group.map((item) => ({ name, item })));
          expect(found).to.have.deep.members(expected);
        }
      }),
    );
  });

  it('are the same lists where their items are, and the same map for the same list', () => {
    const groups = groupedByName(({ group }: Item) => group);
    const before = groups(items);
    const changed = items.map((item) => (item.id === 4 ? { ...item } : item));
    const after = groups(changed);
    expect(after.get('of 0')).not.to.equal(before.get('of 0'));
    expect(after.get('of 1')).to.equal(before.get('of 1'));
    for (const _turn of [1, 2]) {
      expect(groups(changed)).to.equal(after);
      expect(groups(items)).to.equal(before);
    }
  });

  it('cost what differs, also where no item has a name', () => {
    const asked: object[] = [];
    const groups = groupedByName((item: object) => {
      asked.push(item);
      return undefined;
    });
    const [first, second, third] = [{}, {}, {}];
    for (const list of [
      [first, second],
      [first, second, third],
    ])
      expect(groups(list)).to.be.empty;
    expect(asked).to.deep.equal([first, second, third]);
  });
});

describe('compact groups by name', () => {
  it('have the same items as groups that are lists', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.constantFrom(...items), { maxLength: 12 })), (lists) => {
        const [compact, plain] = [groupedCompactly, groupedByName].map((groups) => groups(({ group }: Item) => group));
        for (const list of lists) {
          const found = [...compact!(list)].map(([name, group]) => ({ name, group: itemsIn(group) }));
          expect(found).to.have.deep.members([...plain!(list)].map(([name, group]) => ({ name, group })));
        }
      }),
    );
  });

  it('are an item where it is alone', () => {
    const groups = groupedCompactly(({ group }: Item) => group)(items.slice(0, 5));
    expect(groups.get('of 1')).to.equal(items[1]);
    expect(groups.get('of 0')).to.deep.equal([items[0], items[4]]);
  });
});
