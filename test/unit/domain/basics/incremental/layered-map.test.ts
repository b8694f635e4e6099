import { expect } from 'chai';
import fc from 'fast-check';
import { identityOf } from '../../../../../src/domain/basics/incremental/by-identity.ts';
import { changedKeys, withChanges } from '../../../../../src/domain/basics/incremental/layered-map.ts';

const keys = Array.from({ length: 200 }, (_, index) => String(index));
const changes = fc.dictionary(fc.constantFrom(...keys), fc.option(fc.nat(), { nil: undefined }), { maxKeys: 30 });

describe('a map with changes', () => {
  it('has the entries of the former one but for those that differ, which has its own still', () => {
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 12 }), (steps) => {
        let map: ReadonlyMap<string, number> = new Map(keys.slice(0, 150).map((key) => [key, -1]));
        const expected = new Map(map);
        for (const step of steps) {
          const [former, before] = [map, new Map(map)];
          map = withChanges(former, new Map(Object.entries(step)));
          for (const [key, value] of Object.entries(step)) {
            if (value === undefined) expected.delete(key);
            else expected.set(key, value);
          }
          expect(new Map(former)).to.deep.equal(before);
          expect(new Map(map)).to.deep.equal(expected);
          expect(map.size).to.equal(expected.size);
          expect([...map.keys()]).to.have.members([...expected.keys()]);
          expect([...map.values()]).to.have.members([...expected.values()]);
          for (const key of keys) {
            expect(map.get(key)).to.equal(expected.get(key));
            expect(map.has(key)).to.equal(expected.has(key));
          }
          const each: [string, number][] = [];
          map.forEach((value, key) => each.push([key, value]));
          expect(new Map(each)).to.deep.equal(expected);
        }
      }),
    );
  });

  it('says under which keys it may differ from the one that it was made from, and from no other', () => {
    const former: ReadonlyMap<string, number> = new Map(keys.map((key) => [key, 0]));
    const later = withChanges(former, new Map([['7', 1]]));
    const last = withChanges(
      later,
      new Map([
        ['8', undefined],
        ['201', 1],
      ]),
    );
    const keysSince = (one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>) =>
      changedKeys(identityOf(one), other);
    expect(keysSince(former, later)).to.deep.equal(new Set(['7']));
    expect(keysSince(later, last)).to.deep.equal(new Set(['8', '201']));
    expect(keysSince(former, last)).to.equal(undefined);
    expect(keysSince(last, later)).to.equal(undefined);
  });

  it('is the former one where nothing differs', () => {
    const former = new Map([['a', 1]]);
    expect(withChanges(former, new Map())).to.equal(former);
  });
});
