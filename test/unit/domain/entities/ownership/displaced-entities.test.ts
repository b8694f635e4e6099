import { expect } from 'chai';
import { displacedKey } from '../../../../../src/domain/entities/displaceable.ts';
import {
  originsOn,
  placeIn,
  presenceIn,
  tableOfMaster,
} from '../../../../../src/domain/entities/ownership/displaced-entities.ts';
import type { Displaced, DisplacedEntity } from '../../../../../src/domain/snapshot/ledger.ts';
import {
  hostAddress,
  devices,
  displaced,
  hostNeighbour,
  nodeWith,
  hostNextHopObject,
  hostProxy,
  route,
  hostRoute,
} from '../host-entities.ts';

/** Where entities are outside of a VRF, and in one with table 1012. */
const places: readonly (readonly [what: string, outside: DisplacedEntity, inside: DisplacedEntity])[] = [
  ['a route of main', hostRoute('10.0.0.0/8'), hostRoute('10.0.0.0/8', { table: 1012 })],
  ['a route of another table', hostRoute('10.0.0.0/8', { table: 77 }), hostRoute('10.0.0.0/8', { table: 77 })],
  [
    'a route of a table by its name',
    hostRoute('10.0.0.0/8', { table: 'isp' }),
    hostRoute('10.0.0.0/8', { table: 'isp' }),
  ],
  [
    'a route of a VLAN device that is stacked on it',
    hostRoute('10.0.0.0/8', { nextHops: [{ device: 'br-blue.7' }] }),
    hostRoute('10.0.0.0/8', { nextHops: [{ device: 'br-blue.7' }] }),
  ],
  ['an address', hostAddress('2001:db8:b::6/64'), hostAddress('2001:db8:b::6/64')],
  ['a neighbour', hostNeighbour('192.0.2.9'), hostNeighbour('192.0.2.9')],
  ['a next hop object', hostNextHopObject(5), hostNextHopObject(5)],
];

describe('the place of an entity while its device is in a VRF', () => {
  for (const [what, outside, inside] of places) {
    const moves = outside !== inside && displacedKey(outside) !== displacedKey(inside);
    it(`${moves ? "is the VRF's table" : 'is unchanged'} for ${what}`, () => {
      expect(placeIn(outside, 'br-blue', 1012)).to.deep.equal(inside);
    });
  }

  it('is unchanged for everything while the device is in no VRF', () => {
    for (const [, outside] of places) expect(placeIn(outside, 'br-blue', undefined)).to.deep.equal(outside);
  });
});

describe('the place that an entity on a device in a VRF came from', () => {
  const originOf = (
    entity: DisplacedEntity,
    device: string,
    vrfTable: number | undefined,
    known: readonly Displaced[],
  ) => originsOn(device, vrfTable, known)(entity)[0];

  for (const [what, outside, inside] of places) {
    it(`is found for ${what}`, () => {
      expect(originOf(inside, 'br-blue', 1012, [displaced(outside, 'placed')])).to.deep.equal(outside);
    });
  }

  it("is main for a route that was added to the VRF's table later", () => {
    expect(originOf(hostRoute('10.0.0.0/8', { table: 1012 }), 'br-blue', 1012, [])).to.deep.equal(
      hostRoute('10.0.0.0/8'),
    );
  });

  it("is the VRF's table for a route that was there before", () => {
    const before = hostRoute('10.0.0.0/8', { table: 1012 });
    expect(originOf(before, 'br-blue', 1012, [displaced(before, 'placed')])).to.deep.equal(before);
  });

  it('is found by the present content: a route that was changed has no record', () => {
    const moved = displaced(hostRoute('10.0.0.0/8', { table: 77 }), 'placed');
    const changed = hostRoute('10.0.0.0/8', { table: 1012, nextHops: [{ device: 'br-blue', gateway: '192.0.2.9' }] });
    expect(originOf(changed, 'br-blue', 1012, [moved])).to.deep.equal(
      hostRoute('10.0.0.0/8', { nextHops: [{ device: 'br-blue', gateway: '192.0.2.9' }] }),
    );
  });

  it("is the VRF's table for a route of a stacked device that was added there", () => {
    const stacked = hostRoute('10.0.0.0/8', { table: 1012, nextHops: [{ device: 'br-blue.7' }] });
    expect(originOf(stacked, 'br-blue', 1012, [])).to.deep.equal(stacked);
  });

  it('is its present place while the device is in no VRF', () => {
    const found = hostRoute('10.0.0.0/8', { table: 1012 });
    expect(originOf(found, 'br-blue', undefined, [])).to.deep.equal(found);
  });

  it('keeps later changes of the entity', () => {
    const found = hostRoute('10.0.0.0/8', { table: 1012, metrics: { mtu: 1300 } });
    expect(originOf(found, 'br-blue', 1012, [displaced(hostRoute('10.0.0.0/8'), 'placed')])).to.deep.equal(
      hostRoute('10.0.0.0/8', { metrics: { mtu: 1300 } }),
    );
  });
});

describe('the table of the VRF that a device is in', () => {
  const tableOf = (master?: string) => {
    const { links } = nodeWith({ links: [...devices(master), { name: 'bond0', kind: 'bond' }] });
    const linkOf = (name: string) => links.find((link) => link.name === name);
    return tableOfMaster(linkOf('br-blue'), linkOf);
  };

  it('is that of the VRF', () => {
    expect(tableOf('blue')).to.equal(1012);
    expect(tableOf('corp')).to.equal(500);
  });

  it('is none for a device in no VRF, in a missing one, or in another kind of device', () => {
    expect(tableOf()).to.be.undefined;
    expect(tableOf('gone')).to.be.undefined;
    expect(tableOf('bond0')).to.be.undefined;
    expect(tableOfMaster(undefined, () => undefined)).to.be.undefined;
  });
});

describe('presence on a node', () => {
  const isThere = presenceIn(
    nodeWith({
      links: [{ name: 'br-blue', addresses: [{ address: '192.0.2.6', prefixLength: 24 }] }],
      routes: [route('10.0.0.0/8')],
      neighbours: [
        { device: 'br-blue', address: '192.0.2.9' },
        { device: 'br-blue', address: '192.0.2.8', states: ['stale'] },
        { device: 'br-blue', address: '192.0.2.7', macAddress: '02:00:00:00:00:99', states: ['noarp'] },
        { device: 'br-blue', address: '192.0.2.6', macAddress: '02:00:00:00:00:01', states: ['noarp'] },
      ],
      neighbourProxies: [{ device: 'br-blue', address: '192.0.2.5' }],
      nextHopObjects: [{ id: 5, device: 'br-blue' }],
    }),
  );

  it('is decided by the keys of entities', () => {
    expect(isThere(hostAddress('192.0.2.6/24', { validSeconds: 5 }))).to.be.true;
    expect(isThere(hostAddress('192.0.2.7/24'))).to.be.false;
    expect(isThere(hostRoute('10.0.0.0/8', { protocol: 'boot' }))).to.be.true;
    expect(isThere(hostRoute('10.0.0.0/8', { table: 1012 }))).to.be.false;
    expect(isThere(hostNextHopObject(5))).to.be.true;
    expect(isThere(hostNextHopObject(6))).to.be.false;
  });

  it('of a neighbour requires that it is configured and permanent', () => {
    expect(isThere(hostNeighbour('192.0.2.9'))).to.be.true;
    expect(isThere(hostNeighbour('192.0.2.8'))).to.be.false;
    expect(isThere(hostNeighbour('192.0.2.7'))).to.be.true;
    expect(isThere(hostNeighbour('192.0.2.6')), 'the kernel’s').to.be.false;
  });

  it('tells neighbours and proxy entries apart', () => {
    expect(isThere(hostProxy('192.0.2.5'))).to.be.true;
    expect(isThere(hostProxy('192.0.2.9'))).to.be.false;
    expect(isThere(hostNeighbour('192.0.2.5'))).to.be.false;
  });
});
