import { expect } from 'chai';
import {
  isOwnRoute,
  isSameRoute,
  ownRouteInPlaceOf,
  route as routeKind,
  tableText,
} from '../../../../src/domain/entities/kernel/route.ts';
import { routeText } from '../../../../src/domain/entities/kernel/route-command.ts';
import type { Route } from '../../../../src/domain/index.ts';
import { routeKey } from '../../../../src/domain/snapshot/route-key.ts';
import { hostRoute, nodeWith, route } from './host-entities.ts';
import { ipWords, putBackWords } from './ip-words.ts';

describe('a route in the syntax of ip', () => {
  const hop = { device: 'br-blue', gateway: '192.0.2.1' };
  const rows: readonly (readonly [
    what: string,
    brief: Partial<Route> & { destination: string },
    forIp: string,
    text: string,
  ])[] = [
    [
      'a plain one',
      { destination: '10.0.0.0/8' },
      '10.0.0.0/8 via 192.0.2.1 dev br-blue table 254 proto static scope global',
      'route 10.0.0.0/8 via 192.0.2.1 dev br-blue',
    ],
    [
      'a default route',
      { destination: '0.0.0.0/0', table: 1012 },
      'default via 192.0.2.1 dev br-blue table 1012 proto static scope global',
      'route default via 192.0.2.1 dev br-blue table 1012',
    ],
    [
      'an IPv6 default route, of which nothing else says the family',
      { destination: '::/0', table: 1012, metric: 1024 },
      'default via 2001:db8:b::1 dev br-blue table 1012 proto static metric 1024',
      'route IPv6 default via 2001:db8:b::1 dev br-blue metric 1024 table 1012',
    ],
    [
      'one without a gateway',
      { destination: '10.0.0.0/8', nextHops: [{ device: 'br-blue' }], scope: 'link' },
      '10.0.0.0/8 dev br-blue table 254 proto static scope link',
      'route 10.0.0.0/8 dev br-blue',
    ],
    [
      'one whose gateway counts as directly connected',
      { destination: '10.0.0.0/8', nextHops: [{ ...hop, onlink: true }] },
      '10.0.0.0/8 via 192.0.2.1 dev br-blue onlink table 254 proto static scope global',
      'route 10.0.0.0/8 via 192.0.2.1 dev br-blue onlink',
    ],
    [
      'one with a gateway of the other family',
      { destination: '10.0.0.0/8', nextHops: [{ device: 'br-blue', gateway: 'fe80::1' }] },
      '10.0.0.0/8 via inet6 fe80::1 dev br-blue table 254 proto static scope global',
      'route 10.0.0.0/8 via inet6 fe80::1 dev br-blue',
    ],
    [
      'an IPv6 one with an IPv4 gateway',
      { destination: '2001:db8::/32', nextHops: [hop] },
      '2001:db8::/32 via inet 192.0.2.1 dev br-blue table 254 proto static',
      'route 2001:db8::/32 via inet 192.0.2.1 dev br-blue',
    ],
    [
      'a multipath one, each leg with all that it has',
      {
        destination: '10.0.0.0/8',
        nextHops: [hop, { device: 'eth9', gateway: '198.51.100.1', weight: 5, onlink: true }],
      },
      '10.0.0.0/8 table 254 proto static scope global nexthop via 192.0.2.1 dev br-blue nexthop via 198.51.100.1 dev eth9 weight 5 onlink',
      'route 10.0.0.0/8 nexthop via 192.0.2.1 dev br-blue nexthop via 198.51.100.1 dev eth9 weight 5 onlink',
    ],
    [
      'one that takes its next hops from an object',
      { destination: '10.0.0.0/8', nextHops: [hop, hop], nextHopObject: 5 },
      '10.0.0.0/8 nhid 5 table 254 proto static scope global',
      'route 10.0.0.0/8 nhid 5',
    ],
    [
      'one that leads nowhere',
      { destination: '0.0.0.0/0', type: 'unreachable', nextHops: [], metric: 4278198272, table: 1012, protocol: '94' },
      'unreachable default table 1012 proto 94 scope global metric 4278198272',
      'route unreachable default metric 4278198272 table 1012',
    ],
    [
      'one for some packets',
      { destination: '10.0.0.0/8', source: '10.1.0.0/16', typeOfService: '0x10' },
      '10.0.0.0/8 from 10.1.0.0/16 tos 0x10 via 192.0.2.1 dev br-blue table 254 proto static scope global',
      'route 10.0.0.0/8 from 10.1.0.0/16 tos 0x10 via 192.0.2.1 dev br-blue',
    ],
    [
      'one with a source for what the node itself sends',
      { destination: '10.0.0.0/8', preferredSource: '192.0.2.6' },
      '10.0.0.0/8 via 192.0.2.1 dev br-blue table 254 proto static scope global src 192.0.2.6',
      'route 10.0.0.0/8 via 192.0.2.1 dev br-blue src 192.0.2.6',
    ],
    [
      'one with metrics',
      { destination: '10.0.0.0/8', metrics: { mtu: 1400, advmss: 1360, rto_min: '200ms' } },
      '10.0.0.0/8 via 192.0.2.1 dev br-blue table 254 proto static scope global mtu 1400 advmss 1360 rto_min 200ms',
      'route 10.0.0.0/8 via 192.0.2.1 dev br-blue',
    ],
    [
      'one with a router preference and a lifetime',
      { destination: '2001:db8::/32', preference: 'high', expiresSeconds: 600 },
      '2001:db8::/32 via 2001:db8:b::1 dev br-blue table 254 proto static pref high expires 600',
      'route 2001:db8::/32 via 2001:db8:b::1 dev br-blue',
    ],
    [
      'one of a table that is known by its name alone',
      { destination: '10.0.0.0/8', table: 'isp' },
      '10.0.0.0/8 via 192.0.2.1 dev br-blue table isp proto static scope global',
      'route 10.0.0.0/8 via 192.0.2.1 dev br-blue table isp',
    ],
  ];
  for (const [what, { destination, ...brief }, forIp, text] of rows) {
    it(`is, of ${what}, "${forIp}" and for a person "${text}"`, () => {
      const entity = hostRoute(destination, brief);
      const family = `-${entity.route.family}`;
      for (const verb of ['add', 'replace'] as const) {
        expect(ipWords(verb, entity, family, 'route', verb)).to.equal(forIp);
      }
      expect(putBackWords(entity, family, 'route', 'add')).to.equal(forIp);
      expect(ipWords('remove', entity, family, 'route', 'delete')).to.equal(forIp.replace(/ expires \d+/, ''));
      expect(routeText(entity.route)).to.equal(text);
    });
  }
});

describe('the table of a route', () => {
  it('is main, a number, or a name', () => {
    expect([254, 1012, 'isp'].map(tableText)).to.deep.equal(['main', '1012', 'isp']);
  });
});

describe('a managed route', () => {
  const rows: readonly (readonly [what: string, route: Route, ours: boolean])[] = [
    ['of protocol 94', route('0.0.0.0/0', { protocol: '94' }), true],
    ['of protocol 94 in the main table', route('10.0.0.0/8', { protocol: '94' }), true],
    ['of protocol static in our table', route('0.0.0.0/0', { table: 1012 }), false],
    ['of protocol 194', route('0.0.0.0/0', { protocol: '194' }), false],
    ['of protocol 0x94', route('0.0.0.0/0', { protocol: '0x94' }), false],
  ];
  for (const [what, each, ours] of rows) {
    it(`is ${ours ? '' : 'not '}one ${what}`, () => {
      expect(isOwnRoute(each)).to.equal(ours);
    });
  }
});

describe('the managed route with the same kernel key', () => {
  const own = route('10.0.0.0/8', { table: 1012, protocol: '94', source: '192.0.2.0/24', typeOfService: '0x10' });
  const { source: _source, ...fromAnywhere } = own;
  const { typeOfService: _service, ...ofAnyService } = own;
  const refusal = (...routes: readonly Route[]) =>
    routeKind.replace?.refusal?.({ kind: 'route', route: own }, { ...nodeWith(), routes });
  const inNode = (...routes: readonly Route[]) => ownRouteInPlaceOf(own, { ...nodeWith(), routes });

  const others: readonly (readonly [what: string, other: Route])[] = [
    ['destination', { ...own, destination: '10.0.0.0/9' }],
    ['table', { ...own, table: 254 }],
    ['family', { ...own, family: 6 }],
    ['metric', { ...own, metric: 5 }],
    ['source', { ...own, source: '192.0.3.0/24' }],
    ['source, where it has none', fromAnywhere],
    ['type of service', { ...own, typeOfService: '0x08' }],
    ['type of service, where it has none', ofAnyService],
  ];
  for (const [what, other] of others) {
    it(`is none with another ${what}`, () => {
      expect(inNode(other)).to.equal(undefined);
      expect(routeKey(other), 'nor is its key').not.to.equal(routeKey(own));
    });
  }

  it('is found with other content', () => {
    const same: Route = { ...own, type: 'unreachable', nextHops: [], metrics: { mtu: 1400 } };
    expect(inNode(...others.map(([, other]) => other), same)).to.equal(same);
    expect(routeKey(same), 'as is its key').to.equal(routeKey(own));
  });

  it('is found beside an unmanaged one, for which replacing it is refused', () => {
    const theirs = { ...own, protocol: 'static' };
    for (const routes of [
      [theirs, own],
      [own, theirs],
    ]) {
      expect(inNode(...routes)).to.equal(own);
      expect(refusal(...routes)).to.match(/ of protocol static is not managed by ovn-uplinks$/);
    }
    expect(inNode(theirs)).to.be.undefined;
    expect(refusal(own)).to.be.undefined;
  });
});

describe('a route with the same kernel key', () => {
  const route: Route = {
    family: 4,
    table: 1012,
    destination: '0.0.0.0/0',
    metric: 0,
    type: 'unicast',
    protocol: '94',
    nextHops: [
      { device: 'br-blue', gateway: '192.0.2.1' },
      { device: 'br-blue', gateway: '192.0.2.2', onlink: true },
    ],
    preferredSource: '169.254.0.2',
    metrics: { mtu: 1400 },
  };
  const [first, second] = route.nextHops as [Route['nextHops'][0], Route['nextHops'][0]];
  const others: readonly (readonly [what: string, route: Partial<Route>, same: boolean])[] = [
    ['is the very same', {}, true],
    ['is of another protocol', { protocol: 'static' }, true],
    ['has its next hops in another order', { nextHops: [second, first] }, true],
    ['says the weight that is usual', { nextHops: [{ ...first, weight: 1 }, second] }, true],
    ['has other metrics that ours does not have', { metrics: { mtu: 1400, advmss: 1300 } }, true],
    ['is of another type', { type: 'unreachable' }, false],
    ['has a next hop less', { nextHops: [first] }, false],
    ['has another gateway', { nextHops: [{ ...first, gateway: '192.0.2.9' }, second] }, false],
    ['has another device', { nextHops: [{ ...first, device: 'br-red' }, second] }, false],
    ['has another weight', { nextHops: [{ ...first, weight: 2 }, second] }, false],
    ['is not on link', { nextHops: [first, { device: 'br-blue', gateway: '192.0.2.2' }] }, false],
    ['takes its next hops from an object', { nextHopObject: 5 }, false],
    ['has another source', { preferredSource: '169.254.0.3' }, false],
    ['has another MTU', { metrics: { mtu: 1500 } }, false],
    ['has no MTU', { metrics: {} }, false],
  ];
  for (const [what, other, same] of others) {
    it(`${same ? 'serves' : 'does not serve'} if it ${what}`, () => {
      expect(isSameRoute(route, { ...route, ...other })).to.equal(same);
      expect(isSameRoute({ ...route, ...other }, route)).to.equal(same);
    });
  }

  it('serves if it has no source and no metrics either', () => {
    const { preferredSource: _source, metrics: _metrics, ...bare } = route;
    expect(isSameRoute(bare, { ...bare, metrics: {} })).to.be.true;
    expect(isSameRoute(route, bare)).to.be.false;
  });
});
