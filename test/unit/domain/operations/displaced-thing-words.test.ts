import { expect } from 'chai';
import { meaningOf, type NextHopObject, type Operation, type Route } from '../../../../src/domain/index.ts';
import type { DisplacedThing } from '../../../../src/domain/ownership/ledger.ts';
import { addressThing, neighbourThing, proxyThing, routeThing } from '../ownership/things.ts';
import { nodeBefore } from './samples.ts';

describe('what is put back and taken back', () => {
  const hop = { device: 'br-blue', gateway: '192.0.2.1' };
  const routes: readonly (readonly [
    what: string,
    brief: Partial<Route> & { destination: string },
    words: string,
    text: string,
  ])[] = [
    [
      'a plain route',
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
      'a route without a gateway',
      { destination: '10.0.0.0/8', nextHops: [{ device: 'br-blue' }], scope: 'link' },
      '10.0.0.0/8 dev br-blue table 254 proto static scope link',
      'route 10.0.0.0/8 dev br-blue',
    ],
    [
      'a route whose gateway counts as directly connected',
      { destination: '10.0.0.0/8', nextHops: [{ ...hop, onlink: true }] },
      '10.0.0.0/8 via 192.0.2.1 dev br-blue onlink table 254 proto static scope global',
      'route 10.0.0.0/8 via 192.0.2.1 dev br-blue onlink',
    ],
    [
      'a route with a gateway of the other family',
      { destination: '10.0.0.0/8', nextHops: [{ device: 'br-blue', gateway: 'fe80::1' }] },
      '10.0.0.0/8 via inet6 fe80::1 dev br-blue table 254 proto static scope global',
      'route 10.0.0.0/8 via inet6 fe80::1 dev br-blue',
    ],
    [
      'an IPv6 route with an IPv4 gateway',
      { destination: '2001:db8::/32', nextHops: [hop] },
      '2001:db8::/32 via inet 192.0.2.1 dev br-blue table 254 proto static',
      'route 2001:db8::/32 via inet 192.0.2.1 dev br-blue',
    ],
    [
      'a multipath route, each leg with all that it has',
      {
        destination: '10.0.0.0/8',
        nextHops: [hop, { device: 'eth9', gateway: '198.51.100.1', weight: 5, onlink: true }],
      },
      '10.0.0.0/8 table 254 proto static scope global nexthop via 192.0.2.1 dev br-blue nexthop via 198.51.100.1 dev eth9 weight 5 onlink',
      'route 10.0.0.0/8 nexthop via 192.0.2.1 dev br-blue nexthop via 198.51.100.1 dev eth9 weight 5 onlink',
    ],
    [
      'a route that takes its next hops from an object',
      { destination: '10.0.0.0/8', nextHops: [hop, hop], nextHopObject: 5 },
      '10.0.0.0/8 nhid 5 table 254 proto static scope global',
      'route 10.0.0.0/8 nhid 5',
    ],
    [
      'a route that leads nowhere',
      { destination: '0.0.0.0/0', type: 'unreachable', nextHops: [], metric: 4278198272, table: 1012, protocol: '94' },
      'unreachable default table 1012 proto 94 scope global metric 4278198272',
      'route unreachable default metric 4278198272 table 1012',
    ],
    [
      'a route for some packets',
      { destination: '10.0.0.0/8', source: '10.1.0.0/16', typeOfService: '0x10' },
      '10.0.0.0/8 from 10.1.0.0/16 tos 0x10 via 192.0.2.1 dev br-blue table 254 proto static scope global',
      'route 10.0.0.0/8 from 10.1.0.0/16 tos 0x10 via 192.0.2.1 dev br-blue',
    ],
    [
      'a route with a source for what the node itself sends',
      { destination: '10.0.0.0/8', preferredSource: '192.0.2.6' },
      '10.0.0.0/8 via 192.0.2.1 dev br-blue table 254 proto static scope global src 192.0.2.6',
      'route 10.0.0.0/8 via 192.0.2.1 dev br-blue src 192.0.2.6',
    ],
    [
      'a route with metrics',
      { destination: '10.0.0.0/8', metrics: { mtu: 1400, advmss: 1360, rto_min: '200ms' } },
      '10.0.0.0/8 via 192.0.2.1 dev br-blue table 254 proto static scope global mtu 1400 advmss 1360 rto_min 200ms',
      'route 10.0.0.0/8 via 192.0.2.1 dev br-blue',
    ],
    [
      'a route with a router preference and a lifetime',
      { destination: '2001:db8::/32', preference: 'high', expiresSeconds: 600 },
      '2001:db8::/32 via 2001:db8:b::1 dev br-blue table 254 proto static pref high expires 600',
      'route 2001:db8::/32 via 2001:db8:b::1 dev br-blue',
    ],
    [
      'a route of a table that is known by its name alone',
      { destination: '10.0.0.0/8', table: 'isp' },
      '10.0.0.0/8 via 192.0.2.1 dev br-blue table isp proto static scope global',
      'route 10.0.0.0/8 via 192.0.2.1 dev br-blue table isp',
    ],
  ];
  const neighbour = (ip: string, brief: object): DisplacedThing => {
    const plain = neighbourThing(ip) as Extract<DisplacedThing, { type: 'neighbour' }>;
    return { ...plain, neighbour: { ...plain.neighbour, ...brief } };
  };
  const nextHop = (object: NextHopObject): DisplacedThing => ({ type: 'next-hop-object', object });
  const rows: readonly (readonly [what: string, thing: DisplacedThing, put: string, taken: string, text: string])[] = [
    ...routes.map(([what, { destination, ...brief }, words, text]) => {
      const thing = routeThing(destination, brief) as Extract<DisplacedThing, { type: 'route' }>;
      const command = `-${thing.route.family} route`;
      const withoutLifetime = words.replace(/ expires \d+/, '');
      return [what, thing, `${command} add ${words}`, `${command} delete ${withoutLifetime}`, text] as const;
    }),
    [
      'a plain address',
      addressThing('192.0.2.6/24'),
      'address replace 192.0.2.6/24 scope global dev br-blue',
      'address delete 192.0.2.6/24 dev br-blue',
      'address 192.0.2.6/24 on br-blue',
    ],
    [
      'an IPv6 address, whose number says its scope',
      addressThing('fd69::2/128', { flags: ['nodad'] }),
      'address replace fd69::2/128 nodad dev br-blue',
      'address delete fd69::2/128 dev br-blue',
      'address fd69::2/128 on br-blue',
    ],
    [
      'an address with a peer',
      addressThing('192.0.2.6/32', { peer: '192.0.2.7' }),
      'address replace 192.0.2.6 peer 192.0.2.7/32 scope global dev br-blue',
      'address delete 192.0.2.6 peer 192.0.2.7/32 dev br-blue',
      'address 192.0.2.6/32 on br-blue',
    ],
    [
      'an address with all attributes',
      addressThing('192.0.2.6/24', {
        broadcast: '192.0.2.255',
        label: 'br-blue:1',
        scope: 'link',
        metric: 5,
        protocol: '0x12',
        validSeconds: 600,
        preferredSeconds: 0,
      }),
      'address replace 192.0.2.6/24 broadcast 192.0.2.255 label br-blue:1 scope link metric 5 proto 0x12 valid_lft 600 preferred_lft 0 dev br-blue',
      'address delete 192.0.2.6/24 dev br-blue',
      'address 192.0.2.6/24 on br-blue',
    ],
    [
      'an address with every flag that can be set',
      addressThing('2001:db8::6/64', {
        flags: ['autojoin', 'home', 'mngtmpaddr', 'nodad', 'noprefixroute', 'optimistic'],
      }),
      'address replace 2001:db8::6/64 autojoin home mngtmpaddr nodad noprefixroute optimistic dev br-blue',
      'address delete 2001:db8::6/64 dev br-blue',
      'address 2001:db8::6/64 on br-blue',
    ],
    [
      'an address with flags that only the kernel sets',
      addressThing('2001:db8::6/64', {
        flags: [
          'dadfailed',
          'deprecated',
          'dynamic',
          'permanent',
          'secondary',
          'stable-privacy',
          'temporary',
          'tentative',
        ],
      }),
      'address replace 2001:db8::6/64 dev br-blue',
      'address delete 2001:db8::6/64 dev br-blue',
      'address 2001:db8::6/64 on br-blue',
    ],
    [
      'a neighbour that is a router, with a protocol',
      neighbour('fe80::1', { router: true, protocol: '94' }),
      'neighbour replace fe80::1 lladdr 02:00:00:00:00:99 dev br-blue nud permanent router protocol 94',
      'neighbour delete fe80::1 dev br-blue',
      'neighbour fe80::1 at 02:00:00:00:00:99 on br-blue',
    ],
    [
      'a neighbour without resolution',
      neighbour('fe80::1', { states: ['noarp'] }),
      'neighbour replace fe80::1 lladdr 02:00:00:00:00:99 dev br-blue nud noarp',
      'neighbour delete fe80::1 dev br-blue',
      'neighbour fe80::1 at 02:00:00:00:00:99 on br-blue',
    ],
    [
      'a proxy entry',
      proxyThing('fe80::1'),
      'neighbour add proxy fe80::1 dev br-blue',
      'neighbour delete proxy fe80::1 dev br-blue',
      'proxy entry for neighbour fe80::1 on br-blue',
    ],
    [
      'a proxy entry of a router, with a protocol',
      { type: 'neighbour-proxy', proxy: { device: 'br-blue', address: 'fe80::1', router: true, protocol: 'static' } },
      'neighbour add proxy fe80::1 dev br-blue router protocol static',
      'neighbour delete proxy fe80::1 dev br-blue',
      'proxy entry for neighbour fe80::1 on br-blue',
    ],
    [
      'a next hop object of a gateway',
      nextHop({ id: 5, family: 4, device: 'br-blue', gateway: '192.0.2.1', protocol: 'static' }),
      '-4 nexthop replace id 5 via 192.0.2.1 dev br-blue proto static',
      'nexthop delete id 5',
      'next hop object 5 via 192.0.2.1 dev br-blue',
    ],
    [
      'a next hop object of a device',
      nextHop({ id: 5, family: 6, device: 'br-blue', protocol: 'static' }),
      '-6 nexthop replace id 5 dev br-blue proto static',
      'nexthop delete id 5',
      'next hop object 5 dev br-blue',
    ],
    [
      'a next hop object of a gateway outside every subnet',
      nextHop({ id: 5, family: 4, device: 'br-blue', gateway: '198.51.100.1', onlink: true, protocol: 'static' }),
      '-4 nexthop replace id 5 via 198.51.100.1 dev br-blue onlink proto static',
      'nexthop delete id 5',
      'next hop object 5 via 198.51.100.1 dev br-blue onlink',
    ],
    [
      'a next hop object of a blackhole',
      nextHop({ id: 5, family: 4, blackhole: true, protocol: 'static' }),
      '-4 nexthop replace id 5 blackhole proto static',
      'nexthop delete id 5',
      'next hop object 5 blackhole',
    ],
    [
      'a next hop object of a group',
      nextHop({
        id: 5,
        protocol: 'static',
        group: [
          { id: 1, weight: 1 },
          { id: 2, weight: 5 },
        ],
      }),
      'nexthop replace id 5 group 1/2,5 proto static',
      'nexthop delete id 5',
      'next hop object 5 group 1/2,5',
    ],
  ];
  for (const [what, thing, put, taken, text] of rows) {
    it(`is, of ${what}: "ip ${put}", "ip ${taken}", "${text}"`, () => {
      for (const [kind, command] of [
        ['put-back', put],
        ['take-back', taken],
      ] as const) {
        const operation: Operation = { kind, networks: [], device: 'br-blue', thing };
        const { program, arguments: words } = meaningOf(operation).command(operation, nodeBefore());
        expect([program, ...words].join(' ')).to.equal(`ip ${command}`);
      }
      const operation: Operation = { kind: 'take-back', networks: [], device: 'br-blue', thing };
      expect(meaningOf(operation).summary(operation)).to.equal(text);
    });
  }
});
