import { expect } from 'chai';
import fc from 'fast-check';
import { readSwitch } from '../../../../src/adapters/open-vswitch/switch.ts';
import { capturedText } from '../captured-text.ts';
import { problemLines, valueOf } from '../readings.ts';
import { dump, map, reorderedDumps, set, type Tables, uuid } from '../ovsdb/dumps.ts';

function read(tables: Tables) {
  return readSwitch(dump(tables), 'ovsdb.json');
}

const root = { _uuid: uuid('o'), bridges: uuid('b'), external_ids: map({ 'system-id': 'chassis' }) };
const bridge = { _uuid: uuid('b'), name: 'br', ports: uuid('p'), external_ids: map() };
const port = {
  _uuid: uuid('p'),
  name: 'port',
  interfaces: uuid('i'),
  tag: set(),
  vlan_mode: set(),
  external_ids: map(),
};
const member = {
  _uuid: uuid('i'),
  name: 'eth1',
  type: '',
  ofport: 1,
  link_state: 'up',
  mtu: 1500,
  external_ids: map(),
  statistics: map({ rx: 1 }),
};
const tables = { Open_vSwitch: [root], Bridge: [bridge], Port: [port], Interface: [member] } satisfies Tables;

describe('Open vSwitch of `ovsdb-client --format=json dump Open_vSwitch`', () => {
  const captured = () => valueOf(readSwitch(capturedText('worker-a', 'ovsdb.json'), 'ovsdb.json'));
  const bridgeOf = (name: string) => captured().bridges.find((found) => found.name === name);

  it('is that of the captured node', () => {
    expect(captured().switchExternalIds).to.deep.equal({
      hostname: 'worker-a',
      'ovn-bridge-mappings': 'physnet:br-ex,tenantnet:br-tenant',
      'ovn-encap-ip': '198.51.100.10',
      'ovn-encap-type': 'geneve',
      'system-id': 'worker-a-chassis',
    });
    expect(captured().bridges.map(({ name }) => name)).to.deep.equal([
      'br-blue',
      'br-bonded',
      'br-empty',
      'br-ex',
      'br-int',
      'br-noip',
      'br-obond',
      'br-off',
      'br-red',
      'br-thin',
      'br-two',
    ]);
    expect(bridgeOf('br-ex')?.externalIds).to.deep.equal({ 'bridge-id': 'br-ex', 'bridge-uplink': 'eth0' });
  });

  it('has bridges with a LOCAL port and system devices', () => {
    expect(bridgeOf('br-blue')).to.deep.equal({
      name: 'br-blue',
      externalIds: {},
      ports: [
        {
          name: 'br-blue',
          externalIds: {},
          interfaces: [
            { name: 'br-blue', type: 'internal', openFlowPort: 65534, linkState: 'up', mtu: 1500, externalIds: {} },
          ],
        },
        {
          name: 'eth1',
          externalIds: {},
          interfaces: [{ name: 'eth1', type: '', openFlowPort: 1, linkState: 'up', mtu: 1500, externalIds: {} }],
        },
      ],
    });
    expect(bridgeOf('br-empty')?.ports.map(({ name }) => name)).to.deep.equal(['br-empty']);
    expect(bridgeOf('br-two')?.ports.map(({ name }) => name)).to.deep.equal(['br-two', 'eth5', 'eth6']);
  });

  it('has an access VLAN on the port of red0', () => {
    expect(bridgeOf('br-red')?.ports.map(({ name, tag }) => [name, tag])).to.deep.equal([
      ['br-red', undefined],
      ['eth2', undefined],
      ['red0', 100],
    ]);
  });

  it('has a bond of two interfaces, and a plain port for a bond of the kernel', () => {
    const bonded = (name: string) =>
      bridgeOf(name)?.ports.map(({ interfaces }) => interfaces.map((found) => found.name));
    expect(bonded('br-obond')).to.deep.equal([['br-obond'], ['eth7', 'eth8']]);
    expect(bonded('br-bonded')).to.deep.equal([['bond0'], ['br-bonded']]);
  });

  it('is the same if tables, rows, references and keys are printed in another order', () => {
    const two: Tables = {
      Open_vSwitch: [{ ...root, bridges: set(uuid('b'), uuid('c')), external_ids: map({ a: '1', b: '2' }) }],
      Bridge: [
        { ...bridge, ports: set(uuid('p'), uuid('q')) },
        { ...bridge, _uuid: uuid('c'), name: 'cr', ports: set() },
      ],
      Port: [
        { ...port, interfaces: set(uuid('i'), uuid('j')) },
        { ...port, _uuid: uuid('q'), name: 'other', interfaces: uuid('k') },
      ],
      Interface: [member, { ...member, _uuid: uuid('j'), mtu: 9000 }, { ...member, _uuid: uuid('k'), name: 'a' }],
    };
    const expected = JSON.stringify(valueOf(read(two)));
    fc.assert(
      fc.property(reorderedDumps(two), (text) => {
        expect(JSON.stringify(valueOf(readSwitch(text, 'ovsdb.json')))).to.equal(expected);
      }),
      { numRuns: 50 },
    );
  });

  it('lacks the values that Open vSwitch does not have yet', () => {
    const fresh = { ...tables, Interface: [{ ...member, ofport: set(), link_state: set(), mtu: set() }] };
    expect(valueOf(read(fresh)).bridges[0]?.ports[0]?.interfaces).to.deep.equal([
      { name: 'eth1', type: '', externalIds: {} },
    ]);
  });

  it('has no OpenFlow port for an interface that could not be added', () => {
    const failed = { ...tables, Interface: [{ ...member, ofport: -1, error: 'Device or resource busy' }] };
    expect(valueOf(read(failed)).bridges[0]?.ports[0]?.interfaces[0])
      .to.include({ error: 'Device or resource busy' })
      .and.to.not.have.property('openFlowPort');
  });

  it('has external ids and VLAN mode of a port', () => {
    const trunk = { ...tables, Port: [{ ...port, vlan_mode: 'trunk', tag: set(5), external_ids: map({ a: 'b' }) }] };
    expect(valueOf(read(trunk)).bridges[0]?.ports[0])
      .to.include({ vlanMode: 'trunk', tag: 5 })
      .and.to.deep.include({ externalIds: { a: 'b' } });
  });

  it('is read without unknown tables and columns', () => {
    const more = { ...tables, Warp: [{ _uuid: 7 }], Bridge: [{ ...bridge, warp: ['warp', {}] }] };
    expect(valueOf(read(more)).bridges).to.have.length(1);
  });

  it('may lack columns that may be empty, as with older schemas', () => {
    const bare = {
      Open_vSwitch: [{ _uuid: uuid('o') }],
      Bridge: [{ _uuid: uuid('b'), name: 'br', ports: set() }],
      Port: [],
      Interface: [],
    };
    expect(valueOf(read(bare))).to.deep.equal({
      switchExternalIds: {},
      bridges: [{ name: 'br', externalIds: {}, ports: [] }],
    });
  });

  it('has no bridge before the database is initialized', () => {
    const empty = { Open_vSwitch: [], Bridge: [], Port: [], Interface: [] };
    expect(valueOf(read(empty))).to.deep.equal({ switchExternalIds: {}, bridges: [] });
  });

  const problems: readonly (readonly [what: string, tables: Tables, line: string])[] = [
    [
      'an external id that is not a string',
      { ...tables, Bridge: [{ ...bridge, external_ids: map({ 'bridge-id': 5 }) }] },
      'Bridge/br: external_ids.bridge-id: expected a string, found number 5',
    ],
    [
      'external ids that are not a map',
      { ...tables, Open_vSwitch: [{ ...root, external_ids: 'x' }] },
      'Open_vSwitch/o: external_ids: expected an object, found string "x"',
    ],
    [
      'a tag that is not a number',
      { ...tables, Port: [{ ...port, tag: 'x' }] },
      'Port/port: tag: expected a whole number, found string "x"',
    ],
    [
      'two tags',
      { ...tables, Port: [{ ...port, tag: set(1, 2) }] },
      'Port/port: tag: expected a whole number, found a list of 2 items',
    ],
    [
      'an OpenFlow port that is not a number',
      { ...tables, Interface: [{ ...member, ofport: 'x' }] },
      'Interface/eth1: ofport: expected a whole number, found string "x"',
    ],
    [
      'an invalid name',
      { ...tables, Interface: [{ ...member, name: 6 }] },
      'Interface/i: name: expected a string, found number 6',
    ],
    [
      'a column in another notation',
      { ...tables, Bridge: [{ ...bridge, ports: ['list', []] }] },
      'Bridge/br: ports: expected a value in the notation of RFC 7047, found a list of 2 items',
    ],
    [
      'an invalid reference',
      { ...tables, Bridge: [{ ...bridge, ports: 'p' }] },
      'Bridge/br: ports[0]: expected an object, found string "p"',
    ],
    [
      'a missing column ports',
      { ...tables, Bridge: [{ _uuid: uuid('b'), name: 'br' }] },
      'Bridge/br: ports: expected a value, found nothing',
    ],
    [
      'an unknown bridge',
      { ...tables, Bridge: [] },
      'Open_vSwitch/o: bridges: refers to row b of table Bridge, which does not exist',
    ],
    [
      'an unknown port',
      { ...tables, Port: [] },
      'Bridge/br: ports: refers to row p of table Port, which does not exist',
    ],
    [
      'an unknown interface',
      { ...tables, Interface: [] },
      'Port/port: interfaces: refers to row i of table Interface, which does not exist',
    ],
    [
      'a row without a UUID',
      { ...tables, Port: [{ ...port, _uuid: 'p' }] },
      'line 5: data[0]: expected a uuid in the column _uuid, found string "p"',
    ],
    [
      'a row whose UUID is a map',
      { ...tables, Port: [{ ...port, _uuid: map({ a: 'b' }) }] },
      'line 5: data[0]: expected a uuid in the column _uuid, found a list of 2 items',
    ],
    [
      'a row whose UUID is null',
      { ...tables, Port: [{ ...port, _uuid: null }] },
      'line 5: data[0]: expected a uuid in the column _uuid, found null',
    ],
  ];
  for (const [what, broken, line] of problems) {
    it(`is invalid with ${what}`, () => {
      expect(problemLines(read(broken))).to.deep.equal([`ovsdb.json: ${line}`]);
    });
  }

  const texts: readonly (readonly [what: string, text: string, lines: readonly string[]])[] = [
    [
      'an empty text',
      '',
      ['Open_vSwitch', 'Bridge', 'Port', 'Interface'].map(
        (name) => `holds no table ${name}: it is truncated or of another database`,
      ),
    ],
    [
      'its last table truncated',
      dump(tables).slice(0, -10),
      ['ends at line 7, column 189, where the rest of a value was expected: it is truncated or half-written'],
    ],
    [
      'a table missing',
      dump({ Open_vSwitch: [root], Bridge: [bridge], Port: [port] }),
      ['holds no table Interface: it is truncated or of another database'],
    ],
    ['a line that is not a table', `7\n${dump(tables)}`, ['line 1: expected an object, found number 7']],
    ['a table without caption', `{}\n${dump(tables)}`, ['line 1: caption: expected a value, found nothing']],
    [
      'a table without rows',
      `{"caption":"Port table","headings":[]}\n${dump(tables)}`,
      ['line 1: data: expected a value, found nothing'],
    ],
    [
      'a row with a missing value',
      dump(tables).replace('"eth1",', ''),
      ['line 7: data[0]: expected a value for each of 8 columns, found 7'],
    ],
  ];
  for (const [what, text, lines] of texts) {
    it(`is invalid with ${what}`, () => {
      expect(problemLines(readSwitch(text, 'ovsdb.json'))).to.deep.equal(lines.map((line) => `ovsdb.json: ${line}`));
    });
  }
});
