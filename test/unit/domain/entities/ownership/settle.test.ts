import { expect } from 'chai';
import { emptyLedger, type LedgerEntry, type NodeSnapshot } from '../../../../../src/domain/index.ts';
import type { DisplacedEntity } from '../../../../../src/domain/snapshot/ledger.ts';
import { elapsedSeconds, entryKey } from '../../../../../src/domain/entities/ownership/entry-kinds.ts';
import { settle } from '../../../../../src/domain/entities/ownership/settle.ts';
import type { BriefNode } from '../../../../../src/testing/index.ts';
import {
  hostAddress,
  devices,
  displaced,
  membership,
  hostNeighbour,
  nodeWith,
  hostNextHopObject,
  hostProxy,
  route,
  hostRoute,
} from '../host-entities.ts';

/** The result of settling one entry on a node. */
function settled(entry: LedgerEntry, node: Omit<BriefNode, 'nodeName'> = {}): LedgerEntry | undefined {
  const { entries } = settle(nodeWith({ ...node, ledger: { entries: [entry] } }));
  expect(entries.length).to.be.at.most(1);
  return entries[0];
}

/** The result of settling a displaced thing whose device we put into a VRF. */
function settledMember(
  entry: LedgerEntry,
  node: Omit<BriefNode, 'nodeName'> = {},
  vrf = 'blue',
): LedgerEntry | undefined {
  const member = membership({ vrf, table: vrf === 'blue' ? 1012 : 500 });
  return settle(nodeWith({ ...node, ledger: { entries: [entry, member] } })).entries.find(
    ({ kind }) => kind === 'displaced',
  );
}

describe('a VRF that was created and is not signed yet', () => {
  const entry: LedgerEntry = { kind: 'unsigned-vrf', name: 'blue', table: 1012, network: 'cluster_udn_blue' };

  it('keeps its entry while it exists without an alias', () => {
    expect(settled(entry)).to.equal(entry);
    expect(settled(entry, { links: [{ name: 'blue', kind: 'vrf', vrfTable: 1012, alias: '' }] })).to.equal(entry);
  });

  it('loses its entry once it has an alias, of ovn-uplinks or another program', () => {
    for (const alias of ['ovn-uplinks:cluster_udn_blue', 'theirs']) {
      expect(settled(entry, { links: [{ name: 'blue', kind: 'vrf', vrfTable: 1012, alias }] })).to.be.undefined;
    }
  });

  it('is distinguished by its table from one of another program', () => {
    const known = { ...entry, table: 1012 };
    expect(settled(known, { links: [{ name: 'blue', kind: 'vrf', vrfTable: 1012 }] })).to.equal(known);
    expect(settled(known, { links: [{ name: 'blue', kind: 'vrf', vrfTable: 78 }] })).to.be.undefined;
  });

  it('loses its entry if it does not exist, or is another kind of device', () => {
    expect(settled(entry, { links: [] })).to.be.undefined;
    expect(settled(entry, { links: [{ name: 'blue', kind: 'dummy' }] })).to.be.undefined;
  });
});

describe('a membership in the ledger', () => {
  it('keeps its entry while the device is in the VRF', () => {
    expect(settled(membership(), { links: devices('blue') })).to.deep.equal(membership());
  });

  it('loses its entry if it was not made yet, or was undone', () => {
    expect(settled(membership())).to.be.undefined;
  });

  it('loses its entry if another program enslaved the device to another VRF', () => {
    expect(settled(membership(), { links: devices('corp') })).to.be.undefined;
  });

  it('keeps its entry while the device is deleted and the VRF exists', () => {
    const [, , vrf] = devices();
    expect(settled(membership(), { links: [vrf!] })).to.deep.equal(membership());
    expect(settled(membership(), { links: [{ ...vrf!, vrfTable: 1013 }] })).to.be.undefined;
    expect(settled(membership(), { links: [] })).to.be.undefined;
  });
});

describe('a setting in the ledger', () => {
  const name = 'net.ipv6.conf.br-blue.keep_addr_on_down';
  const entry: LedgerEntry = { kind: 'sysctl', device: 'br-blue', name, before: '0', value: '1' };
  const valued = (value: string) => settled(entry, { sysctls: { [name]: value } });

  it('keeps its entry while it has the written value', () => {
    expect(valued('1')).to.equal(entry);
  });

  it('loses its entry if it was not written yet, or has its former value', () => {
    expect(valued('0')).to.be.undefined;
  });

  it('loses its entry if another program wrote another value', () => {
    expect(valued('2')).to.be.undefined;
  });

  it('loses its entry if the written value is the former one', () => {
    const same: LedgerEntry = { ...entry, before: '1' };
    expect(settled(same, { sysctls: { [name]: '1' } })).to.be.undefined;
  });

  it('keeps its entry while it was not read, and loses it with the device', () => {
    expect(settled(entry)).to.equal(entry);
    expect(settled(entry, { links: [] })).to.be.undefined;
  });
});

describe('an address in the ledger', () => {
  const entry: LedgerEntry = { kind: 'address', device: 'blue', address: '169.254.0.2', prefixLength: 32 };
  const on = (name: string, prefixLength: number) =>
    settled(entry, { links: [{ name, kind: 'vrf', addresses: [{ address: '169.254.0.2', prefixLength }] }] });

  it('keeps its entry while it exists', () => {
    expect(on('blue', 32)).to.equal(entry);
  });

  it('loses its entry if it was not added yet, or is gone, also with its device', () => {
    expect(settled(entry)).to.be.undefined;
    expect(settled(entry, { links: [] })).to.be.undefined;
  });

  it('does not match another address', () => {
    expect(on('blue', 17)).to.be.undefined;
    expect(on('corp', 32)).to.be.undefined;
  });
});

describe('a static FDB entry in the ledger', () => {
  const found = { bridge: 'br-blue', port: 'br-blue', vlan: 0, macAddress: '0a:00:00:00:00:06' };
  const entry: LedgerEntry = { kind: 'fdb-entry', ...found };

  it('keeps its entry while it exists', () => {
    expect(settled(entry, { fdbEntries: [found] })).to.equal(entry);
  });

  it('loses its entry if it was not added yet, or is gone, also to another port', () => {
    expect(settled(entry)).to.be.undefined;
    expect(settled(entry, { fdbEntries: [{ ...found, port: 'eth0' }] })).to.be.undefined;
  });

  it('keeps its entry while it was not read, as the switch of its bridge does not answer', () => {
    expect(settled(entry, { bridgesWithoutSwitch: ['br-blue'] })).to.equal(entry);
    expect(settled(entry, { bridgesWithoutSwitch: ['br-green'] })).to.be.undefined;
  });
});

describe('an awaiting entity', () => {
  const entry = displaced(hostRoute('10.0.0.0/8'));

  it('stays awaiting while it is not in its place', () => {
    expect(settled(entry, { links: devices('blue') }), 'in the VRF').to.equal(entry);
    expect(settled(entry), 'outside').to.equal(entry);
    expect(settled(entry, { links: devices('blue'), routes: [route('10.0.0.0/8')] }), 'in its former place').to.equal(
      entry,
    );
  });

  it("is placed if it is in the VRF's table, whoever added it", () => {
    const inside = { links: devices('blue'), routes: [route('10.0.0.0/8', { table: 1012, protocol: 'boot' })] };
    expect(settledMember(entry, inside)).to.deep.equal({ ...entry, state: 'placed' });
  });

  it('loses its entry in a VRF to which another program enslaved the device', () => {
    const inside = { links: devices('corp'), routes: [route('10.0.0.0/8', { table: 500 })] };
    expect(settled(entry, inside)).to.be.undefined;
    expect(settledMember(entry, inside)).to.be.undefined;
  });

  it('loses its entry if it is back, or was never dropped', () => {
    expect(settled(entry, { routes: [route('10.0.0.0/8')] })).to.be.undefined;
  });

  it('loses its entry with the moved device, and with its own', () => {
    expect(settled(entry, { links: [] })).to.be.undefined;
    const stacked = displaced(hostAddress('2001:db8:7::6/64', {}, 'br-blue.7'));
    expect(settled(stacked)).to.equal(stacked);
    expect(settled(stacked, { links: devices().filter(({ name }) => name !== 'br-blue.7') })).to.be.undefined;
  });

  it('keeps its entry if it is on no device: a group of next hops', () => {
    const group = displaced({
      kind: 'next-hop-object',
      object: { id: 9, protocol: 'static', group: [{ id: 5, weight: 1 }] },
    });
    expect(settled(group)).to.equal(group);
    expect(settled(group, { links: [] }), 'but for the device that was moved').to.be.undefined;
  });
});

describe('a restored entity', () => {
  const entry = displaced(hostRoute('10.0.0.0/8'), 'placed');
  const inTable = [route('10.0.0.0/8', { table: 1012 })];

  it('keeps its entry while it exists', () => {
    expect(settledMember(entry, { links: devices('blue'), routes: inTable })).to.deep.equal(entry);
  });

  it('was removed by its owner if it is missing and the device is in its VRF: it is not restored', () => {
    expect(settledMember(entry, { links: devices('blue') })).to.be.undefined;
  });

  it('is awaiting if another program released the device, or moved it to another VRF', () => {
    expect(settledMember(entry)).to.deep.equal({ ...entry, state: 'awaiting' });
    expect(settledMember(entry, { links: devices('corp') })).to.deep.equal({ ...entry, state: 'awaiting' });
  });

  it('is awaiting once the device is recreated after it was deleted', () => {
    const links = devices().filter(({ name }) => name !== 'br-blue');
    const deleted = nodeWith({ links, ledger: [entry, membership()] });
    expect(settle(deleted).entries).to.deep.equal([entry, membership()]);
    expect(settle({ ...nodeWith(), ledger: settle(deleted) }).entries).to.deep.equal([{ ...entry, state: 'awaiting' }]);
  });

  it('loses its entry if device and VRF are gone: no network wants it any more', () => {
    expect(settledMember(entry, { links: [] })).to.be.undefined;
  });

  it('loses its entry outside of a VRF, whether it exists or not', () => {
    expect(settled(entry, { routes: [route('10.0.0.0/8')] })).to.be.undefined;
    expect(settled(entry)).to.be.undefined;
    expect(settledMember(entry, { routes: [route('10.0.0.0/8')] })).to.be.undefined;
  });

  const kinds: readonly (readonly [what: string, entity: DisplacedEntity, node: Omit<BriefNode, 'nodeName'>])[] = [
    ['neighbour', hostNeighbour('192.0.2.9'), { neighbours: [{ device: 'br-blue', address: '192.0.2.9' }] }],
    ['proxy entry', hostProxy('192.0.2.9'), { neighbourProxies: [{ device: 'br-blue', address: '192.0.2.9' }] }],
    ['next hop object', hostNextHopObject(5), { nextHopObjects: [{ id: 5 }] }],
    [
      'route of another table',
      hostRoute('10.0.0.0/8', { table: 77 }),
      { routes: [route('10.0.0.0/8', { table: 77 })] },
    ],
  ];
  for (const [what, thing, node] of kinds) {
    it(`keeps its entry if it is a ${what}, whose place never changed`, () => {
      const links = devices('blue');
      expect(settledMember(displaced(thing), { ...node, links })).to.deep.equal(displaced(thing, 'placed'));
      expect(settledMember(displaced(thing), { links }), 'while it is away').to.deep.equal(displaced(thing));
    });
  }

  it('loses its entry if it is out of several devices, as it may be lost with any of them', () => {
    const nextHops = [{ device: 'br-blue' }, { device: 'br-red' }];
    const shared: readonly (readonly [DisplacedEntity, Omit<BriefNode, 'nodeName'>])[] = [
      [
        hostNextHopObject(9, { group: [{ id: 5, weight: 1 }] }),
        { nextHopObjects: [{ id: 9, group: [{ id: 5, weight: 1 }] }] },
      ],
      [hostRoute('10.0.0.0/8', { nextHops }), { routes: [route('10.0.0.0/8', { nextHops })] }],
    ];
    for (const [thing, node] of shared) {
      expect(settledMember(displaced(thing), { ...node, links: devices('blue') }), thing.kind).to.be.undefined;
    }
  });
});

describe('an entity with a lifetime', () => {
  const times: readonly (readonly [
    seconds: number,
    takenAt: number | undefined,
    uptime: number | undefined,
    left: boolean,
  ])[] = [
    [100, 1000, 1000, true],
    [100, 1000, 1099.9, true],
    [100, 1000, 1100, false],
    [100, 1000, 5000, false],
    [100, undefined, 5000, true],
    [100, 1000, undefined, true],
    [0, 1000, 1000, false],
  ];
  for (const [seconds, takenAt, uptime, left] of times) {
    it(`of ${seconds} s, read at ${takenAt ?? 'an unknown time'}, ${left ? 'is awaiting' : 'has ended'} at ${uptime ?? 'an unknown time'}`, () => {
      const time = takenAt === undefined ? {} : { takenAt };
      const clock = uptime === undefined ? {} : { uptimeSeconds: uptime };
      const entities = [
        hostAddress('2001:db8:b::6/64', { validSeconds: seconds, preferredSeconds: 0 }),
        hostRoute('2001:db8:9::/48', { expiresSeconds: seconds }),
      ];
      for (const entity of entities) {
        const entry = displaced(entity, 'awaiting', time);
        expect(settled(entry, clock)).to.equal(left ? entry : undefined);
      }
    });
  }

  it('has elapsed by a whole number of seconds, never negative', () => {
    const entry = displaced(hostRoute('10.0.0.0/8'), 'awaiting', { takenAt: 1000 });
    const at = (uptimeSeconds: number) => elapsedSeconds(entry, nodeWith({ uptimeSeconds }));
    expect([at(1000), at(1001.9), at(1002), at(900)]).to.deep.equal([0, 1, 2, 0]);
  });

  it('does not affect entities without one', () => {
    const entry = displaced(hostNeighbour('192.0.2.9'), 'awaiting', { takenAt: 0 });
    expect(settled(entry, { uptimeSeconds: 1e9 })).to.equal(entry);
  });
});

describe('a ledger', () => {
  it('without entries is unchanged', () => {
    const node = nodeWith();
    expect(settle(node)).to.equal(node.ledger);
  });

  it('keeps other fields', () => {
    const ledger = { ...emptyLedger, version: 9, unknown: [{ kind: 'vxlan' }], entries: [membership()] };
    const node: NodeSnapshot = { ...nodeWith(), ledger };
    expect(settle(node)).to.deep.equal({ ...ledger, entries: [] });
  });

  it('is the same after settling twice', () => {
    const entries = [membership(), displaced(hostRoute('10.0.0.0/8')), displaced(hostRoute('10.1.0.0/16'))];
    const node = nodeWith({ links: devices('blue'), routes: [route('10.1.0.0/16', { table: 1012 })], ledger: entries });
    const once = settle(node);
    expect(settle({ ...node, ledger: once })).to.deep.equal(once);
    expect(once.entries).to.have.length(3);
  });
});

describe('the key of an entry', () => {
  it('is unique among these', () => {
    const entries: readonly LedgerEntry[] = [
      { kind: 'unsigned-vrf', name: 'blue', table: 1012, network: 'n' },
      { kind: 'unsigned-vrf', name: 'red', table: 1012, network: 'n' },
      membership(),
      membership({ device: 'br-red' }),
      { kind: 'sysctl', device: 'd', name: 'x', before: '0', value: '1' },
      { kind: 'sysctl', device: 'd', name: 'y', before: '0', value: '1' },
      { kind: 'address', device: 'd', address: 'fd69::2', prefixLength: 128 },
      { kind: 'address', device: 'd', address: 'fd69::2', prefixLength: 64 },
      { kind: 'address', device: 'e', address: 'fd69::2', prefixLength: 128 },
      displaced(hostRoute('10.0.0.0/8')),
      displaced(hostRoute('10.0.0.0/8'), 'awaiting', { device: 'br-red' }),
      displaced(hostRoute('10.0.0.0/9')),
    ];
    expect(new Set(entries.map(entryKey)).size).to.equal(entries.length);
  });

  it('is the same for an entry that replaces another one', () => {
    expect(entryKey(membership({ vrf: 'corp', table: 500 }))).to.equal(entryKey(membership()));
    expect(entryKey(displaced(hostRoute('10.0.0.0/8'), 'placed', { takenAt: 5 }))).to.equal(
      entryKey(displaced(hostRoute('10.0.0.0/8'))),
    );
  });
});
