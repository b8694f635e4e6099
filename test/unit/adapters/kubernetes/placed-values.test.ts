import { expect } from 'chai';
import fc from 'fast-check';
import { PlacedValues } from '../../../../src/adapters/kubernetes/watch/placed-values.ts';

describe('values in places', () => {
  it('are those that were put last, after any sequence of changes', () => {
    const change = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.option(fc.nat(), { nil: undefined }));
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const placed = new PlacedValues<{ readonly value: number }>();
        const expected = new Map<string, { readonly value: number }>();
        for (const [key, number] of changes) {
          const value = number === undefined ? undefined : { value: number };
          placed.set(key, value);
          if (value === undefined) expected.delete(key);
          else expected.set(key, value);
          expect(placed.list).to.have.members([...expected.values()]);
        }
      }),
    );
  });

  it('stay in their places while others change, and the list is the same where nothing does', () => {
    const placed = new PlacedValues<string>();
    for (const key of ['a', 'b', 'c', 'd']) placed.set(key, `first ${key}`);
    const before = placed.list;
    placed.set('b', 'first b');
    placed.set('gone', undefined);
    expect(placed.list).to.equal(before);
    placed.set('b', 'second b');
    expect(placed.list).to.deep.equal(['first a', 'second b', 'first c', 'first d']);
    placed.set('a', undefined);
    expect(placed.list).to.deep.equal(['first d', 'second b', 'first c']);
    expect(before).to.deep.equal(['first a', 'first b', 'first c', 'first d']);
  });
});
