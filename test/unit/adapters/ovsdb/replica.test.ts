import { expect } from 'chai';
import fc from 'fast-check';
import { Replica } from '../../../../src/adapters/ovsdb/replica.ts';
import { readSchema } from '../../../../src/adapters/ovsdb/schema.ts';
import { map, set, uuid } from './dumps.ts';

const ATOM_TYPES = ['integer', 'real', 'boolean', 'string', 'uuid'];
const schema = readSchema({
  name: 'Example',
  tables: {
    Thing: {
      columns: {
        ...Object.fromEntries(ATOM_TYPES.map((type) => [type, { type }])),
        name: { type: { key: { type: 'string', maxLength: 63 } } },
        optional: { type: { key: 'integer', min: 0, max: 1 } },
        some: { type: { key: 'string', min: 1, max: 'unlimited' } },
        few: { type: { key: 'integer', min: 0, max: 4096 } },
        map: { type: { key: 'string', value: 'string', min: 0, max: 'unlimited' } },
        pair: { type: { key: 'string', value: 'integer', min: 0, max: 1 } },
      },
    },
  },
})!;

/** A replica with the row x, as it is after the updates. */
function replica(columns: Readonly<Record<string, unknown>> = {}): Replica {
  const made = new Replica('db.sock');
  made.clear(schema);
  made.applyDifferences({ Thing: { x: { initial: columns } } });
  return made;
}

function column(from: Replica, name: string): unknown {
  return from.tables.get('Thing')?.[0]?.columns.get(name);
}

describe('a replica of a database', () => {
  const changes: readonly (readonly [
    what: string,
    column: string,
    before: unknown,
    change: unknown,
    after: unknown,
  ])[] = [
    ['a value', 'string', 'old', 'new', 'new'],
    ['a value of the type in detail', 'name', 'old', 'new', 'new'],
    ['a value by one that is equal to nothing', 'integer', 5, 0, 0],
    ['an optional value that was absent', 'optional', set(), 5, 5],
    ['an optional value by another', 'optional', 5, 6, 6],
    ['an optional value by the same', 'optional', 5, 5, 5],
    ['an optional value by none', 'optional', 5, set(), set()],
    ['a set that was empty', 'few', set(), 5, set(5)],
    ['a set by what came', 'few', set(1, 2), set(3, 4), set(1, 2, 3, 4)],
    ['a set by what went', 'few', set(1, 2, 3), set(1, 3), set(2)],
    ['a set by what came and went', 'some', set('a', 'b'), set('b', 'c'), set('a', 'c')],
    ['a set that is one value', 'some', 'a', 'b', set('a', 'b')],
    ['a set whose only value went', 'few', 1, 1, set()],
    ['a set of references', 'some', set(uuid('a'), uuid('b')), uuid('a'), set(uuid('b'))],
    ['a map that was empty', 'map', map(), map({ a: '1' }), map({ a: '1' })],
    ['a map by a pair that came', 'map', map({ a: '1' }), map({ b: '2' }), map({ a: '1', b: '2' })],
    ['a map by a pair that went', 'map', map({ a: '1', b: '2' }), map({ a: '1' }), map({ b: '2' })],
    ['a map by a value', 'map', map({ a: '1', b: '2' }), map({ a: '3' }), map({ a: '3', b: '2' })],
    ['a map of one pair at most, as a whole', 'pair', map({ a: 1 }), map({ b: 2 }), map({ b: 2 })],
  ];
  for (const [what, name, before, change, after] of changes) {
    it(`changes ${what}`, () => {
      const made = replica({ [name]: before, boolean: true });
      const changed = JSON.stringify(before) !== JSON.stringify(after);
      expect(made.applyDifferences({ Thing: { x: { modify: { [name]: change } } } })).to.deep.equal({
        applied: true,
        changed,
      });
      expect([column(made, name), column(made, 'boolean')]).to.deep.equal([after, true]);
    });
  }

  it('comes to any set and any map by the difference to it', () => {
    const sets = fc.uniqueArray(fc.nat(9));
    fc.assert(
      fc.property(sets, sets, (from, to) => {
        const change = [...from.filter((item) => !to.includes(item)), ...to.filter((item) => !from.includes(item))];
        const made = replica({ few: set(...from) });
        made.applyDifferences({ Thing: { x: { modify: { few: set(...change) } } } });
        expect((column(made, 'few') as [string, number[]])[1]).to.have.members(to);
      }),
    );
    const maps = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.constantFrom('1', '2'));
    fc.assert(
      fc.property(maps, maps, (from, to) => {
        const gone = Object.entries(from).filter(([key]) => !Object.hasOwn(to, key));
        const come = Object.entries(to).filter(([key, value]) => !Object.hasOwn(from, key) || from[key] !== value);
        const made = replica({ map: ['map', Object.entries(from)] });
        made.applyDifferences({ Thing: { x: { modify: { map: ['map', [...gone, ...come]] } } } });
        expect((column(made, 'map') as [string, unknown[]])[1]).to.have.deep.members(Object.entries(to));
      }),
    );
  });

  it('holds the default of what is not said of a new row', () => {
    for (const kind of ['initial', 'insert']) {
      const made = new Replica('db.sock');
      made.clear(schema);
      made.applyDifferences({ Thing: { x: { [kind]: { name: 'x' } } } });
      expect(Object.fromEntries(made.tables.get('Thing')?.[0]?.columns ?? [])).to.deep.equal({
        integer: 0,
        real: 0,
        boolean: false,
        string: '',
        uuid: uuid('00000000-0000-0000-0000-000000000000'),
        name: 'x',
        optional: set(),
        some: set(),
        few: set(),
        map: map(),
        pair: map(),
      });
    }
  });

  it('names a row by its name', () => {
    expect(replica({ name: 'a' }).tables.get('Thing')?.[0]?.place).to.deep.equal({
      file: 'db.sock',
      object: 'Thing/a',
      path: '',
    });
  });

  it('loses a row that is deleted', () => {
    const made = replica();
    expect(made.applyDifferences({ Thing: { x: { delete: null } } })).to.deep.equal({ applied: true, changed: true });
    expect(made.tables.get('Thing')).to.deep.equal([]);
    expect(made.applyDifferences({ Thing: { x: { delete: null } } })).to.deep.equal({ applied: true, changed: false });
  });

  it('takes whole rows of the older notification', () => {
    const made = new Replica('db.sock');
    const inserted = { Thing: { x: { new: { name: 'x', few: set(1) } } } };
    const modified = { Thing: { x: { old: { few: set(1) }, new: { name: 'x', few: set(2) } } } };
    const changed = { applied: true, changed: true };
    expect(made.apply(inserted)).to.deep.equal(changed);
    expect(made.apply(inserted)).to.deep.equal({ applied: true, changed: false });
    expect(made.apply(modified)).to.deep.equal(changed);
    expect(column(made, 'few')).to.deep.equal(set(2));
    expect(made.apply({ Thing: { x: { old: { name: 'x' } } } })).to.deep.equal(changed);
    expect(made.tables.get('Thing')).to.deep.equal([]);
  });

  it('is empty once it is cleared', () => {
    const made = replica();
    made.clear(schema);
    expect(made.tables.size).to.equal(0);
  });

  it('is not told of a change where nothing is said', () => {
    expect(replica().applyDifferences({})).to.deep.equal({ applied: true, changed: false });
  });

  const misfits: readonly (readonly [what: string, update: unknown, reason: string])[] = [
    ['a change of a row that is not there', { y: { modify: { name: 'y' } } }, 'changed an unknown row: Thing y'],
    [
      'a column that its schema lacks',
      { x: { modify: { warp: 9 } } },
      'changed a column that its schema lacks, warp: Thing x',
    ],
    ['an invalid update', { x: 5 }, 'sent an invalid update: Thing x'],
  ];
  for (const [what, update, reason] of misfits) {
    it(`does not take ${what}`, () => {
      expect(replica().applyDifferences({ Thing: update })).to.deep.equal({ applied: false, reason });
    });
  }
});

describe('the schema of a database', () => {
  it('is none that has no tables', () => {
    for (const notation of [undefined, null, [], {}, { tables: 5 }]) expect(readSchema(notation)).to.equal(undefined);
  });
});
