import { expect } from 'chai';
import { readRoutes } from '../../../../src/adapters/iproute2-json/routes.ts';
import type { Route } from '../../../../src/domain/snapshot/node-snapshot.ts';
import { valueOf } from '../readings.ts';

type Example = readonly [what: string, family: 4 | 6, printed: string, expected: Partial<Route>];

/** Reads a route, without the fields that all examples have. */
function routeOf(family: 4 | 6, printed: string): Partial<Route> {
  const [route] = valueOf(readRoutes(`[${printed}]`, 'ip-route.json', family, new Map()));
  const { family: _family, table: _table, protocol: _protocol, ...expected } = route ?? expect.fail('no route');
  return expected;
}

/** The output of iproute2 6.1 on Linux 6.1 after each command. */
const examples: readonly Example[] = [
  [
    'ip route add 10.1.0.0/16 via 192.0.2.1 tos 0x10',
    4,
    '{"type":"unicast","dst":"10.1.0.0/16","tos":"0x10","gateway":"192.0.2.1","dev":"eth0","table":"main","protocol":"boot","scope":"global","flags":[]}',
    {
      type: 'unicast',
      destination: '10.1.0.0/16',
      metric: 0,
      typeOfService: '0x10',
      nextHops: [{ device: 'eth0', gateway: '192.0.2.1' }],
    },
  ],
  [
    'ip route add 10.1.0.0/16 via 192.0.2.1 tos 0x28, which has a name in rt_dsfield',
    4,
    '{"type":"unicast","dst":"10.1.0.0/16","tos":"AF11","gateway":"192.0.2.1","dev":"eth0","table":"main","protocol":"boot","scope":"global","flags":[]}',
    {
      type: 'unicast',
      destination: '10.1.0.0/16',
      metric: 0,
      typeOfService: 'AF11',
      nextHops: [{ device: 'eth0', gateway: '192.0.2.1' }],
    },
  ],
  [
    'ip -6 route add 2001:db8:103::/48 from 2001:db8::/64 via 2001:db8::1',
    6,
    '{"type":"unicast","dst":"2001:db8:103::/48","from":"2001:db8::/64","gateway":"2001:db8::1","dev":"eth0","table":"main","protocol":"boot","scope":"global","metric":1024,"flags":[],"pref":"medium"}',
    {
      type: 'unicast',
      destination: '2001:db8:103::/48',
      source: '2001:db8::/64',
      metric: 1024,
      nextHops: [{ device: 'eth0', gateway: '2001:db8::1' }],
    },
  ],
  [
    'ip -6 route add default from 2001:db8::7 via 2001:db8::1 metric 7',
    6,
    '{"type":"unicast","dst":"default","from":"2001:db8::7","gateway":"2001:db8::1","dev":"eth0","table":"main","protocol":"boot","scope":"global","metric":7,"flags":[],"pref":"medium"}',
    {
      type: 'unicast',
      destination: '::/0',
      source: '2001:db8::7/128',
      metric: 7,
      nextHops: [{ device: 'eth0', gateway: '2001:db8::1' }],
    },
  ],
  [
    'ip route add 10.2.0.0/16 … src 192.0.2.7 mtu lock 1400 rtt 100 features ecn congctl reno …',
    4,
    '{"type":"unicast","dst":"10.2.0.0/16","gateway":"192.0.2.1","dev":"eth0","table":"main","protocol":"94","scope":"global","prefsrc":"192.0.2.7","metric":5,"flags":[],"metrics":[{"mtu":1400,"window":2000,"rtt":12,"advmss":1360,"hoplimit":33,"initcwnd":20,"ecn":null,"rto_min":300,"quickack":1,"congestion":"reno"}]}',
    {
      type: 'unicast',
      destination: '10.2.0.0/16',
      metric: 5,
      preferredSource: '192.0.2.7',
      nextHops: [{ device: 'eth0', gateway: '192.0.2.1' }],
      metrics: {
        advmss: 1360,
        congctl: 'reno',
        features: 'ecn',
        hoplimit: 33,
        initcwnd: 20,
        mtu: 1400,
        quickack: 1,
        rto_min: '300ms',
        rtt: '12ms',
        window: 2000,
      },
    },
  ],
  [
    'ip route add 10.2.1.0/24 via 192.0.2.1 rtt 100ms rttvar 40ms cwnd lock 6 …',
    4,
    '{"type":"unicast","dst":"10.2.1.0/24","gateway":"192.0.2.1","dev":"eth0","table":"main","protocol":"boot","scope":"global","flags":[],"metrics":[{"rtt":100,"rttvar":40,"ssthresh":5,"cwnd":6,"reordering":3,"initrwnd":3,"fastopen_no_cookie":1}]}',
    {
      type: 'unicast',
      destination: '10.2.1.0/24',
      metric: 0,
      nextHops: [{ device: 'eth0', gateway: '192.0.2.1' }],
      metrics: {
        cwnd: 6,
        fastopen_no_cookie: 1,
        initrwnd: 3,
        reordering: 3,
        rtt: '100ms',
        rttvar: '40ms',
        ssthresh: 5,
      },
    },
  ],
  [
    'ip route add 10.3.0.0/16 via inet6 fe80::1 dev eth0',
    4,
    '{"type":"unicast","dst":"10.3.0.0/16","via":{"family":"inet6","host":"fe80::1"},"dev":"eth0","table":"main","protocol":"boot","scope":"global","flags":[]}',
    {
      type: 'unicast',
      destination: '10.3.0.0/16',
      metric: 0,
      nextHops: [{ device: 'eth0', gateway: 'fe80::1' }],
    },
  ],
  [
    'ip route add 10.4.0.0/16 nexthop … weight 5 nexthop via inet6 … nexthop … onlink',
    4,
    '{"type":"unicast","dst":"10.4.0.0/16","table":"main","protocol":"boot","scope":"global","flags":[],"nexthops":[{"gateway":"192.0.2.1","dev":"eth0","weight":5,"flags":[]},{"via":{"family":"inet6","host":"fe80::2"},"dev":"eth0","weight":1,"flags":[]},{"gateway":"203.0.113.1","dev":"eth2","weight":1,"flags":["onlink"]}]}',
    {
      type: 'unicast',
      destination: '10.4.0.0/16',
      metric: 0,
      nextHops: [
        { device: 'eth0', gateway: '192.0.2.1', weight: 5 },
        { device: 'eth0', gateway: 'fe80::2' },
        { device: 'eth2', gateway: '203.0.113.1', onlink: true },
      ],
    },
  ],
  [
    'ip route add 10.5.0.0/16 via 203.0.113.1 dev eth2 onlink table 1007',
    4,
    '{"type":"unicast","dst":"10.5.0.0/16","gateway":"203.0.113.1","dev":"eth2","table":"1007","protocol":"boot","scope":"global","flags":["onlink"]}',
    {
      type: 'unicast',
      destination: '10.5.0.0/16',
      metric: 0,
      nextHops: [{ device: 'eth2', gateway: '203.0.113.1', onlink: true }],
    },
  ],
  [
    'ip route add 10.6.0.0/16 dev eth1 scope 200',
    4,
    '{"type":"unicast","dst":"10.6.0.0/16","dev":"eth1","table":"main","protocol":"boot","scope":"site","flags":[]}',
    { type: 'unicast', destination: '10.6.0.0/16', metric: 0, scope: 'site', nextHops: [{ device: 'eth1' }] },
  ],
  [
    'an IPv6 route, which has no scope',
    6,
    '{"type":"unicast","dst":"fe80::/64","dev":"eth0","table":"main","protocol":"kernel","scope":"link","metric":256,"flags":[],"pref":"medium"}',
    { type: 'unicast', destination: 'fe80::/64', metric: 256, nextHops: [{ device: 'eth0' }] },
  ],
  [
    'ip -6 route add 2001:db8:101::/48 via 2001:db8::1 pref high expires 300 mtu 1300',
    6,
    '{"type":"unicast","dst":"2001:db8:101::/48","gateway":"2001:db8::1","dev":"eth0","table":"main","protocol":"boot","scope":"global","metric":1024,"flags":[],"expires":294,"metrics":[{"mtu":1300}],"pref":"high"}',
    {
      type: 'unicast',
      destination: '2001:db8:101::/48',
      metric: 1024,
      nextHops: [{ device: 'eth0', gateway: '2001:db8::1' }],
      preference: 'high',
      expiresSeconds: 294,
      metrics: { mtu: 1300 },
    },
  ],
  [
    'ip -6 route add 2001:db8:116::/48 dev eth2 expires 0, three seconds later',
    6,
    '{"type":"unicast","dst":"2001:db8:116::/48","dev":"eth2","table":"main","protocol":"boot","scope":"global","metric":1024,"flags":[],"expires":-3,"pref":"low"}',
    {
      type: 'unicast',
      destination: '2001:db8:116::/48',
      metric: 1024,
      nextHops: [{ device: 'eth2' }],
      preference: 'low',
      expiresSeconds: 0,
    },
  ],
  [
    'ip -6 route add unreachable 2001:db8:110::/48, on a kernel that reports the error',
    6,
    '{"type":"unreachable","dst":"2001:db8:110::/48","dev":"lo","table":"main","protocol":"boot","scope":"global","metric":1024,"flags":[],"error":4294967183,"pref":"medium"}',
    { type: 'unreachable', destination: '2001:db8:110::/48', metric: 1024, nextHops: [] },
  ],
  [
    'ip route add 10.21.0.0/16 nhid 101',
    4,
    '{"type":"unicast","dst":"10.21.0.0/16","nhid":101,"table":"main","protocol":"boot","scope":"global","flags":[],"nh_info":{"id":101,"group":[{"id":1,"weight":3},{"id":7}],"scope":"global","protocol":"unspec","flags":[]},"nexthops":[{"gateway":"192.0.2.1","dev":"eth0","weight":3,"flags":[]},{"gateway":"203.0.113.9","dev":"eth2","weight":1,"flags":["onlink"]}]}',
    {
      type: 'unicast',
      destination: '10.21.0.0/16',
      metric: 0,
      nextHopObject: 101,
      nextHops: [
        { device: 'eth0', gateway: '192.0.2.1', weight: 3 },
        { device: 'eth2', gateway: '203.0.113.9', onlink: true },
      ],
    },
  ],
  [
    'ip route add 10.22.0.0/16 nhid 3, a blackhole',
    4,
    '{"type":"blackhole","dst":"10.22.0.0/16","nhid":3,"dev":"lo","table":"main","protocol":"boot","scope":"global","flags":[],"nh_info":{"id":3,"scope":"global","blackhole":null,"protocol":"unspec","flags":[]}}',
    { type: 'blackhole', destination: '10.22.0.0/16', metric: 0, nextHopObject: 3, nextHops: [] },
  ],
  [
    'ip route add 10.24.0.0/16 nhid 4, an IPv6 gateway',
    4,
    '{"type":"unicast","dst":"10.24.0.0/16","nhid":4,"via":{"family":"inet6","host":"2001:db8::1"},"dev":"eth0","table":"main","protocol":"boot","scope":"global","flags":[],"nh_info":{"id":4,"gateway":"2001:db8::1","dev":"eth0","scope":"link","protocol":"94","flags":[]}}',
    {
      type: 'unicast',
      destination: '10.24.0.0/16',
      metric: 0,
      nextHopObject: 4,
      nextHops: [{ device: 'eth0', gateway: '2001:db8::1' }],
    },
  ],
];

/** The output of iproute2 for routes with unknown attributes. */
const unknown: readonly (readonly [what: string, family: 4 | 6, printed: string, names: readonly string[]])[] = [
  [
    'ip route add 10.7.0.0/16 via 192.0.2.1 realm 5/7',
    4,
    '{"type":"unicast","dst":"10.7.0.0/16","gateway":"192.0.2.1","dev":"eth0","table":"main","protocol":"boot","scope":"global","flags":[],"flow":{"from":"5","to":"7"}}',
    ['flow'],
  ],
  [
    'ip route add 10.7.0.0/16 encap mpls 100 via 192.0.2.1',
    4,
    '{"type":"unicast","dst":"10.7.0.0/16","encap":"mpls","dst":"100","gateway":"192.0.2.1","dev":"eth0","table":"main","protocol":"boot","scope":"global","flags":[]}',
    ['encap', 'encap.dst'],
  ],
  [
    'ip route add 10.7.0.0/16 tos 0x10 encap ip id 7 dst 10.0.0.9 via 192.0.2.1',
    4,
    '{"type":"unicast","dst":"10.7.0.0/16","encap":"ip","id":7,"src":"0.0.0.0","dst":"10.0.0.9","ttl":0,"tos":0,"tos":"0x10","gateway":"192.0.2.1","dev":"eth0","table":"main","protocol":"boot","scope":"global","flags":[]}',
    ['encap', 'encap.dst', 'id', 'src', 'ttl'],
  ],
  [
    'the same, as printed by iproute2 6.15',
    4,
    '{"type":"unicast","dst":"10.7.0.0/16","encap":{"encap_type":"ip","id":7,"src":"0.0.0.0","dst":"10.0.0.9","ttl":0,"tos":0},"tos":"0x10","gateway":"192.0.2.1","dev":"eth0","table":"main","protocol":"boot","scope":"global","flags":[]}',
    ['encap'],
  ],
  [
    'the same without a type of service of its own',
    4,
    '{"type":"unicast","dst":"10.7.0.0/16","encap":"ip","id":7,"src":"0.0.0.0","dst":"10.0.0.9","ttl":0,"tos":0,"gateway":"192.0.2.1","dev":"eth0","table":"main","protocol":"boot","scope":"global","flags":[]}',
    ['encap', 'encap.dst', 'id', 'src', 'tos', 'ttl'],
  ],
  [
    'ip route add 10.7.0.0/16 nexthop encap mpls 200 via 192.0.2.1 nexthop encap mpls 300 ttl 5 via 192.0.2.2',
    4,
    '{"type":"unicast","dst":"10.7.0.0/16","table":"main","protocol":"boot","scope":"global","flags":[],"nexthops":[{"encap":"mpls","dst":"200","gateway":"192.0.2.1","dev":"eth0","weight":1,"flags":[]},{"encap":"mpls","dst":"300","ttl":5,"gateway":"192.0.2.2","dev":"eth0","weight":1,"flags":[]}]}',
    ['nexthops.dst', 'nexthops.encap', 'nexthops.ttl'],
  ],
  ['an unknown flag', 4, '{"dst":"10.7.0.0/16","dev":"eth0","flags":["warped"]}', ['flags.warped']],
  [
    'an unknown flag of a next hop',
    4,
    '{"dst":"10.7.0.0/16","nexthops":[{"dev":"eth0","flags":["linkdown","warped"]},{"dev":"eth1","flags":["warped"]}]}',
    ['nexthops.flags.warped'],
  ],
  [
    'features beyond ECN, and a metric without a value',
    4,
    '{"dst":"10.7.0.0/16","dev":"eth0","metrics":[{"ecn":null,"features":"0x9","warp":null}]}',
    ['metrics.features', 'metrics.warp'],
  ],
  ['ttl-propagate', 6, '{"dst":"10::/16","dev":"eth0","ttl-propogate":true}', ['ttl-propogate']],
];

describe('attributes of routes', () => {
  for (const [what, family, printed, expected] of examples) {
    it(`are read from the output of: ${what}`, () => {
      expect(routeOf(family, printed)).to.deep.equal(expected);
    });
  }

  for (const [what, family, printed, names] of unknown) {
    it(`are listed as unknown if not supported: ${what}`, () => {
      const route = routeOf(family, printed);
      expect(route.unknownAttributes).to.deep.equal(names);
      expect(route.destination).to.equal(family === 4 ? '10.7.0.0/16' : '10::/16');
    });
  }

  it('of an encapsulation do not overwrite those of the route', () => {
    const [, family, printed] = unknown[2] ?? expect.fail('no example');
    expect(routeOf(family, printed)).to.include({ destination: '10.7.0.0/16', typeOfService: '0x10' });
  });

  it('do not change the position of a syntax error after an encapsulation', () => {
    const text = '[{"dst":"10.8.0.0/16","encap":"mpls","dst":"100"},x]';
    const reading = readRoutes(text, 'ip-route4.json', 4, new Map());
    expect(reading.read ? [] : reading.problems.map(({ message }) => message)).to.deep.equal([
      'is not JSON at line 1, column 51: expected a value or a name in quotes, found "x]"',
    ]);
  });
});
