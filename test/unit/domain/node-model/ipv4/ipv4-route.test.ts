import { expect } from 'chai';
import { addRoute } from '../../../../../src/domain/node-model/route.ts';
import type { Route } from '../../../../../src/domain/snapshot/node-snapshot.ts';
import { after, refusalOf, routeText } from '../words.ts';
import { route, routingNode } from '../routing-node.ts';

const node = routingNode();
const through = (gateway: string, device?: string) => [{ gateway, ...(device !== undefined && { device }) }];
const out = (device: string) => [{ device }];
const link = { scope: 'link' };

function added(wanted: Partial<Route>): Route | undefined {
  return after(addRoute(node, route('20.0.0.0/24', wanted))).routes.at(-1);
}

describe('an IPv4 route that is added', () => {
  for (const [what, wanted, text] of [
    ['by a gateway on a link', { nextHops: through('10.0.0.9', 'eth0') }, 'main 20.0.0.0/24 via 10.0.0.9 dev eth0'],
    [
      'by a gateway alone: the device is found',
      { nextHops: through('10.0.0.9') },
      'main 20.0.0.0/24 via 10.0.0.9 dev eth0',
    ],
    [
      'in main by a gateway in a VRF, whose device leads there by the rules',
      { nextHops: through('10.1.0.9', 'eth1') },
      'main 20.0.0.0/24 via 10.1.0.9 dev eth1',
    ],
    [
      'in main out of a VRF device: the device behind it is found',
      { nextHops: through('10.1.0.9', 'blue') },
      'main 20.0.0.0/24 via 10.1.0.9 dev eth1',
    ],
    [
      'in a VRF’s table by a gateway in that table',
      { table: 1001, nextHops: through('10.1.0.9') },
      '1001 20.0.0.0/24 via 10.1.0.9 dev eth1',
    ],
    [
      'in a VRF’s table by a gateway outside of the VRF',
      { table: 1001, nextHops: through('10.0.0.9') },
      '1001 20.0.0.0/24 via 10.0.0.9 dev eth0',
    ],
    [
      'by a gateway that is an address of the node’s own',
      { nextHops: through('10.0.0.1', 'eth0') },
      'main 20.0.0.0/24 via 10.0.0.1 dev eth0',
    ],
    [
      'by an on-link gateway in no subnet at all',
      { nextHops: [{ gateway: '169.254.0.4', device: 'eth0', onlink: true }] },
      'main 20.0.0.0/24 via 169.254.0.4 dev eth0 onlink',
    ],
    ['by an IPv6 gateway', { nextHops: through('fe80::9', 'eth0') }, 'main 20.0.0.0/24 via fe80::9 dev eth0'],
    ['out of a device', { ...link, nextHops: out('eth0') }, 'main 20.0.0.0/24 dev eth0'],
    ['that leads nowhere', { type: 'unreachable', metric: 7 }, 'main unreachable 20.0.0.0/24 metric 7'],
    [
      'that leads nowhere, with a source that is nobody’s',
      { type: 'unreachable', preferredSource: '10.9.9.9' },
      'main unreachable 20.0.0.0/24 src 10.9.9.9',
    ],
    [
      'with several next hops and their weights',
      { nextHops: [...through('10.0.0.9'), { gateway: '10.0.0.8', device: 'eth0', weight: 3 }] },
      'main 20.0.0.0/24 via 10.0.0.9 dev eth0 + via 10.0.0.8 dev eth0 weight 3',
    ],
    [
      'with a next hop whose weight means nothing, as it is the only one',
      { nextHops: [{ gateway: '10.0.0.9', device: 'eth0', weight: 3 }] },
      'main 20.0.0.0/24 via 10.0.0.9 dev eth0',
    ],
    ['by a next hop object', { nextHopObject: 1, nextHops: [] }, 'main 20.0.0.0/24 nhid 1 via 10.0.0.9 dev eth0'],
    ['by a blackhole object', { nextHopObject: 3, nextHops: [] }, 'main blackhole 20.0.0.0/24 nhid 3'],
    [
      'to a local address, out of a device that is down',
      { type: 'local', scope: 'host', table: 255, nextHops: out('eth2') },
      'local local 20.0.0.0/24 dev eth2',
    ],
    [
      'in a VRF’s table with an address of the VRF device as its source',
      { table: 1001, preferredSource: '169.254.0.2', ...link, nextHops: out('eth1') },
      '1001 20.0.0.0/24 dev eth1 src 169.254.0.2',
    ],
    [
      'in a VRF’s table with an address from outside of VRFs as its source',
      { table: 1001, preferredSource: '10.0.0.1', ...link, nextHops: out('eth1') },
      '1001 20.0.0.0/24 dev eth1 src 10.0.0.1',
    ],
  ] satisfies readonly (readonly [string, Partial<Route>, string])[]) {
    it(`is accepted ${what}`, () => {
      const taken = added(wanted);
      expect(taken && routeText(taken)).to.equal(text);
    });
  }

  for (const [what, wanted, reason] of [
    ['by a gateway that only a VRF reaches, without a device', { nextHops: through('10.1.0.9') }, 'invalid gateway'],
    ['by a gateway that is on another link', { nextHops: through('10.0.0.9', 'eth3') }, 'invalid gateway'],
    ['by a gateway behind another gateway', { nextHops: through('30.0.0.9', 'eth0') }, 'invalid gateway'],
    ['by a gateway that is in no subnet', { nextHops: through('169.254.0.4', 'eth0') }, 'invalid gateway'],
    ['by a broadcast address', { nextHops: through('10.0.0.255', 'eth0') }, 'invalid gateway'],
    [
      'by an on-link gateway that is the device’s own address',
      { nextHops: [{ gateway: '10.0.0.1', device: 'eth0', onlink: true }] },
      'invalid gateway',
    ],
    [
      'by an on-link multicast address',
      { nextHops: [{ gateway: '224.0.0.1', device: 'eth0', onlink: true }] },
      'invalid gateway',
    ],
    [
      'by an on-link gateway without a device',
      { nextHops: [{ gateway: '10.0.0.9', onlink: true }] },
      'device required',
    ],
    [
      'by an on-link gateway out of a device that is down',
      { nextHops: [{ gateway: '10.0.0.9', device: 'eth2', onlink: true }] },
      'not up',
    ],
    [
      'by an on-link gateway in scope link',
      { ...link, nextHops: [{ gateway: '10.0.0.9', device: 'eth0', onlink: true }] },
      'invalid scope',
    ],
    ['by a gateway in scope link, as that is no nearer', { ...link, nextHops: through('10.0.0.9') }, 'invalid gateway'],
    ['on-link without a gateway', { ...link, nextHops: [{ device: 'eth0', onlink: true }] }, 'ONLINK'],
    ['by an IPv6 gateway that is not reachable', { nextHops: through('fd09::9', 'eth0') }, 'No route to host'],
    ['out of a device that is down', { ...link, nextHops: out('eth2') }, 'not up'],
    ['out of a device that is not there', { ...link, nextHops: out('eth9') }, 'Cannot find device'],
    ['without a next hop', {}, 'No such device'],
    ['with bits behind its prefix', { destination: '20.0.0.1/24', ...link, nextHops: out('eth0') }, 'Invalid prefix'],
    ['that leads nowhere out of a device', { type: 'unreachable', nextHops: out('eth0') }, 'can not be specified'],
    ['to a local address in scope link', { type: 'local', ...link, nextHops: out('eth0') }, 'Invalid scope'],
    ['in scope nowhere', { scope: 'nowhere', nextHops: out('eth0') }, 'Invalid scope'],
    ['in scope host by a gateway', { scope: 'host', nextHops: through('10.0.0.9', 'eth0') }, 'can not have a gateway'],
    [
      'in scope host with several next hops',
      { scope: 'host', nextHops: [...out('eth0'), ...out('eth3')] },
      'can not have multiple nexthops',
    ],
    ['by an object that is not there', { nextHopObject: 9, nextHops: [] }, 'Nexthop id does not exist'],
    ['in scope host by an object with a gateway', { scope: 'host', nextHopObject: 1 }, 'can not have a gateway'],
    ['in scope host by a group', { scope: 'host', nextHopObject: 4 }, 'can not have multiple nexthops'],
    ['in scope link by an on-link object', { ...link, nextHopObject: 5 }, 'Scope mismatch'],
    [
      'in main with an address of a VRF as its source',
      { preferredSource: '169.254.0.2', ...link, nextHops: out('eth0') },
      'Invalid prefsrc',
    ],
    [
      'in a table of nobody’s with an address of a VRF as its source',
      { table: 100, preferredSource: '169.254.0.2', ...link, nextHops: out('eth0') },
      'Invalid prefsrc',
    ],
  ] satisfies readonly (readonly [string, Partial<Route>, string])[]) {
    it(`is refused ${what}`, () => {
      const change = addRoute(node, route('20.0.0.0/24', wanted));
      expect(refusalOf(change)).to.contain(reason);
      expect(change).not.to.have.property('exists');
    });
  }

  it('is not reachable by a rule that requires a mark, but by one for its gateway', () => {
    const rules = (more: object) => [{ priority: 5, table: 1001, ...more }];
    const wanted = route('20.0.0.0/24', { nextHops: through('10.1.0.9') });
    expect(addRoute(routingNode({ rules: rules({ mark: 1 }) }), wanted)).to.include({ done: false });
    expect(addRoute(routingNode({ rules: rules({ others: { iif: '"eth0"' } }) }), wanted)).to.include({ done: false });
    expect(addRoute(routingNode({ rules: rules({ others: { dst: '"10.2.0.0"', dstlen: '16' } }) }), wanted)).to.include(
      { done: false },
    );
    expect(addRoute(routingNode({ rules: rules({ others: { dst: '"10.1.0.0"', dstlen: '16' } }) }), wanted)).to.include(
      { done: true },
    );
    expect(addRoute(routingNode({ rules: rules({ others: { action: '"unreachable"' } }) }), wanted)).to.include({
      done: false,
    });
  });

  it('is not affected by a refusing rule of the VRFs, unless its device is in one', () => {
    const refusing = { priority: 900, others: { l3mdev: 'null', action: '"unreachable"' } };
    const outside = route('20.0.0.0/24', { nextHops: through('10.0.0.9', 'eth0') });
    const inside = route('20.0.0.0/24', { table: 100, nextHops: through('10.1.0.9', 'eth1') });
    expect(addRoute(routingNode({ rules: [refusing] }), outside)).to.include({ done: true });
    expect(addRoute(routingNode(), inside)).to.include({ done: true });
    expect(addRoute(routingNode({ rules: [refusing] }), inside)).to.include({ done: false });
  });

  it('has no lifetime and no preference, and keeps its metrics', () => {
    const wanted = { ...link, nextHops: out('eth0'), expiresSeconds: 5, preference: 'high', metrics: { mtu: 1400 } };
    expect(added(wanted)).to.deep.equal(
      route('20.0.0.0/24', { ...link, nextHops: out('eth0'), metrics: { mtu: 1400 } }),
    );
  });

  it('is identified by table, destination, metric and type of service', () => {
    const first = route('20.0.0.0/24', { ...link, nextHops: out('eth0') });
    const there = after(addRoute(node, first));
    for (const more of [{ table: 100 }, { metric: 5 }, { typeOfService: '0x10' }, { destination: '20.0.0.0/25' }]) {
      expect(addRoute(there, { ...first, ...more })).to.include({ done: true });
    }
    for (const more of [{ protocol: '94' }, { scope: 'global' }, { nextHops: out('eth3') }]) {
      expect(addRoute(there, { ...first, ...more })).to.include({ done: false, exists: true });
    }
    expect(addRoute(there, { ...first, scope: 'global', type: 'unreachable', nextHops: [] })).to.include({
      exists: true,
    });
  });
});
