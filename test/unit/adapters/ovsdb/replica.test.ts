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

/** A replica with the row x. */
function replica(columns: Readonly<Record<string, unknown>> = {}): Replica {
  const made = new Replica('db.sock');
  made.clear(schema);
  made.applyDifferences({ Thing: { x: { initial: columns } } });
  return made;
}

function column(from: Replica, name: string): unknown {
  return from.tables.get('Thing')?.[0]?.columns[name];
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
    ['a value with a detailed type', 'name', 'old', 'new', 'new'],
    ['a value to its default', 'integer', 5, 0, 0],
    ['an absent optional value', 'optional', set(), 5, 5],
    ['an optional value to another one', 'optional', 5, 6, 6],
    ['an optional value to the same one', 'optional', 5, 5, 5],
    ['an optional value to none', 'optional', 5, set(), set()],
    ['an empty set', 'few', set(), 5, set(5)],
    ['a set with an added value', 'few', set(1, 2), set(3, 4), set(1, 2, 3, 4)],
    ['a set with a removed value', 'few', set(1, 2, 3), set(1, 3), set(2)],
    ['a set with added and removed values', 'some', set('a', 'b'), set('b', 'c'), set('a', 'c')],
    ['a set with one value', 'some', 'a', 'b', set('a', 'b')],
    ['a set with its only value removed', 'few', 1, 1, set()],
    ['a set of references', 'some', set(uuid('a'), uuid('b')), uuid('a'), set(uuid('b'))],
    ['an empty map', 'map', map(), map({ a: '1' }), map({ a: '1' })],
    ['a map with an added pair', 'map', map({ a: '1' }), map({ b: '2' }), map({ a: '1', b: '2' })],
    ['a map with a removed pair', 'map', map({ a: '1', b: '2' }), map({ a: '1' }), map({ b: '2' })],
    ['a map with a changed value', 'map', map({ a: '1', b: '2' }), map({ a: '3' }), map({ a: '3', b: '2' })],
    ['a map of at most one pair, as a whole', 'pair', map({ a: 1 }), map({ b: 2 }), map({ b: 2 })],
  ];
  for (const [what, name, before, change, after] of changes) {
    it(`changes ${what}`, () => {
      const made = replica({ [name]: before, boolean: true });
      const former = made.tables.get('Thing')?.[0];
      const applied = made.applyDifferences({ Thing: { x: { modify: { [name]: change } } } });
      const row = { table: 'Thing', before: former, after: made.tables.get('Thing')?.[0] };
      const changed = JSON.stringify(before) === JSON.stringify(after) ? [] : [row];
      expect(applied).to.deep.equal({ applied: true, changed });
      expect([column(made, name), column(made, 'boolean')]).to.deep.equal([after, true]);
    });
  }

  it('changes any set and map to any other by their difference', () => {
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
        const removed = Object.entries(from).filter(([key]) => !Object.hasOwn(to, key));
        const added = Object.entries(to).filter(([key, value]) => !Object.hasOwn(from, key) || from[key] !== value);
        const made = replica({ map: ['map', Object.entries(from)] });
        made.applyDifferences({ Thing: { x: { modify: { map: ['map', [...removed, ...added]] } } } });
        expect((column(made, 'map') as [string, unknown[]])[1]).to.have.deep.members(Object.entries(to));
      }),
    );
  });

  it('has default values in the other columns of a new row', () => {
    for (const kind of ['initial', 'insert']) {
      const made = new Replica('db.sock');
      made.clear(schema);
      made.applyDifferences({ Thing: { x: { [kind]: { name: 'x' } } } });
      expect(made.tables.get('Thing')?.[0]?.columns).to.deep.equal({
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

  it('names a row in problems by its column name', () => {
    expect(replica({ name: 'a' }).tables.get('Thing')?.[0]?.place).to.deep.equal({
      file: 'db.sock',
      object: 'Thing/a',
      path: '',
    });
  });

  it('deletes a row', () => {
    const made = replica({ name: 'a' });
    const [before] = made.tables.get('Thing') ?? [];
    expect(made.applyDifferences({ Thing: { x: { delete: null } } })).to.deep.equal({
      applied: true,
      changed: [{ table: 'Thing', before }],
    });
    expect(made.tables.get('Thing')).to.deep.equal([]);
    expect(made.applyDifferences({ Thing: { x: { delete: null } } })).to.deep.equal({
      applied: true,
      changed: [],
    });
  });

  it('accepts whole rows of the older notification', () => {
    const made = new Replica('db.sock');
    const inserted = { Thing: { x: { new: { name: 'x', few: set(1) } } } };
    const modified = { Thing: { x: { old: { few: set(1) }, new: { name: 'x', few: set(2) } } } };
    const present = () => made.tables.get('Thing')?.[0];
    const changed = (change: object) => ({ applied: true, changed: [{ table: 'Thing', ...change }] });
    const added = made.apply(inserted);
    const first = present();
    expect(added).to.deep.equal(changed({ after: first }));
    expect(made.apply(inserted)).to.deep.equal({ applied: true, changed: [] });
    expect(made.apply(modified)).to.deep.equal(changed({ before: first, after: present() }));
    expect(column(made, 'few')).to.deep.equal(set(2));
    const second = present();
    expect(made.apply({ Thing: { x: { old: { name: 'x' } } } })).to.deep.equal(changed({ before: second }));
    expect(made.tables.get('Thing')).to.deep.equal([]);
  });

  it('has the same list for a table of which no row has changed', () => {
    const made = replica({ name: 'x' });
    const [things, again] = [made.tables.get('Thing'), made.tables.get('Thing')];
    expect(again).to.equal(things);
    made.applyDifferences({ Other: { y: { initial: {} } } });
    expect(made.tables.get('Thing')).to.equal(things);
    made.applyDifferences({ Thing: { x: { modify: { name: 'y' } } } });
    expect(made.tables.get('Thing')).not.to.equal(things);
    expect(things?.[0]?.columns['name'], 'a list that was given away').to.equal('x');
  });

  it('has equal external_ids once', () => {
    const made = new Replica('db.sock');
    const ids = () => ({ initial: { external_ids: map({ a: '1' }) } });
    made.applyDifferences({ Thing: { x: ids(), y: ids(), z: { initial: { external_ids: map() } } } });
    const [first, second, third] = made.tables.get('Thing')!.map(({ columns }) => columns['external_ids']);
    expect([first, third]).to.deep.equal([map({ a: '1' }), map()]);
    expect(second).to.equal(first);
  });

  it('is empty after it was cleared', () => {
    const made = replica();
    made.clear(schema);
    expect(made.tables.size).to.equal(0);
  });

  it('has not changed after an empty update', () => {
    expect(replica().applyDifferences({})).to.deep.equal({ applied: true, changed: [] });
  });

  const invalidUpdates: readonly (readonly [what: string, update: unknown, reason: string])[] = [
    ['a change of an unknown row', { y: { modify: { name: 'y' } } }, 'changed an unknown row: Thing y'],
    [
      'a column that its schema lacks',
      { x: { modify: { warp: 9 } } },
      'changed a column that its schema lacks, warp: Thing x',
    ],
    ['an invalid update', { x: 5 }, 'sent an invalid update: Thing x'],
  ];
  for (const [what, update, reason] of invalidUpdates) {
    it(`rejects ${what}`, () => {
      expect(replica().applyDifferences({ Thing: update })).to.deep.equal({ applied: false, reason });
    });
  }
});

describe('the schema of a database', () => {
  it('is invalid without tables', () => {
    for (const notation of [undefined, null, [], {}, { tables: 5 }]) expect(readSchema(notation)).to.equal(undefined);
  });
});
