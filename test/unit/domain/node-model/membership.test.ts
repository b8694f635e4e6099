import { expect } from 'chai';
import { enslave, release } from '../../../../src/domain/node-model/membership.ts';
import type { NodeSnapshot } from '../../../../src/domain/snapshot/node-snapshot.ts';
import type { BriefNode } from '../../../../src/testing/brief-node.ts';
import { addressTexts, after, blue, device, kernelRoutes, nodeOf, red, refusalOf, routeTexts } from './words.ts';

const eth0 = device('eth0', ['192.0.2.6/24', '2001:db8::6/64']);
const eth1 = device('eth1', ['198.51.100.6/24', '2001:db8:1::6/64']);

/** The node after eth0 entered the VRF blue. */
function enslaved(brief: Partial<BriefNode> = {}): NodeSnapshot {
  return after(enslave(nodeOf({ links: [eth0, eth1, blue], ...brief }), 'eth0', 'blue'));
}

/** The node after eth0 entered the VRF blue and left it again. */
function released(brief: Partial<BriefNode> = {}): NodeSnapshot {
  return after(release(enslaved(brief), 'eth0'));
}

const keep = { 'net.ipv6.conf.eth0.keep_addr_on_down': '1' };

describe('a device that enters a VRF', () => {
  it('makes it a member', () => {
    expect(enslaved().links.find(({ name }) => name === 'eth0')?.master).to.equal('blue');
  });

  it('has the kernel’s own routes in the table of the VRF, and none elsewhere', () => {
    expect(kernelRoutes(enslaved(), 4, 'eth0')).to.deep.equal([
      '1001 192.0.2.0/24 dev eth0 src 192.0.2.6',
      '1001 broadcast 192.0.2.255/32 dev eth0 src 192.0.2.6',
      '1001 local 192.0.2.6/32 dev eth0 src 192.0.2.6',
    ]);
    expect(kernelRoutes(enslaved({ sysctls: keep }), 6, 'eth0')).to.deep.equal([
      '1001 2001:db8::/64 dev eth0 metric 256',
      '1001 fe80::/64 dev eth0 metric 256',
      '1001 local 2001:db8::6/128 dev eth0',
      '1001 local fe80::ff:fe00:1/128 dev eth0',
      '1001 multicast ff00::/8 dev eth0 metric 256',
    ]);
  });

  it('leaves every other device’s routes as they are', () => {
    const before = nodeOf({ links: [eth0, eth1, blue] });
    for (const family of [4, 6] as const) {
      expect(kernelRoutes(enslaved(), family, 'eth1')).to.deep.equal(kernelRoutes(before, family, 'eth1'));
    }
  });

  for (const table of [254, 1001, 100]) {
    it(`loses every route out of it in table ${table}`, () => {
      const nextHops = [{ device: 'eth0' }];
      const routes = ['10.0.0.0/8', '2001:db8:9::/48'].flatMap((destination) => [
        { destination, table, nextHops },
        { destination, table, metric: 5, nextHops: [{ device: 'eth0', gateway: '192.0.2.1' }] },
        { destination, table, metric: 6, protocol: '94', nextHops },
      ]);
      expect(routeTexts(enslaved({ routes }))).to.be.empty;
    });
  }

  it('leaves routes of its VRF without a next hop', () => {
    const routes = [{ destination: '0.0.0.0/0', type: 'unreachable', table: 1001, nextHops: [] }];
    expect(routeTexts(enslaved({ routes }))).to.deep.equal(['1001 unreachable 0.0.0.0/0']);
  });

  it('loses a route with several next hops only if all of them are out of it; a leg of another keeps it whole', () => {
    const through = (out: string, gateway: string) => ({ device: out, gateway });
    const routes = [
      { destination: '10.0.0.0/8', nextHops: [through('eth0', '192.0.2.1'), through('eth0', '192.0.2.2')] },
      { destination: '10.1.0.0/16', nextHops: [through('eth0', '192.0.2.1'), through('eth1', '198.51.100.1')] },
      { destination: 'fd00::/8', nextHops: [through('eth0', '2001:db8::1'), through('eth0', '2001:db8::2')] },
      { destination: 'fd01::/16', nextHops: [through('eth0', '2001:db8::1'), through('eth1', '2001:db8:1::1')] },
    ];
    expect(routeTexts(enslaved({ routes }))).to.deep.equal([
      'main 10.1.0.0/16 via 192.0.2.1 dev eth0 + via 198.51.100.1 dev eth1',
      'main fd01::/16 via 2001:db8::1 dev eth0 + via 2001:db8:1::1 dev eth1',
    ]);
  });

  it('removes the last live leg of a route from a device that is down', () => {
    const nextHops = [
      { device: 'eth0', gateway: '192.0.2.1' },
      { device: 'eth1', gateway: '198.51.100.1' },
    ];
    const down = { ...eth1, up: false };
    const node = enslaved({ links: [eth0, down, blue], routes: [{ destination: '10.0.0.0/8', nextHops }] });
    expect(routeTexts(node)).to.be.empty;
  });

  it('loses its nexthop objects, with the routes that use them; a group loses a member, and is removed with the last one', () => {
    const node = enslaved({
      nextHopObjects: [
        { id: 1, device: 'eth0', gateway: '192.0.2.1' },
        { id: 2, device: 'eth1', gateway: '198.51.100.1' },
        {
          id: 3,
          group: [
            { id: 1, weight: 3 },
            { id: 2, weight: 1 },
          ],
        },
        { id: 4, group: [{ id: 1, weight: 1 }] },
      ],
      routes: [1, 2, 3, 4].map((id) => ({ destination: `10.${id}.0.0/16`, nextHopObject: id, nextHops: [] })),
    });
    expect(node.nextHopObjects.map(({ id, group }) => [id, group])).to.deep.equal([
      [2, undefined],
      [3, [{ id: 2, weight: 1 }]],
    ]);
    expect(routeTexts(node)).to.deep.equal([
      'main 10.2.0.0/16 nhid 2',
      'main 10.3.0.0/16 nhid 3 via 198.51.100.1 dev eth1',
    ]);
  });

  it('loses its neighbours, permanent ones too', () => {
    const neighbours = [
      { device: 'eth0', address: '192.0.2.9' },
      { device: 'eth0', address: '2001:db8::9' },
      { device: 'eth0', address: '192.0.2.8', states: ['stale'] },
      { device: 'eth1', address: '198.51.100.9' },
    ];
    expect(enslaved({ neighbours }).neighbours.map(({ address }) => address)).to.deep.equal(['198.51.100.9']);
  });

  it('keeps its IPv4 addresses, also secondary and expiring ones', () => {
    const links = [
      {
        name: 'eth0',
        addresses: [
          { address: '192.0.2.6', prefixLength: 24 },
          { address: '192.0.2.7', prefixLength: 24, flags: ['secondary'] },
          { address: '192.0.2.8', prefixLength: 32, flags: ['dynamic'], validSeconds: 60 },
        ],
      },
      blue,
    ];
    expect(addressTexts(enslaved({ links }), 'eth0')).to.include.members([
      '192.0.2.6/24',
      '192.0.2.7/24 secondary',
      '192.0.2.8/32 dynamic',
    ]);
  });

  it('leaves routes of others with one of its addresses as their source', () => {
    const routes = [
      { destination: '10.0.0.0/8', preferredSource: '192.0.2.6', nextHops: [{ device: 'eth1' }] },
      { destination: 'fd00::/8', preferredSource: '2001:db8::6', nextHops: [{ device: 'eth1' }] },
    ];
    expect(routeTexts(enslaved({ routes }))).to.deep.equal([
      'main 10.0.0.0/8 dev eth1 src 192.0.2.6',
      'main fd00::/8 dev eth1 src 2001:db8::6',
    ]);
  });

  it('moves without a cycle into its present VRF', () => {
    const node = enslaved({ routes: [] });
    expect(enslave(node, 'eth0', 'blue')).to.deep.equal({ done: true, node });
  });

  it('leaves another VRF first', () => {
    const node = after(enslave(enslaved({ links: [eth0, blue, red] }), 'eth0', 'red'));
    expect(kernelRoutes(node, 4, 'eth0').map((text) => text.slice(0, 5))).to.deep.equal(['1002 ', '1002 ', '1002 ']);
  });

  it('leaves a bridge first', () => {
    const node = enslaved({ links: [{ ...eth0, master: 'br0' }, { name: 'br0', kind: 'bridge' }, blue] });
    expect(node.links[0]?.master).to.equal('blue');
  });
});

describe('a device that leaves a VRF', () => {
  it('has no master, and has the kernel’s own routes where it had them before', () => {
    const before = nodeOf({ links: [eth0, blue], sysctls: keep });
    const node = released({ links: [eth0, blue], sysctls: keep });
    expect(node.links[0]).not.to.have.property('master');
    for (const family of [4, 6] as const) {
      expect(kernelRoutes(node, family, 'eth0')).to.deep.equal(kernelRoutes(before, family, 'eth0'));
    }
  });

  it('is cycled again: routes out of it are removed in every table', () => {
    const inBlue = enslaved();
    const routes = [254, 1001].map((table) => ({
      family: 4 as const,
      table,
      destination: '10.0.0.0/8',
      metric: 0,
      type: 'unicast',
      protocol: 'static',
      nextHops: [{ device: 'eth0' }],
    }));
    const node = after(release({ ...inBlue, routes: [...inBlue.routes, ...routes] }, 'eth0'));
    expect(routeTexts(node)).to.be.empty;
  });

  it('is not cycled when it leaves a bridge, or nothing', () => {
    const nextHops = [{ device: 'eth0' }];
    const links = [
      { ...eth0, master: 'br0' },
      { name: 'br0', kind: 'bridge' },
    ];
    const node = nodeOf({ links, routes: [{ destination: '10.0.0.0/8', nextHops }] });
    const free = after(release(node, 'eth0'));
    expect(free.routes).to.equal(node.routes);
    expect(free.links[0]).not.to.have.property('master');
    expect(release(free, 'eth0')).to.deep.equal({ done: true, node: free });
  });
});

describe('a change of a membership is refused', () => {
  const links = [
    eth0,
    blue,
    red,
    { name: 'lo', type: 'loopback' },
    { name: 'br0', kind: 'bridge' },
    { name: 'dummy0', kind: 'dummy' },
  ];
  for (const [what, slave, master, reason] of [
    ['of a device that is not there', 'eth9', 'blue', 'Cannot find device'],
    ['into a device that is not there', 'eth0', 'green', 'Device does not exist'],
    ['into a bridge, which has slaves of its own kind', 'eth0', 'br0', 'is no VRF device'],
    ['into a device that takes no slaves', 'eth0', 'dummy0', 'is no VRF device'],
    ['of the loopback device', 'lo', 'blue', 'Can not enslave loopback device to a VRF'],
    ['of a VRF device', 'red', 'blue', 'Can not enslave an L3 master device to a VRF'],
  ] as const) {
    it(what, () => {
      expect(refusalOf(enslave(nodeOf({ links }), slave, master))).to.contain(reason);
    });
  }

  it('if a device to be released does not exist', () => {
    expect(refusalOf(release(nodeOf({ links }), 'eth9'))).to.contain('Cannot find device');
  });
});
