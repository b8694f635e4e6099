import { expect } from 'chai';
import { deleteNextHopObject, putNextHopObject } from '../../../../src/domain/node-model/next-hop-object.ts';
import { addRoute } from '../../../../src/domain/node-model/route.ts';
import type { NextHopObject, NodeSnapshot } from '../../../../src/domain/snapshot/node-snapshot.ts';
import { route, routingNode } from './routing-node.ts';
import { after, device, refusalOf, routeTexts } from './words.ts';

const node = routingNode();
const object = (more: Partial<NextHopObject>): NextHopObject => ({ id: 9, protocol: 'static', ...more });
const group = (...ids: readonly number[]) => ({ group: ids.map((id) => ({ id, weight: 1 })) });

describe('a nexthop object that is added', () => {
  for (const [what, wanted, expected] of [
    [
      'with a gateway, which tells its family',
      { device: 'eth0', gateway: 'fd00:0::9' },
      { device: 'eth0', gateway: 'fd00::9', family: 6 },
    ],
    ['of a device, for IPv6', { device: 'eth0', family: 6 }, { device: 'eth0', family: 6 }],
    ['of a device, for IPv4 where nothing is said', { device: 'eth0' }, { device: 'eth0', family: 4 }],
    [
      'with a gateway in its device’s VRF',
      { device: 'eth1', gateway: '10.1.0.9' },
      { device: 'eth1', gateway: '10.1.0.9', family: 4 },
    ],
    [
      'with an on-link gateway',
      { device: 'eth0', gateway: '10.9.0.9', onlink: true },
      { device: 'eth0', gateway: '10.9.0.9', onlink: true, family: 4 },
    ],
    ['as a blackhole, whose family nobody can see', { blackhole: true, family: 4 }, { blackhole: true }],
    ['as a group', group(1, 2), group(1, 2)],
    ['as a group of a blackhole alone', group(3), group(3)],
  ] satisfies readonly (readonly [string, Partial<NextHopObject>, Partial<NextHopObject>])[]) {
    it(`is accepted ${what}`, () => {
      expect(after(putNextHopObject(node, object(wanted))).nextHopObjects.at(-1)).to.deep.equal(object(expected));
    });
  }

  for (const [what, wanted, reason] of [
    ['without a device', { gateway: '10.0.0.9' }, 'Device attribute required'],
    ['of a device that is not there', { device: 'eth9' }, 'Cannot find device'],
    ['of a device that is down', { device: 'eth2' }, 'not up'],
    ['on-link without a gateway', { device: 'eth0', onlink: true }, 'without a gateway'],
    ['with an IPv4 gateway that is not reachable', { device: 'eth0', gateway: '10.3.0.9' }, 'invalid gateway'],
    ['with an IPv6 gateway that is not reachable', { device: 'eth0', gateway: 'fd03::9' }, 'No route to host'],
    ['as a blackhole with a way out', { blackhole: true, device: 'eth0' }, 'no way out'],
    ['as a group of nothing', group(), 'Invalid length'],
    ['as a group with a member that is not there', group(1, 77), 'Invalid nexthop id'],
    ['as a group with a member twice', group(1, 1), 'twice'],
    ['as a group with a group in it', group(4), 'within a group'],
    ['as a group of a blackhole and others', group(1, 3), 'Blackhole'],
  ] satisfies readonly (readonly [string, Partial<NextHopObject>, string])[]) {
    it(`is refused ${what}`, () => {
      expect(refusalOf(putNextHopObject(node, object(wanted)))).to.contain(reason);
    });
  }

  it('needs a device with a carrier, which a route does not', () => {
    const carrierless = routingNode({
      links: [device('eth0', ['10.0.0.1/24'], { operationalState: 'lowerlayerdown' })],
    });
    expect(refusalOf(putNextHopObject(carrierless, object({ device: 'eth0' })))).to.contain('Carrier');
  });
});

describe('a nexthop object that replaces another one', () => {
  const routes = [
    route('20.0.0.0/24', { nextHopObject: 1, nextHops: [{ device: 'eth0', gateway: '10.0.0.9' }] }),
    route('20.1.0.0/24', { nextHopObject: 6, nextHops: [{ device: 'eth0', gateway: '10.0.0.9' }] }),
    route('fd20::/64', { nextHopObject: 4, nextHops: [{ device: 'eth0', gateway: 'fd00::9' }] }),
  ];
  const there = routingNode({
    routes,
    nextHopObjects: [...node.nextHopObjects, { id: 6, ...group(1, 5) }],
  });
  const put = (wanted: Partial<NextHopObject>) => putNextHopObject(there, object(wanted));

  it('changes the routes and the groups that use it', () => {
    expect(routeTexts(after(put({ id: 1, device: 'eth3', gateway: '10.3.0.9' })))).to.include.members([
      'main 20.0.0.0/24 nhid 1 via 10.3.0.9 dev eth3',
      'main 20.1.0.0/24 nhid 6 via 10.3.0.9 dev eth3 + via 10.9.0.9 dev eth0 onlink',
    ]);
  });

  it('changes the type of its routes', () => {
    const alone = routingNode({ routes: routes.slice(0, 1) });
    const dark = after(putNextHopObject(alone, object({ id: 1, blackhole: true })));
    expect(routeTexts(dark)).to.deep.equal(['main blackhole 20.0.0.0/24 nhid 1']);
    expect(routeTexts(after(putNextHopObject(dark, object({ id: 1, device: 'eth0' }))))).to.deep.equal([
      'main 20.0.0.0/24 nhid 1 dev eth0',
    ]);
  });

  for (const [what, wanted, reason] of [
    ['a group in the place of a plain one', { id: 1, ...group(2) }, 'Can not replace'],
    ['a plain one in the place of a group', { id: 6, device: 'eth0' }, 'Can not replace'],
    ['a blackhole in the place of one of several members', { id: 1, blackhole: true }, 'more than one path'],
    ['one of IPv4 where IPv6 routes use it', { id: 2, device: 'eth0', gateway: '10.0.0.9' }, 'IPv4 nexthop'],
    ['a group with IPv4 where IPv6 routes use it', { id: 4, ...group(1) }, 'IPv4 nexthop'],
  ] satisfies readonly (readonly [string, Partial<NextHopObject>, string])[]) {
    it(`is refused: ${what}`, () => {
      expect(refusalOf(put(wanted))).to.contain(reason);
    });
  }

  it('may give a group other members', () => {
    expect(routeTexts(after(put({ id: 6, ...group(5) })))).to.include(
      'main 20.1.0.0/24 nhid 6 via 10.9.0.9 dev eth0 onlink',
    );
  });
});

describe('a nexthop object that is deleted', () => {
  it('removes its routes, and is removed from its groups', () => {
    const routes = [1, 2, 4].map((id) => ({ destination: `fd2${id}::/64`, nextHopObject: id, nextHops: [] }));
    const left = after(deleteNextHopObject(routingNode({ routes }), 2));
    expect(left.nextHopObjects.map(({ id }) => id)).to.deep.equal([1, 3, 5]);
    expect(routeTexts(left)).to.deep.equal(['main fd21::/64 nhid 1']);
  });

  it('leaves a group of one, whose weight an IPv4 route does not show', () => {
    const members = [1, 5].map((id) => ({ id, weight: 3 }));
    const before = routingNode({
      nextHopObjects: [...node.nextHopObjects, { id: 6, protocol: 'static', group: members }],
    });
    const used = after(addRoute(before, route('20.1.0.0/24', { nextHopObject: 6 })));
    const hopsOf = ({ routes }: NodeSnapshot) => routes.find(({ nextHopObject }) => nextHopObject === 6)?.nextHops;
    expect(hopsOf(used)).to.have.length(2).and.to.have.nested.property('[0].weight', 3);
    expect(hopsOf(after(deleteNextHopObject(used, 5)))).to.deep.equal([{ device: 'eth0', gateway: '10.0.0.9' }]);
  });

  it('must be there', () => {
    expect(refusalOf(deleteNextHopObject(node, 77))).to.contain('No such file or directory');
  });
});
