import { expect } from 'chai';
import { addRoute } from '../../../../../src/domain/node-model/route.ts';
import type { Route } from '../../../../../src/domain/snapshot/node-snapshot.ts';
import { route, routingNode } from '../routing-node.ts';
import { address, after, device, refusalOf, routeText } from '../words.ts';

const node = routingNode();
const through = (gateway: string, out?: string) => [{ gateway, ...(out !== undefined && { device: out }) }];
const out = (name: string) => [{ device: name }];

function added(wanted: Partial<Route>): Route | undefined {
  return after(addRoute(node, route('fd20::/64', wanted))).routes.at(-1);
}

describe('an IPv6 route that is added', () => {
  for (const [what, wanted, text] of [
    [
      'by a gateway on a link',
      { nextHops: through('fd00::9', 'eth0') },
      'main fd20::/64 via fd00::9 dev eth0 metric 1024',
    ],
    [
      'by a gateway alone: the device is found',
      { nextHops: through('fd00:0::9') },
      'main fd20::/64 via fd00::9 dev eth0 metric 1024',
    ],
    [
      'in main by a gateway in a VRF, whose device leads there by the rules',
      { nextHops: through('fd01::9', 'eth1') },
      'main fd20::/64 via fd01::9 dev eth1 metric 1024',
    ],
    [
      'in a VRF’s table by a gateway in that table',
      { table: 1001, nextHops: through('fd01::9') },
      '1001 fd20::/64 via fd01::9 dev eth1 metric 1024',
    ],
    [
      'in a VRF’s table by a gateway outside of the VRF',
      { table: 1001, nextHops: through('fd00::9', 'eth0') },
      '1001 fd20::/64 via fd00::9 dev eth0 metric 1024',
    ],
    [
      'by a link-local gateway, which is on every link',
      { nextHops: through('fe80::9', 'eth0') },
      'main fd20::/64 via fe80::9 dev eth0 metric 1024',
    ],
    [
      'by a link-local gateway with an address of the VRF device as its source',
      { table: 1001, preferredSource: 'fd69:0::2', nextHops: through('fe80::9', 'eth1') },
      '1001 fd20::/64 via fe80::9 dev eth1 src fd69::2 metric 1024',
    ],
    [
      'by an on-link gateway in no subnet at all, even in a masquerade subnet',
      { table: 1001, nextHops: [{ gateway: 'fd69::4', device: 'eth1', onlink: true }] },
      '1001 fd20::/64 via fd69::4 dev eth1 onlink metric 1024',
    ],
    [
      'by an on-link gateway that is on the link anyway',
      { nextHops: [{ gateway: 'fd00::9', device: 'eth0', onlink: true }] },
      'main fd20::/64 via fd00::9 dev eth0 onlink metric 1024',
    ],
    ['out of a device', { nextHops: out('eth0'), metric: 7 }, 'main fd20::/64 dev eth0 metric 7'],
    [
      'out of a device, on-link',
      { nextHops: [{ device: 'eth0', onlink: true }] },
      'main fd20::/64 dev eth0 onlink metric 1024',
    ],
    ['that leads nowhere', { type: 'unreachable' }, 'main unreachable fd20::/64 metric 1024'],
    [
      'that leads nowhere, and a device means nothing there',
      { type: 'unreachable', table: 1001, preferredSource: 'fd00::1', nextHops: out('eth0') },
      '1001 unreachable fd20::/64 src fd00::1 metric 1024',
    ],
    [
      'with several next hops and their weights',
      { nextHops: [...through('fd00::9'), { gateway: 'fd00::8', device: 'eth0', weight: 3 }] },
      'main fd20::/64 via fd00::9 dev eth0 + via fd00::8 dev eth0 weight 3 metric 1024',
    ],
    [
      'by a next hop object',
      { nextHopObject: 2, nextHops: [] },
      'main fd20::/64 nhid 2 via fd00::9 dev eth0 metric 1024',
    ],
    [
      'with bits behind its prefix',
      { destination: 'fd20::5/64', nextHops: out('eth0') },
      'main fd20::/64 dev eth0 metric 1024',
    ],
  ] satisfies readonly (readonly [string, Partial<Route>, string])[]) {
    it(`is accepted ${what}`, () => {
      const taken = added(wanted);
      expect(taken && routeText(taken)).to.equal(text);
    });
  }

  for (const [what, wanted, reason] of [
    ['by a gateway that only a VRF reaches, without a device', { nextHops: through('fd01::9') }, 'No route to host'],
    ['by a gateway that is on another link', { nextHops: through('fd00::9', 'eth3') }, 'No route to host'],
    ['by a gateway behind another gateway', { nextHops: through('fd30::9', 'eth0') }, 'No route to host'],
    ['by a gateway in no subnet', { table: 1001, nextHops: through('fd69::4', 'eth1') }, 'No route to host'],
    ['out of a VRF device by a gateway behind it', { nextHops: through('fd01::9', 'blue') }, 'No route to host'],
    ['by an address of its own', { nextHops: through('fd00::1', 'eth0') }, 'can not be a local address'],
    [
      'by an address of its own, found without a device',
      { nextHops: through('fd00::1') },
      'can not be a local address',
    ],
    [
      'by an address of its own on another device of the routing domain',
      { nextHops: through('fd03::1', 'eth0') },
      'can not be a local address',
    ],
    [
      'by an on-link gateway that is known to be elsewhere',
      { nextHops: [{ gateway: 'fd03::9', device: 'eth0', onlink: true }] },
      'device mismatch',
    ],
    ['by a multicast address', { nextHops: through('ff02::1', 'eth0') }, 'Invalid gateway'],
    ['by a link-local gateway without a device', { nextHops: through('fe80::9') }, 'Egress device not specified'],
    ['by a gateway out of loopback', { nextHops: through('fe80::9', 'lo') }, 'can not be loopback'],
    ['out of a device that is down', { nextHops: out('eth2') }, 'not up'],
    [
      'by an on-link gateway out of a device that is down',
      { nextHops: [{ gateway: 'fe80::9', device: 'eth2', onlink: true }] },
      'not up',
    ],
    ['out of a device that is not there', { nextHops: out('eth9') }, 'Cannot find device'],
    ['without a next hop', {}, 'No such device'],
    ['for a type of service', { typeOfService: '0x10', nextHops: out('eth0') }, 'not available for IPv6'],
    ['to what is no subnet', { family: 6, destination: 'fd20::/129', nextHops: out('eth0') }, 'Invalid prefix length'],
    [
      'with several next hops of which one has no gateway',
      { nextHops: [...through('fd00::9', 'eth0'), ...out('eth0')] },
      'Device only routes',
    ],
    ['by an object that is not there', { nextHopObject: 9 }, 'Nexthop id does not exist'],
    ['by an object of IPv4', { nextHopObject: 1 }, 'IPv4 nexthop'],
    ['by an object for packets from a subnet', { nextHopObject: 2, source: 'fd09::/64' }, 'source routing'],
    [
      'with an address of another routing domain as its source',
      { preferredSource: 'fd69::2', nextHops: through('fe80::9', 'eth0') },
      'Invalid source address',
    ],
    [
      'in a VRF’s table with an address from outside of the VRF as its source',
      { table: 1001, preferredSource: 'fd00::1', nextHops: out('eth1') },
      'Invalid source address',
    ],
    [
      'that leads nowhere, with an address of a VRF as its source',
      { table: 1001, type: 'unreachable', preferredSource: 'fd69::2' },
      'Invalid source address',
    ],
  ] satisfies readonly (readonly [string, Partial<Route>, string])[]) {
    it(`is refused ${what}`, () => {
      const change = addRoute(node, route('fd20::/64', wanted));
      expect(refusalOf(change)).to.contain(reason);
      expect(change).not.to.have.property('exists');
    });
  }

  it('is refused as existing with the same next hop twice', () => {
    const wanted = route('fd20::/64', { nextHops: [...through('fd00::9', 'eth0'), ...through('fd00::9', 'eth0')] });
    expect(addRoute(node, wanted)).to.include({ done: false, exists: true });
  });

  it('may have another device’s link-local address as its gateway, and may not have its own', () => {
    const wanted = (name: string) => route('fd20::/64', { nextHops: through('fe80::ff:fe00:1', name) });
    expect(addRoute(node, wanted('eth3'))).to.include({ done: true });
    expect(refusalOf(addRoute(node, wanted('eth0')))).to.contain('local address');
  });

  it('may not have a tentative address as its source', () => {
    const eth0 = device('eth0', [], { operationalState: 'lowerlayerdown', addresses: [address('fd00::1/64')] });
    const wanted = route('fd20::/64', { preferredSource: 'fd00::1', nextHops: out('eth0') });
    expect(refusalOf(addRoute(routingNode({ links: [eth0] }), wanted))).to.contain('Invalid source address');
  });

  it('is not reachable by a route that has expired and is not removed yet', () => {
    const routes = [{ destination: 'fd09::/64', nextHops: out('eth0') }];
    const wanted = route('fd20::/64', { nextHops: through('fd09::9', 'eth0') });
    expect(addRoute(routingNode({ routes }), wanted)).to.include({ done: true });
    const ended = routes.map((way) => ({ ...way, expiresSeconds: 0 }));
    expect(refusalOf(addRoute(routingNode({ routes: ended }), wanted))).to.contain('No route to host');
  });

  it('needs a device that has IPv6', () => {
    const off = routingNode({ sysctls: { 'net.ipv6.conf.eth0.disable_ipv6': '1' } });
    expect(refusalOf(addRoute(off, route('fd20::/64', { nextHops: out('eth0') })))).to.contain('IPv6 is disabled');
  });

  it('has no scope; one without a next hop has no preference and no lifetime either', () => {
    const wanted = { scope: 'link', preference: 'high', expiresSeconds: 9 };
    expect(added({ ...wanted, nextHops: out('eth0') })).to.include({ preference: 'high', expiresSeconds: 9 });
    const nowhere = added({ ...wanted, type: 'unreachable' });
    for (const name of Object.keys(wanted)) expect(nowhere).not.to.have.property(name);
  });

  it('is of protocol boot by default', () => {
    expect(added({ protocol: 'unspec', nextHops: out('eth0') })?.protocol).to.equal('boot');
  });

  it('is identified by table, destination, metric and source subnet; a metric of 0 is 1024', () => {
    const first = route('fd20::/64', { nextHops: out('eth0') });
    const there = after(addRoute(node, first));
    for (const more of [{ table: 100 }, { metric: 5 }, { destination: 'fd20::/65' }, { source: 'fd09::/64' }]) {
      expect(addRoute(there, { ...first, ...more })).to.include({ done: true });
    }
    for (const more of [{ protocol: '94' }, { metric: 1024 }, { nextHops: out('eth3') }, { type: 'unreachable' }]) {
      expect(addRoute(there, { ...first, ...more })).to.include({ done: false, exists: true });
    }
  });
});
