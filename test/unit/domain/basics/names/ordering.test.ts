import { expect } from 'chai';
import fc from 'fast-check';
import { by, byName, distinct, least } from '../../../../../src/domain/basics/names/ordering.ts';

describe('the order of names', () => {
  it('is by code unit: digits, capitals, small letters, others', () => {
    const sorted = ['', '*', '-a', '.a', '10', '9', 'B', 'a', 'a-b', 'a.b', 'aa', 'b', 'à'];
    expect([...sorted].reverse().sort(byName)).to.deep.equal(sorted);
  });

  it('has the first of two names, and a name as equal to itself', () => {
    expect(byName('a', 'b')).to.equal(-1);
    expect(byName('b', 'a')).to.equal(1);
    expect(byName('a', 'a')).to.equal(0);
  });

  it('is that of the items with these keys', () => {
    const things = [{ name: 'b' }, { name: 'a' }];
    expect(things.sort(by(({ name }) => name))).to.deep.equal([{ name: 'a' }, { name: 'b' }]);
  });
});

describe('distinct names', () => {
  it('are each included once, in order', () => {
    expect(distinct(['b', 'a', 'b'])).to.deep.equal(['a', 'b']);
    expect(distinct([])).to.deep.equal([]);
  });

  it('do not depend on the given order', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (names) => {
        expect(distinct([...names].reverse())).to.deep.equal(distinct(names));
      }),
    );
  });
});

describe('the least of a list', () => {
  it('is the first of those than which none is less', () => {
    const items = [
      { rank: 2, name: 'a' },
      { rank: 1, name: 'b' },
      { rank: 1, name: 'c' },
      { rank: 3, name: 'd' },
    ];
    expect(least(items, (left, right) => left.rank - right.rank)).to.equal(items[1]);
  });

  it('is undefined for an empty list', () => {
    expect(least([], byName)).to.be.undefined;
  });

  it('is less than or equal to all others', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), (numbers) => {
        expect(least(numbers, (left, right) => left - right)).to.equal(Math.min(...numbers));
      }),
    );
  });
});
