import { expect } from 'chai';
import fc from 'fast-check';
import {
  externalIdsCommand,
  withMapping,
  withOwnMapping,
  withoutMapping,
  withoutOwnMapping,
} from '../../../../src/domain/entities/switch/bridge-mapping-command.ts';

const MAPPINGS = 'ovn-bridge-mappings';
const OWN = 'ovn-uplinks-bridge-mappings';
const entry = 'cluster_udn_blue:br-blue';

type Ids = Readonly<Record<string, string>>;

/** The entries that ovn-controller reads of a text, said in another way than by the code: entry by entry, up to the first that is none. */
function readByController(text: string): readonly string[] {
  const read: string[] = [];
  for (const item of text.split(',')) {
    if (!/^[^:]+:./.test(item)) break;
    read.push(item);
  }
  return read;
}

/** Texts as people leave them behind: gaps, trailing commas, spaces, halves of entries, entries twice. */
const oddTexts = fc
  .array(
    fc.oneof(
      fc.constantFrom('', ' ', 'bad', 'bad:', ':bad', ' physnet:br-ex', 'physnet:br-ex ', 'a:b:c', 'cluster_udn_blue'),
      fc.constantFrom(
        'physnet:br-ex',
        'cluster_udn_red:br-red',
        'cluster_udn_blue:br-other',
        'cluster_udn_blue:br-blue2',
      ),
    ),
    { maxLength: 6 },
  )
  .map((items) => items.join(','));

describe('adding an entry to bridge mappings', () => {
  const texts: readonly (readonly [before: string, after: string, why: string])[] = [
    ['', entry, 'there is nothing yet'],
    ['physnet:br-ex', `physnet:br-ex,${entry}`, 'it comes last'],
    ['physnet:br-ex,', `${entry},physnet:br-ex,`, 'an empty entry at the end is the end for ovn-controller'],
    [',physnet:br-ex', `${entry},,physnet:br-ex`, 'an empty entry at the beginning is the end as well'],
    ['physnet:br-ex,,a:b', `${entry},physnet:br-ex,,a:b`, 'so is one in the middle'],
    ['physnet', `${entry},physnet`, 'so is an entry without a bridge'],
    ['physnet:br-ex, ', `${entry},physnet:br-ex, `, 'so is a space'],
    [' physnet:br-ex', ` physnet:br-ex,${entry}`, 'a space before a name is part of the name'],
    ['physnet:br-ex,physnet:br-ex', `physnet:br-ex,physnet:br-ex,${entry}`, 'what stands there twice stays'],
  ];
  for (const [before, after, why] of texts) {
    it(`makes ${JSON.stringify(before)} into ${JSON.stringify(after)}: ${why}`, () => {
      expect(withMapping(before, entry)).to.equal(after);
      expect(withoutMapping(after, entry)).to.equal(before);
    });
  }

  it("keeps others' text byte for byte and in its order", () => {
    fc.assert(
      fc.property(oddTexts, (text) => {
        const after = withMapping(text, entry);
        if (text === '') expect(after).to.equal(entry);
        else expect([`${text},${entry}`, `${entry},${text}`]).to.include(after);
      }),
    );
  });

  it('puts it where ovn-controller reads it, and hides no other entry', () => {
    fc.assert(
      fc.property(oddTexts, (text) => {
        const read = readByController(withMapping(text, entry));
        expect(read).to.include(entry);
        expect(read.filter((item) => item !== entry)).to.deep.equal(readByController(text));
      }),
    );
  });
});

describe('removing an entry from bridge mappings', () => {
  it('restores the former text', () => {
    fc.assert(
      fc.property(oddTexts, (text) => {
        expect(withoutMapping(withMapping(text, entry), entry)).to.equal(text);
      }),
    );
  });

  it('restores the former text after any sequence of additions and removals', () => {
    const entries = [entry, 'cluster_udn_green:br-green', 'cluster_udn_white:br-blue'];
    const orders = fc.shuffledSubarray(entries, { minLength: entries.length });
    fc.assert(
      fc.property(oddTexts, orders, orders, (text, coming, going) => {
        const full = coming.reduce(withMapping, text);
        expect(readByController(full)).to.include.members(entries);
        expect(going.reduce(withoutMapping, full)).to.equal(text);
      }),
    );
  });

  it('removes only the identical text', () => {
    for (const text of [
      '',
      ',',
      ' cluster_udn_blue:br-blue',
      'cluster_udn_blue:br-blue2',
      'xcluster_udn_blue:br-blue',
    ]) {
      expect(withoutMapping(text, entry)).to.equal(text);
    }
  });

  it("removes one of two equal ones: another program's came later", () => {
    expect(withoutMapping(`a:b,${entry},c:d,${entry}`, entry)).to.equal(`a:b,c:d,${entry}`);
  });
});

describe('both keys of the external_ids', () => {
  /** Nodes on which another program's text is beside managed entries. */
  const externalIds: fc.Arbitrary<Ids> = fc
    .tuple(fc.option(oddTexts), fc.constantFrom(undefined, '', 'cluster_udn_red:br-red'))
    .map(([mappings, own]) => ({
      hostname: 'a',
      ...(mappings !== null && { [MAPPINGS]: mappings }),
      ...(own !== undefined && { [OWN]: own }),
    }));
  const merged = (ids: Ids, change: Readonly<Record<string, string | undefined>>): Ids =>
    Object.fromEntries(
      Object.entries({ ...ids, ...change }).filter((pair): pair is [string, string] => pair[1] !== undefined),
    );
  /** An empty text says what an absent one says. */
  const withoutEmpty = (ids: Ids) => Object.fromEntries(Object.entries(ids).filter(([, text]) => text !== ''));

  it('both have the entry once it is added', () => {
    fc.assert(
      fc.property(externalIds, (ids) => {
        const after = withOwnMapping(ids, entry);
        expect(readByController(after[MAPPINGS] ?? '')).to.include(entry);
        expect((after[OWN] ?? '').split(',')).to.include(entry);
        expect(Object.keys(after)).to.have.members([MAPPINGS, OWN]);
      }),
    );
  });

  it('both have their former values once it is removed', () => {
    fc.assert(
      fc.property(externalIds, (ids) => {
        const added = merged(ids, withOwnMapping(ids, entry));
        expect(withoutEmpty(merged(added, withoutOwnMapping(added, entry)))).to.deep.equal(withoutEmpty(ids));
      }),
    );
  });

  it('may be written twice', () => {
    fc.assert(
      fc.property(externalIds, (ids) => {
        const added = merged(ids, withOwnMapping(ids, entry));
        expect(merged(added, withOwnMapping(added, entry))).to.deep.equal(added);
        const removed = merged(added, withoutOwnMapping(added, entry));
        expect(merged(removed, withoutOwnMapping(removed, entry))).to.deep.equal(removed);
      }),
    );
  });

  it('are absent if nothing is left', () => {
    const absent = { [MAPPINGS]: undefined, [OWN]: undefined };
    expect(withoutOwnMapping({ [MAPPINGS]: entry, [OWN]: entry }, entry)).to.deep.equal(absent);
    expect(withoutOwnMapping({}, entry)).to.deep.equal(absent);
  });

  describe('of a node whose chassis has a list of its own', () => {
    const [OF_CHASSIS, OWN_OF_CHASSIS] = [`${MAPPINGS}-a`, `${OWN}-a`];
    const ids = { 'system-id': 'a', [MAPPINGS]: 'physnet:br-ex', [OF_CHASSIS]: 'other:br-o' };

    it('have the entry there, and nothing else changes', () => {
      const added = withOwnMapping(ids, entry);
      expect(added).to.deep.equal({ [OF_CHASSIS]: `other:br-o,${entry}`, [OWN_OF_CHASSIS]: entry });
      expect(merged(merged(ids, added), withoutOwnMapping(merged(ids, added), entry))).to.deep.equal(ids);
    });

    it('have it moved from the list that is no longer read', () => {
      const before = { ...ids, [MAPPINGS]: `physnet:br-ex,${entry}`, [OWN]: entry };
      expect(merged(before, withOwnMapping(before, entry))).to.deep.equal({
        ...ids,
        [OF_CHASSIS]: `other:br-o,${entry}`,
        [OWN_OF_CHASSIS]: entry,
      });
    });

    it('have it moved back once the list of the chassis is gone', () => {
      const before = { 'system-id': 'a', [MAPPINGS]: 'physnet:br-ex', [OWN_OF_CHASSIS]: entry };
      expect(merged(before, withOwnMapping(before, entry))).to.deep.equal({
        'system-id': 'a',
        [MAPPINGS]: `physnet:br-ex,${entry}`,
        [OWN]: entry,
      });
    });

    it('lose it wherever it is managed, and keep that of another program', () => {
      const stray = { ...ids, [MAPPINGS]: `physnet:br-ex,${entry}`, [OWN]: entry };
      expect(merged(stray, withoutOwnMapping(stray, entry))).to.deep.equal(ids);
      const theirs = { ...stray, [OF_CHASSIS]: entry };
      expect(merged(theirs, withoutOwnMapping(theirs, entry))).to.deep.equal({ ...ids, [OF_CHASSIS]: entry });
      const both = { ...stray, [OF_CHASSIS]: `other:br-o,${entry}`, [OWN_OF_CHASSIS]: entry };
      expect(merged(both, withoutOwnMapping(both, entry))).to.deep.equal(ids);
    });

    it('keep the list of the chassis without entries, as the other one would be in force', () => {
      const empty = { ...ids, [OF_CHASSIS]: '' };
      const added = merged(empty, withOwnMapping(empty, entry));
      expect(added[OF_CHASSIS]).to.equal(entry);
      expect(merged(added, withoutOwnMapping(added, entry))).to.deep.equal(empty);
    });
  });

  it('are completed if another program removed the entry from one of them', () => {
    const both = { [MAPPINGS]: `physnet:br-ex,${entry}`, [OWN]: entry };
    expect(withOwnMapping({ ...both, [MAPPINGS]: 'physnet:br-ex' }, entry)).to.deep.equal(both);
    expect(withOwnMapping({ [MAPPINGS]: both[MAPPINGS] }, entry)).to.deep.equal(both);
  });

  it('have the managed entry moved if another program moved it behind the end', () => {
    const ids = { [MAPPINGS]: `physnet:br-ex,,${entry}`, [OWN]: entry };
    expect(withOwnMapping(ids, entry)).to.deep.equal({ [MAPPINGS]: `${entry},physnet:br-ex,`, [OWN]: entry });
  });

  it("keep another program's entry in its place, though ovn-controller does not read it", () => {
    const ids = { [MAPPINGS]: `physnet:br-ex,,${entry}` };
    const added = withOwnMapping(ids, entry);
    expect(added).to.deep.equal({ [MAPPINGS]: `${entry},physnet:br-ex,,${entry}`, [OWN]: entry });
    expect(withoutOwnMapping(merged({}, added), entry)).to.deep.equal({ ...ids, [OWN]: undefined });
  });
});

describe('the transaction that changes both keys', () => {
  const before: Ids = { hostname: 'a', [MAPPINGS]: 'physnet:br-ex' };

  it('waits for the former value, then deletes both keys and inserts them', () => {
    const { program, arguments: words } = externalIdsCommand(before, withOwnMapping(before, entry));
    const [subcommand, transaction, ...rest] = words;
    expect([program, subcommand, rest]).to.deep.equal(['ovsdb-client', 'transact', []]);
    expect(JSON.parse(transaction ?? '')).to.deep.equal([
      'Open_vSwitch',
      {
        op: 'wait',
        table: 'Open_vSwitch',
        timeout: 0,
        where: [],
        columns: ['external_ids'],
        until: '==',
        rows: [
          {
            external_ids: [
              'map',
              [
                ['hostname', 'a'],
                ['ovn-bridge-mappings', 'physnet:br-ex'],
              ],
            ],
          },
        ],
      },
      {
        op: 'mutate',
        table: 'Open_vSwitch',
        where: [],
        mutations: [
          ['external_ids', 'delete', ['set', ['ovn-bridge-mappings', 'ovn-uplinks-bridge-mappings']]],
          [
            'external_ids',
            'insert',
            [
              'map',
              [
                ['ovn-bridge-mappings', `physnet:br-ex,${entry}`],
                ['ovn-uplinks-bridge-mappings', entry],
              ],
            ],
          ],
        ],
      },
    ]);
  });

  it('inserts nothing for a key that is absent afterwards', () => {
    const ids = { [MAPPINGS]: entry, [OWN]: entry };
    const transaction = externalIdsCommand(ids, withoutOwnMapping(ids, entry)).arguments[1] ?? '';
    expect(JSON.parse(transaction)).to.have.deep.nested.property('[2].mutations', [
      ['external_ids', 'delete', ['set', [MAPPINGS, OWN]]],
      ['external_ids', 'insert', ['map', []]],
    ]);
  });

  it('is the same text in any order of the keys', () => {
    const text = (ids: Ids) => externalIdsCommand(ids, withOwnMapping(ids, entry)).arguments[1];
    expect(text(Object.fromEntries(Object.entries(before).reverse()))).to.equal(text(before));
  });

  it('has unusual text as data', () => {
    const odd = { [MAPPINGS]: 'phys"net\\:br-é,' };
    const transaction = externalIdsCommand(odd, withOwnMapping(odd, entry)).arguments[1] ?? '';
    expect(JSON.parse(transaction)).to.have.nested.property('[1].rows[0].external_ids[1][0][1]', odd[MAPPINGS]);
  });
});
