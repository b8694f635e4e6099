import { expect } from 'chai';
import { emptyLedger, type LedgerEntry } from '../../../../../src/domain/index.ts';
import { withAwaiting, withPlaced } from '../../../../../src/domain/entities/ownership/placed.ts';
import { withEntries, withoutEntries } from '../../../../../src/domain/entities/ownership/write-ledger.ts';
import {
  hostAddress,
  devices,
  displaced,
  membership,
  hostNeighbour,
  nodeWith,
  hostNextHopObject,
  hostRoute,
} from '../host-entities.ts';

const red = membership({ device: 'br-red', vrf: 'red' });
const unsigned: LedgerEntry = { kind: 'unsigned-vrf', name: 'blue', table: 1012, network: 'cluster_udn_blue' };
const ledger = { ...emptyLedger, version: 9, unknown: ['newer'], entries: [membership(), red] };

describe('adding entries to a ledger', () => {
  it('inserts them in the order of their keys', () => {
    expect(withEntries(ledger, [unsigned, displaced(hostRoute('10.0.0.0/8'))]).entries).to.deep.equal([
      displaced(hostRoute('10.0.0.0/8')),
      membership(),
      red,
      unsigned,
    ]);
  });

  it('replaces the one with the same key', () => {
    const other = membership({ vrf: 'corp', table: 500 });
    expect(withEntries(ledger, [other]).entries).to.deep.equal([other, red]);
  });

  it('keeps other entries, and is the same object if nothing is added', () => {
    expect(withEntries(ledger, [unsigned])).to.deep.include({ version: 9, unknown: ['newer'] });
    expect(withEntries(ledger, [])).to.equal(ledger);
  });
});

describe('removing entries from a ledger', () => {
  it('removes those that match', () => {
    const without = withoutEntries(ledger, (entry) => entry === red);
    expect(without).to.deep.equal({ ...ledger, entries: [membership()] });
  });

  it('is the same object if none matches', () => {
    expect(withoutEntries(ledger, () => false)).to.equal(ledger);
  });
});

describe('the ledger after an entity was restored', () => {
  const others = [
    displaced(hostRoute('10.9.0.0/16')),
    displaced(hostRoute('10.0.0.0/8'), 'awaiting', { device: 'br-red' }),
  ];
  const inside = (...entries: readonly LedgerEntry[]) =>
    nodeWith({ links: devices('blue'), ledger: [...entries, ...others, membership()] });
  const outside = (...entries: readonly LedgerEntry[]) => nodeWith({ ledger: [...entries, ...others, membership()] });
  const entry = displaced(hostRoute('10.0.0.0/8'));
  const inTable = hostRoute('10.0.0.0/8', { table: 1012 });

  it('has the entry as placed while the device is in a VRF', () => {
    expect(withPlaced(inside(entry), 'br-blue', inTable).entries).to.deep.equal([
      { ...entry, state: 'placed' },
      ...others,
      membership(),
    ]);
  });

  it('drops the entry if the entity is back in its former place', () => {
    expect(withPlaced(outside(entry), 'br-blue', hostRoute('10.0.0.0/8')).entries).to.deep.equal([
      ...others,
      membership(),
    ]);
  });

  it('has the entry as awaiting after the entity is taken back', () => {
    const placed = { ...entry, state: 'placed' as const };
    expect(withAwaiting(inside(placed), 'br-blue', inTable, entry.entity).entries).to.deep.equal([
      entry,
      ...others,
      membership(),
    ]);
  });

  it('has the entry again if it had been dropped', () => {
    expect(withAwaiting(outside(), 'br-blue', entry.entity, entry.entity).entries).to.deep.include(entry);
  });

  for (const [what, entity, alike] of [
    ['an address', hostAddress('192.0.2.6/24'), [hostAddress('192.0.2.6/32'), hostAddress('192.0.2.7/24')]],
    ['a neighbour', hostNeighbour('192.0.2.6'), [hostNeighbour('192.0.2.7'), hostAddress('192.0.2.6/32')]],
    [
      'a group of next hops',
      hostNextHopObject(9, { group: [{ id: 5, weight: 1 }] }),
      [
        hostNextHopObject(9, { group: [{ id: 6, weight: 1 }] }),
        hostNextHopObject(8, { group: [{ id: 5, weight: 1 }] }),
      ],
    ],
    [
      'a route',
      hostRoute('10.0.0.0/8'),
      [hostRoute('10.0.0.0/8', { metric: 5 }), hostRoute('10.0.0.0/9'), hostRoute('10.0.0.0/8', { table: 7 })],
    ],
  ] as const) {
    it(`drops the entry of ${what}, and keeps those of similar entities`, () => {
      const still = alike.map((other) => displaced(other));
      expect(withPlaced(outside(displaced(entity), ...still), 'br-blue', entity).entries).to.deep.equal([
        ...still,
        ...others,
        membership(),
      ]);
    });
  }

  it("marks every entry of equal routes of several tables that are merged in the VRF's table as placed", () => {
    const twice = [entry, displaced(inTable)];
    expect(withPlaced(inside(...twice), 'br-blue', inTable).entries).to.deep.equal([
      ...twice.map((each) => ({ ...each, state: 'placed' })),
      ...others,
      membership(),
    ]);
  });

  it('is unchanged without an entry of the entity', () => {
    const node = inside();
    expect(withPlaced(node, 'br-blue', inTable)).to.deep.equal(node.ledger);
    expect(withPlaced(inside(entry), 'br-blue', hostRoute('10.0.0.0/8')), 'in another place').to.deep.equal(
      inside(entry).ledger,
    );
  });
});
