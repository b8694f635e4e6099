import { expect } from 'chai';
import type { HopsOfObjects } from '../../../../src/adapters/iproute2-json/next-hop-objects.ts';
import { readRoutes } from '../../../../src/adapters/iproute2-json/routes.ts';
import type { Route } from '../../../../src/domain/snapshot/node-snapshot.ts';
import { capturedText } from '../captured-text.ts';
import { problemLines, valueOf } from '../readings.ts';

const objects: HopsOfObjects = new Map([
  [1, [{ device: 'eth1', gateway: '192.0.2.9' }]],
  [
    3,
    [
      { device: 'eth1', gateway: '192.0.2.9', weight: 3 },
      { device: 'eth2', gateway: '192.0.2.8', onlink: true },
    ],
  ],
  [5, [{ device: 'eth1', gateway: '2001:db8::9' }]],
]);

function read(family: 4 | 6, ...entries: readonly unknown[]) {
  return readRoutes(JSON.stringify(entries), 'ip-route.json', family, objects);
}

function routeOf(family: 4 | 6, entry: unknown): Route | undefined {
  return valueOf(read(family, entry))[0];
}

const plain = {
  type: 'unicast',
  dst: 'default',
  gateway: '192.0.2.1',
  dev: 'eth1',
  table: 'main',
  protocol: 'boot',
  flags: [],
};
const bare = { dst: '192.0.2.0/24', dev: 'eth1' };

describe('routes of `ip -json -details route show table all`', () => {
  it('are those of the captured node', () => {
    const routes = valueOf(readRoutes(capturedText('worker-a', 'ip-route4.json'), 'ip-route4.json', 4, new Map()));
    expect(routes.filter(({ destination, table }) => destination === '0.0.0.0/0' && table === 254)).to.deep.equal([
      {
        family: 4,
        type: 'unicast',
        destination: '0.0.0.0/0',
        table: 254,
        protocol: 'boot',
        metric: 48,
        nextHops: [{ device: 'br-ex', gateway: '198.51.100.1' }],
      },
      {
        family: 4,
        type: 'unicast',
        destination: '0.0.0.0/0',
        table: 254,
        protocol: 'boot',
        metric: 100,
        nextHops: [{ device: 'br-blue', gateway: '192.0.2.1' }],
      },
      {
        family: 4,
        type: 'unicast',
        destination: '0.0.0.0/0',
        table: 254,
        protocol: 'boot',
        metric: 200,
        nextHops: [
          { device: 'red0', gateway: '203.0.113.2' },
          { device: 'red0', gateway: '203.0.113.1' },
        ],
      },
    ]);
    expect(routes.find(({ destination }) => destination === '203.0.113.128/25')).to.include({
      protocol: 'static',
      metric: 0,
    });
  });

  it('are the IPv6 ones of the captured node', () => {
    const routes = valueOf(readRoutes(capturedText('worker-a', 'ip-route6.json'), 'ip-route6.json', 6, new Map()));
    expect(routes.every(({ family }) => family === 6)).to.equal(true);
    expect(routes.filter(({ destination, table }) => destination === '::/0' && table === 254)).to.deep.equal([
      {
        family: 6,
        type: 'unicast',
        destination: '::/0',
        table: 254,
        protocol: 'boot',
        metric: 48,
        nextHops: [{ device: 'br-ex', gateway: '2001:db8:e::1' }],
      },
      {
        family: 6,
        type: 'unicast',
        destination: '::/0',
        table: 254,
        protocol: 'boot',
        metric: 100,
        nextHops: [{ device: 'br-blue', gateway: '2001:db8:b::1' }],
      },
    ]);
  });

  it('are in the table of the VRF after the device was enslaved', () => {
    const routes = valueOf(
      readRoutes(capturedText('worker-a-blue-enslaved', 'ip-route4.json'), 'ip-route4.json', 4, new Map()),
    );
    expect(
      routes.filter(({ nextHops }) => nextHops.some(({ device }) => device === 'br-blue')).map(({ table }) => table),
    ).to.deep.equal(Array(4).fill(1007));
  });

  const destinations: readonly (readonly [family: 4 | 6, printed: string, destination: string])[] = [
    [4, 'default', '0.0.0.0/0'],
    [6, 'default', '::/0'],
    [4, '192.0.2.6', '192.0.2.6/32'],
    [6, '2001:db8::6', '2001:db8::6/128'],
    [4, '192.0.2.0/24', '192.0.2.0/24'],
    [4, '192.0.2.6/32', '192.0.2.6/32'],
    [6, 'fe80::/64', 'fe80::/64'],
  ];
  for (const [family, dst, destination] of destinations) {
    for (const type of ['unicast', 'unreachable', 'blackhole']) {
      it(`of type ${type} have destination ${destination} if ip prints ${dst}`, () => {
        expect(routeOf(family, { type, dst })).to.include({ type, destination });
      });
    }
  }

  const tables: readonly (readonly [printed: string | undefined, table: number | string])[] = [
    [undefined, 254],
    ['main', 254],
    ['local', 255],
    ['default', 253],
    ['1007', 1007],
    ['4294967295', 4294967295],
    ['blue', 'blue'],
    ['7blue', '7blue'],
    ['blue7', 'blue7'],
  ];
  for (const [table, number] of tables) {
    it(`are in table ${number} if ip prints ${table ?? 'none'}`, () => {
      expect(routeOf(4, { ...bare, table })?.table).to.equal(number);
    });
  }

  it('have type unicast, protocol unspec and metric 0 if ip prints none', () => {
    expect(routeOf(4, bare)).to.deep.equal({
      family: 4,
      type: 'unicast',
      destination: '192.0.2.0/24',
      table: 254,
      protocol: 'unspec',
      metric: 0,
      nextHops: [{ device: 'eth1' }],
    });
  });

  it('have the protocol as printed, name or number', () => {
    expect(['bgp', '94'].map((protocol) => routeOf(4, { ...bare, protocol })?.protocol)).to.deep.equal(['bgp', '94']);
  });

  const hops: readonly (readonly [what: string, family: 4 | 6, entry: object, nextHops: Route['nextHops']])[] = [
    ['a gateway', 4, plain, [{ device: 'eth1', gateway: '192.0.2.1' }]],
    ['a device only', 4, bare, [{ device: 'eth1' }]],
    ['a gateway only', 4, { dst: 'default', gateway: '192.0.2.1' }, [{ gateway: '192.0.2.1' }]],
    ['nothing', 4, { dst: 'default' }, []],
    [
      'several',
      4,
      {
        dst: 'default',
        nexthops: [
          { gateway: '192.0.2.1', dev: 'eth1', weight: 1, flags: [] },
          {},
          { dev: 'eth2', weight: 2, flags: ['onlink'] },
        ],
      },
      [
        { device: 'eth1', gateway: '192.0.2.1' },
        { device: 'eth2', weight: 2, onlink: true },
      ],
    ],
    [
      'flags that are states, and onlink',
      4,
      { ...plain, flags: ['onlink', 'pervasive', 'offload', 'trap', 'rt_offload', 'rt_trap'] },
      [{ device: 'eth1', gateway: '192.0.2.1', onlink: true }],
    ],
    ...[['dead'], ['linkdown'], ['dead', 'linkdown']].map(
      (flags) =>
        [flags.join(' and '), 4, { ...plain, flags }, [{ device: 'eth1', gateway: '192.0.2.1', down: true }]] as const,
    ),
    [
      'several, one of them dead',
      6,
      {
        dst: 'default',
        nexthops: [
          { dev: 'eth1', gateway: 'fe80::1', flags: ['dead'] },
          { dev: 'eth2', gateway: 'fe80::1' },
        ],
      },
      [
        { device: 'eth1', gateway: 'fe80::1', down: true },
        { device: 'eth2', gateway: 'fe80::1' },
      ],
    ],
    [
      'a gateway of the other family',
      4,
      { dst: 'default', via: { family: 'inet6', host: 'fe80::1' }, dev: 'eth1' },
      [{ device: 'eth1', gateway: 'fe80::1' }],
    ],
    [
      'several gateways, one of the other family',
      4,
      {
        dst: 'default',
        nexthops: [
          { via: { family: 'inet6', host: 'fe80::1' }, dev: 'eth1', weight: 1 },
          { gateway: '192.0.2.1', dev: 'eth2' },
        ],
      },
      [
        { device: 'eth1', gateway: 'fe80::1' },
        { device: 'eth2', gateway: '192.0.2.1' },
      ],
    ],
    ['an object', 4, { dst: 'default', nhid: 1 }, [{ device: 'eth1', gateway: '192.0.2.9' }]],
    [
      'an object that is a group',
      4,
      { dst: 'default', nhid: 3 },
      [
        { device: 'eth1', gateway: '192.0.2.9', weight: 3 },
        { device: 'eth2', gateway: '192.0.2.8', onlink: true },
      ],
    ],
    ["an object, of the route's family", 6, { dst: 'default', nhid: 5 }, [{ device: 'eth1', gateway: '2001:db8::9' }]],
    ['an object, of the other family', 4, { dst: 'default', nhid: 5 }, [{ device: 'eth1', gateway: '2001:db8::9' }]],
    ['an object that does not exist', 4, { dst: 'default', nhid: 99 }, []],
    [
      'an object, with its next hops',
      4,
      { dst: 'default', nhid: 3, nexthops: [{ gateway: '192.0.2.9', dev: 'eth1', weight: 1 }] },
      [{ device: 'eth1', gateway: '192.0.2.9' }],
    ],
    ['none, of type unreachable', 4, { type: 'unreachable', dst: 'default', metric: 4278198272 }, []],
    ['the loopback device, of type unreachable', 6, { type: 'unreachable', dst: 'default', dev: 'lo' }, []],
    ['a blackhole object', 4, { type: 'blackhole', dst: '203.0.114.0/24', nhid: 4, dev: 'lo' }, []],
    ['the loopback device, of type prohibit', 6, { type: 'prohibit', dst: 'default', dev: 'lo' }, []],
    ['the loopback device, of type throw', 6, { type: 'throw', dst: 'default', dev: 'lo' }, []],
    ['the loopback device, of type local', 6, { type: 'local', dst: '::1', dev: 'lo' }, [{ device: 'lo' }]],
  ];
  for (const [what, family, entry, nextHops] of hops) {
    it(`have the right IPv${family} next hops if ip prints ${what}`, () => {
      expect(routeOf(family, entry)?.nextHops).to.deep.equal(nextHops);
    });
  }

  it('are all read, whatever attributes they have', () => {
    const lines = JSON.parse(capturedText('worker-a', 'ip-route6.json')) as readonly unknown[];
    const routes = valueOf(readRoutes(capturedText('worker-a', 'ip-route6.json'), 'ip-route6.json', 6, new Map()));
    expect(routes).to.have.length(lines.length);
    expect(routes.filter(({ unknownAttributes }) => unknownAttributes !== undefined)).to.deep.equal([]);
  });

  it('are empty for an empty file and for empty objects', () => {
    expect(valueOf(readRoutes('', 'ip-route.json', 6, objects))).to.deep.equal([]);
    expect(valueOf(read(4, {}, {}))).to.deep.equal([]);
  });

  const notDestination4 = 'expected "default", or an IPv4 address or subnet, found string';
  const problems: readonly (readonly [what: string, entry: object, line: string])[] = [
    ['no destination', { dev: 'eth1' }, '[0].dst: expected a value, found nothing'],
    [
      'a destination of the other family',
      { ...plain, dst: '2001:db8::/64' },
      `[0].dst: ${notDestination4} "2001:db8::/64"`,
    ],
    ['an invalid destination', { ...plain, dst: 'home' }, `[0].dst: ${notDestination4} "home"`],
    ['a prefix that is too long', { ...plain, dst: '192.0.2.0/33' }, `[0].dst: ${notDestination4} "192.0.2.0/33"`],
    ['a prefix that is not a number', { ...plain, dst: '192.0.2.0/x' }, `[0].dst: ${notDestination4} "192.0.2.0/x"`],
    [
      'a prefix that is partly a number',
      { ...plain, dst: '192.0.2.0/2x' },
      `[0].dst: ${notDestination4} "192.0.2.0/2x"`,
    ],
    ['a negative prefix', { ...plain, dst: '192.0.2.0/-1' }, `[0].dst: ${notDestination4} "192.0.2.0/-1"`],
    ['two prefixes', { ...plain, dst: '192.0.2.0/24/25' }, `[0].dst: ${notDestination4} "192.0.2.0/24/25"`],
    ['a table that is not a string', { ...plain, table: 254 }, '[0].table: expected a string, found number 254'],
    ['a metric in quotes', { ...plain, metric: '48' }, '[0].metric: expected a whole number, found string "48"'],
    ['a protocol that is not a string', { ...plain, protocol: 3 }, '[0].protocol: expected a string, found number 3'],
    [
      'a gateway that is not a string',
      { ...plain, gateway: ['x'] },
      '[0].gateway: expected a string, found a list of 1 item',
    ],
    ['next hops that are not a list', { ...plain, nexthops: {} }, '[0].nexthops: expected a list, found an object'],
    [
      'a device of a next hop that is not a string',
      { ...plain, nexthops: [{ dev: 3 }] },
      '[0].nexthops[0].dev: expected a string, found number 3',
    ],
    [
      'a flag of a next hop that is not a string',
      { ...plain, nexthops: [{ dev: 'eth1', flags: [1] }] },
      '[0].nexthops[0].flags[0]: expected a string, found number 1',
    ],
    [
      'a weight that is not a number',
      { ...plain, nexthops: [{ dev: 'eth1', weight: 'heavy' }] },
      '[0].nexthops[0].weight: expected a whole number, found string "heavy"',
    ],
    [
      'a gateway of another family without an address',
      { ...plain, via: { family: 'inet6' } },
      '[0].via.host: expected a value, found nothing',
    ],
    ['an invalid source', { ...plain, from: 'afar' }, `[0].from: ${notDestination4} "afar"`],
    ['metrics that are not a list', { ...plain, metrics: { mtu: 1 } }, '[0].metrics: expected a list, found an object'],
    ['metrics that are not objects', { ...plain, metrics: [7] }, '[0].metrics[0]: expected an object, found number 7'],
    [
      'an expiry that is not a number',
      { ...plain, expires: 'soon' },
      '[0].expires: expected a whole number, found string "soon"',
    ],
    ['a preference that is not a string', { ...plain, pref: 2 }, '[0].pref: expected a string, found number 2'],
    ['a scope that is not a string', { ...plain, scope: 253 }, '[0].scope: expected a string, found number 253'],
    ['an object that is not a number', { ...plain, nhid: '3' }, '[0].nhid: expected a whole number, found string "3"'],
  ];
  for (const [what, entry, line] of problems) {
    it(`are invalid with ${what}`, () => {
      expect(problemLines(read(4, entry))).to.deep.equal([`ip-route.json: ${line}`]);
    });
  }
});
