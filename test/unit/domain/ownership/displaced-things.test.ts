import { expect } from 'chai';
import type { Route } from '../../../../src/domain/index.ts';
import {
  deviceOf,
  isPutBack,
  nextHopsKey,
  originsOn,
  placeIn,
  presenceIn,
  routeKey,
  displacedKey,
  vrfTableOf,
} from '../../../../src/domain/ownership/displaced-things.ts';
import type { Displaced, DisplacedEntity } from '../../../../src/domain/snapshot/ledger.ts';
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
} from '../entities/host-entities.ts';

describe('what is put back', () => {
  const protocols: readonly (readonly [protocols: readonly string[], putBack: boolean, why: string])[] = [
    [
      ['static', '4', 'boot', '3', 'unspec', '0', 'gated', '8', 'dhcp', '16', 'keepalived', '18', '99', '250'],
      true,
      'an administrator, or a program that asks once, made it',
    ],
    [['kernel', '2'], true, 'what the kernel makes again is not lost, so somebody said so of his own'],
    [['redirect', '1'], false, 'the kernel learns it again'],
    [['ra', '9'], false, 'the next router advertisement brings it'],
    [['zebra', '11'], false, 'its daemon does'],
    [['babel', '42'], false, 'its daemon does'],
    [['ovn', '84'], false, 'its daemon does'],
    [['ovn-kubernetes', 'ovnk', '85'], false, 'OVN-Kubernetes does'],
    [['bgp', '186'], false, 'its daemon does'],
    [['isis', '187'], false, 'its daemon does'],
    [['ospf', '188'], false, 'its daemon does'],
    [['rip', '189'], false, 'its daemon does'],
    [['eigrp', '192'], false, 'its daemon does'],
    [['94'], false, 'it is ours and made anew'],
  ];
  for (const [names, putBack, why] of protocols) {
    for (const protocol of names) {
      it(`${putBack ? 'is' : 'is not'} a route or next hop object of protocol ${protocol}: ${why}`, () => {
        expect(isPutBack(hostRoute('10.0.0.0/8', { protocol }))).to.equal(putBack);
        expect(isPutBack(hostNextHopObject(5, { protocol }))).to.equal(putBack);
      });
    }
  }

  it('is not a route to a prefix that a router advertises', () => {
    expect(isPutBack(hostRoute('2001:db8:b::/64', { protocol: 'kernel', expiresSeconds: 600 }))).to.be.false;
    expect(isPutBack(hostRoute('2001:db8:b::/64', { protocol: 'static', expiresSeconds: 600 }))).to.be.true;
  });

  it('is an address, but not one that the kernel derives', () => {
    expect(isPutBack(hostAddress('2001:db8:b::6/64', { flags: ['dynamic', 'mngtmpaddr'] }))).to.be.true;
    expect(isPutBack(hostAddress('2001:db8:b::6/64', { flags: ['dynamic', 'temporary'] }))).to.be.false;
  });

  it('is a neighbour, but not ours, and not one that a daemon told the kernel', () => {
    const neighbour = { device: 'br-blue', address: '192.0.2.9', states: ['permanent'] };
    expect(isPutBack({ kind: 'neighbour', neighbour })).to.be.true;
    expect(isPutBack({ kind: 'neighbour', neighbour: { ...neighbour, protocol: 'static' } })).to.be.true;
    expect(isPutBack({ kind: 'neighbour', neighbour: { ...neighbour, protocol: '94' } })).to.be.false;
    const learned = { ...neighbour, states: ['permanent', 'extern_learn'] };
    expect(isPutBack({ kind: 'neighbour', neighbour: learned })).to.be.false;
  });

  it('is every proxy entry: we make none', () => {
    expect(isPutBack(hostProxy('192.0.2.9'))).to.be.true;
  });
});

describe('two routes are one to the kernel', () => {
  const one = route('10.0.0.0/8', { table: 7, metric: 5, source: '10.1.0.0/16', typeOfService: '0x10' });

  for (const other of [
    { protocol: 'boot' },
    { type: 'unreachable' },
    { nextHops: [] },
    { preferredSource: '192.0.2.6' },
  ] as readonly Partial<Route>[]) {
    it(`where only ${Object.keys(other).join()} differs`, () => {
      expect(routeKey({ ...one, ...other })).to.equal(routeKey(one));
    });
  }

  for (const other of [
    { family: 6 },
    { table: 8 },
    { destination: '10.0.0.0/9' },
    { metric: 6 },
    { source: '10.1.0.0/17' },
    { typeOfService: '0x08' },
  ] as readonly Partial<Route>[]) {
    it(`but not where ${Object.keys(other).join()} differs`, () => {
      expect(routeKey({ ...one, ...other })).not.to.equal(routeKey(one));
    });
  }
});

describe('two lists of next hops lead the same ways', () => {
  const first = { device: 'br-blue', gateway: '192.0.2.1' };
  const second = { device: 'br-blue', gateway: '192.0.2.2', weight: 5, onlink: true as const };

  it('in whatever order', () => {
    expect(nextHopsKey({ nextHops: [second, first] })).to.equal(nextHopsKey({ nextHops: [first, second] }));
  });

  it('with the weight that is usual said or not', () => {
    expect(nextHopsKey({ nextHops: [{ ...first, weight: 1 }] })).to.equal(nextHopsKey({ nextHops: [first] }));
  });

  it('by the same object, whatever it leads to', () => {
    expect(nextHopsKey({ nextHops: [first], nextHopObject: 5 })).to.equal(
      nextHopsKey({ nextHops: [second], nextHopObject: 5 }),
    );
  });

  const others = [
    [second],
    [{ ...first, device: 'eth9' }],
    [{ ...first, gateway: '192.0.2.9' }],
    [{ ...first, weight: 2 }],
    [{ ...first, onlink: true as const }],
    [first, first],
    [],
  ];
  for (const nextHops of others) {
    it(`but not ${JSON.stringify(nextHops)} and ${JSON.stringify([first])}`, () => {
      expect(nextHopsKey({ nextHops })).not.to.equal(nextHopsKey({ nextHops: [first] }));
    });
  }

  it('but not by another object', () => {
    expect(nextHopsKey({ nextHops: [first], nextHopObject: 5 })).not.to.equal(
      nextHopsKey({ nextHops: [first], nextHopObject: 6 }),
    );
  });
});

describe('the key of an entity', () => {
  it('tells each of these from all others', () => {
    const entities: readonly DisplacedEntity[] = [
      hostRoute('10.0.0.0/8'),
      hostRoute('10.0.0.0/8', { table: 7 }),
      hostRoute('10.0.0.0/8', { nextHops: [{ device: 'eth9' }] }),
      hostAddress('192.0.2.6/24'),
      hostAddress('192.0.2.6/25'),
      hostAddress('192.0.2.7/24'),
      hostAddress('192.0.2.6/24', {}, 'eth9'),
      hostNeighbour('192.0.2.6'),
      hostNeighbour('192.0.2.6', 'eth9'),
      hostNextHopObject(5),
      hostNextHopObject(6),
      hostNextHopObject(5, { group: [{ id: 1, weight: 1 }] }),
      hostNextHopObject(5, {
        group: [
          { id: 1, weight: 1 },
          { id: 2, weight: 1 },
        ],
      }),
    ];
    expect(new Set(entities.map(displacedKey)).size).to.equal(entities.length);
  });

  it('says nothing of what may change', () => {
    expect(displacedKey(hostAddress('192.0.2.6/24', { validSeconds: 5, flags: ['dynamic'] }))).to.equal(
      displacedKey(hostAddress('192.0.2.6/24')),
    );
    expect(displacedKey(hostRoute('10.0.0.0/8', { expiresSeconds: 5 }))).to.equal(displacedKey(hostRoute('10.0.0.0/8')));
  });
});

describe('the device that an entity is on', () => {
  it('is known but for groups', () => {
    expect(deviceOf(hostRoute('10.0.0.0/8'))).to.equal('br-blue');
    expect(deviceOf(hostRoute('10.0.0.0/8', { nextHops: [{ gateway: '192.0.2.1' }, { device: 'eth9' }] }))).to.equal(
      'eth9',
    );
    expect(deviceOf(hostRoute('10.0.0.0/8', { nextHops: [] }))).to.be.undefined;
    expect(deviceOf(hostAddress('192.0.2.6/24'))).to.equal('br-blue');
    expect(deviceOf(hostNeighbour('192.0.2.6'))).to.equal('br-blue');
    expect(deviceOf(hostProxy('192.0.2.6', 'eth9'))).to.equal('eth9');
    expect(deviceOf(hostNextHopObject(5))).to.equal('br-blue');
    expect(deviceOf({ kind: 'next-hop-object', object: { id: 9, protocol: 'static', group: [] } })).to.be.undefined;
  });
});

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
    it(`${moves ? "is the VRF's table" : 'is where it was'} for ${what}`, () => {
      expect(placeIn(outside, 'br-blue', 1012)).to.deep.equal(inside);
    });
  }

  it('is where it was for everything while the device is in no VRF', () => {
    for (const [, outside] of places) expect(placeIn(outside, 'br-blue', undefined)).to.deep.equal(outside);
  });
});

describe('the place that an entity on a device in a VRF came from', () => {
  const originOf = (entity: DisplacedEntity, device: string, vrfTable: number | undefined, known: readonly Displaced[]) =>
    originsOn(device, vrfTable, known)(entity)[0];

  for (const [what, outside, inside] of places) {
    it(`is found again for ${what}`, () => {
      expect(originOf(inside, 'br-blue', 1012, [displaced(outside, 'placed')])).to.deep.equal(outside);
    });
  }

  it("is main for a route that came to the VRF's table later", () => {
    expect(originOf(hostRoute('10.0.0.0/8', { table: 1012 }), 'br-blue', 1012, [])).to.deep.equal(
      hostRoute('10.0.0.0/8'),
    );
  });

  it("is the VRF's table for a route that had been there before", () => {
    const before = hostRoute('10.0.0.0/8', { table: 1012 });
    expect(originOf(before, 'br-blue', 1012, [displaced(before, 'placed')])).to.deep.equal(before);
  });

  it('is found by what is there now: of a route that was changed since, nothing is known', () => {
    const moved = displaced(hostRoute('10.0.0.0/8', { table: 77 }), 'placed');
    const changed = hostRoute('10.0.0.0/8', { table: 1012, nextHops: [{ device: 'br-blue', gateway: '192.0.2.9' }] });
    expect(originOf(changed, 'br-blue', 1012, [moved])).to.deep.equal(
      hostRoute('10.0.0.0/8', { nextHops: [{ device: 'br-blue', gateway: '192.0.2.9' }] }),
    );
  });

  it("is the VRF's table for a route of a stacked device that stands there of its own", () => {
    const stacked = hostRoute('10.0.0.0/8', { table: 1012, nextHops: [{ device: 'br-blue.7' }] });
    expect(originOf(stacked, 'br-blue', 1012, [])).to.deep.equal(stacked);
  });

  it('is where it is while the device is in no VRF', () => {
    const found = hostRoute('10.0.0.0/8', { table: 1012 });
    expect(originOf(found, 'br-blue', undefined, [])).to.deep.equal(found);
  });

  it('keeps what has become of the entity since', () => {
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
    return vrfTableOf(linkOf('br-blue'), linkOf);
  };

  it("is the VRF's", () => {
    expect(tableOf('blue')).to.equal(1012);
    expect(tableOf('corp')).to.equal(500);
  });

  it('is none for a device in no VRF, in none that is there, or in something else', () => {
    expect(tableOf()).to.be.undefined;
    expect(tableOf('gone')).to.be.undefined;
    expect(tableOf('bond0')).to.be.undefined;
    expect(vrfTableOf(undefined, () => undefined)).to.be.undefined;
  });
});

describe('what a node has already', () => {
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

  it('is told by the keys of entities', () => {
    expect(isThere(hostAddress('192.0.2.6/24', { validSeconds: 5 }))).to.be.true;
    expect(isThere(hostAddress('192.0.2.7/24'))).to.be.false;
    expect(isThere(hostRoute('10.0.0.0/8', { protocol: 'boot' }))).to.be.true;
    expect(isThere(hostRoute('10.0.0.0/8', { table: 1012 }))).to.be.false;
    expect(isThere(hostNextHopObject(5))).to.be.true;
    expect(isThere(hostNextHopObject(6))).to.be.false;
  });

  it('is a neighbour only where it is of somebody’s making, and lasts', () => {
    expect(isThere(hostNeighbour('192.0.2.9'))).to.be.true;
    expect(isThere(hostNeighbour('192.0.2.8'))).to.be.false;
    expect(isThere(hostNeighbour('192.0.2.7'))).to.be.true;
    expect(isThere(hostNeighbour('192.0.2.6')), 'the kernel’s').to.be.false;
  });

  it('is not a proxy entry where there is a neighbour, nor the other way round', () => {
    expect(isThere(hostProxy('192.0.2.5'))).to.be.true;
    expect(isThere(hostProxy('192.0.2.9'))).to.be.false;
    expect(isThere(hostNeighbour('192.0.2.5'))).to.be.false;
  });
});
