import { expect } from 'chai';
import {
  defaultGatewaysOf,
  routingTableOf,
  unequalGatewaysOf,
  unusedDefaultRoutes,
} from '../../../../src/domain/discovery/default-gateways.ts';
import type { BriefLink, BriefNode } from '../../../../src/testing/index.ts';
import { discoveryInput, hostLink } from './discovery-input.ts';

type BriefRoute = NonNullable<BriefNode['routes']>[number];

const vrf: BriefLink = { name: 'blue', kind: 'vrf', vrfTable: 1007 };

function inputOf(routes: readonly BriefRoute[], host: Partial<BriefLink> = {}, rules: BriefNode['rules'] = []) {
  return discoveryInput({ links: [{ name: 'br-blue', ...host }, { name: 'bond0' }, vrf], routes, rules });
}

function gateways(...brief: Parameters<typeof inputOf>): readonly string[] {
  const input = inputOf(...brief);
  return defaultGatewaysOf(hostLink(input), input.node);
}

/** The default routes of a family that give no gateway: the table of each, and why. */
function unusedOf(family: 4 | 6, ...brief: Parameters<typeof inputOf>): readonly string[] {
  const input = inputOf(...brief);
  return unusedDefaultRoutes(family, hostLink(input), input.node).map(({ route, why }) => `${route.table} ${why}`);
}

const by = (gateway: string, route: Partial<BriefRoute> = {}): BriefRoute => ({
  destination: gateway.includes(':') ? '::/0' : '0.0.0.0/0',
  nextHops: [{ device: 'br-blue', gateway }],
  ...route,
});

describe('the routing table of a device', () => {
  const tables: readonly (readonly [what: string, master: string | undefined, table: number])[] = [
    ['is main', undefined, 254],
    ['is that of the VRF that it is a member of', 'blue', 1007],
    ['is main where it has another master', 'bond0', 254],
    ['is main where its master is not known', 'gone', 254],
  ];
  for (const [what, master, table] of tables) {
    it(what, () => {
      const host: BriefLink = { name: 'br-blue', ...(master !== undefined && { master }) };
      const input = discoveryInput({ links: [host, { name: 'bond0' }, vrf] });
      expect(routingTableOf(hostLink(input), input.node)).to.equal(table);
    });
  }
});

describe('the default gateways of a device', () => {
  it('are the next hops of its default routes in both families', () => {
    expect(gateways([by('192.0.2.1'), by('2001:db8::1')])).to.deep.equal(['192.0.2.1', '2001:db8::1']);
  });

  it('are of each family those of the best metric, in numeric order', () => {
    const routes = [
      by('192.0.2.10', { metric: 20 }),
      by('192.0.2.9', { metric: 20 }),
      by('192.0.2.200', { metric: 50 }),
      by('2001:db8::2', { metric: 1024 }),
      by('2001:db8::1', { metric: 1025 }),
    ];
    expect(gateways(routes)).to.deep.equal(['192.0.2.9', '192.0.2.10', '2001:db8::2']);
  });

  it('are of routers of one metric those that are preferred', () => {
    const [high, medium, low] = [
      by('fe80::3', { preference: 'high' }),
      by('fe80::2'),
      by('fe80::1', { preference: 'low' }),
    ];
    expect(gateways([low, medium, high])).to.deep.equal(['fe80::3']);
    expect(gateways([low, medium])).to.deep.equal(['fe80::2']);
    expect(gateways([low])).to.deep.equal(['fe80::1']);
    expect(gateways([medium, { ...high, metric: 2000 }])).to.deep.equal(['fe80::2']);
  });

  it('are those of a worse metric if the better route gives none', () => {
    const onLink = by('', { destination: '0.0.0.0/0', metric: 5, nextHops: [{ device: 'br-blue' }] });
    expect(gateways([onLink, by('192.0.2.1', { metric: 9 })])).to.deep.equal(['192.0.2.1']);
  });

  it('are each next hop of a multipath route, each once', () => {
    const nextHops = [
      { device: 'br-blue', gateway: '192.0.2.2' },
      { device: 'eth1', gateway: '192.0.2.3' },
      { device: 'br-blue', gateway: '192.0.2.1' },
    ];
    expect(gateways([by('', { destination: '0.0.0.0/0', nextHops }), by('192.0.2.1')])).to.deep.equal([
      '192.0.2.1',
      '192.0.2.2',
    ]);
  });

  it('may have different weights, which OVN cannot have', () => {
    const unequal = (routes: readonly BriefRoute[]) => {
      const input = discoveryInput({ links: [{ name: 'br-blue' }], routes });
      return unequalGatewaysOf(new Set([4, 6] as const), hostLink(input), input.node);
    };
    const hops = (...weights: readonly number[]) =>
      weights.map((weight, at) => ({ device: 'br-blue', gateway: `192.0.2.${at + 1}`, ...(weight > 1 && { weight }) }));
    const route = (...weights: readonly number[]) => by('', { destination: '0.0.0.0/0', nextHops: hops(...weights) });
    expect(unequal([route(1, 3)])).to.deep.equal([
      [
        { address: '192.0.2.1', weight: 1 },
        { address: '192.0.2.2', weight: 3 },
      ],
    ]);
    expect(unequal([route(3, 3), by('fe80::1')])).to.deep.equal([]);
    expect(unequal([{ ...route(1, 3), metric: 9 }, by('192.0.2.9')])).to.deep.equal([]);
  });

  it('are reported once in one spelling', () => {
    expect(gateways([by('2001:DB8::1'), by('2001:db8:0::1')])).to.deep.equal(['2001:db8::1']);
  });

  describe('whose destinations are the halves of everything', () => {
    const low = (gateway: string, route: Partial<BriefRoute> = {}) =>
      by(gateway, { destination: gateway.includes(':') ? '::/1' : '0.0.0.0/1', ...route });
    const high = (gateway: string, route: Partial<BriefRoute> = {}) =>
      by(gateway, { destination: gateway.includes(':') ? '8000::/1' : '128.0.0.0/1', ...route });
    const halves: readonly (readonly [
      what: string,
      routes: readonly BriefRoute[],
      found: readonly string[],
      unused?: readonly string[],
    ])[] = [
      ['are theirs', [low('192.0.2.1'), high('192.0.2.1')], ['192.0.2.1']],
      ['are theirs in IPv6', [low('fe80::1'), high('fe80::1')], ['fe80::1']],
      [
        'are theirs rather than those of a default route, which the kernel uses last',
        [low('192.0.2.1'), high('192.0.2.1'), by('192.0.2.9')],
        ['192.0.2.1'],
      ],
      [
        'are the ones that both have, of each the best metric',
        [
          low('192.0.2.1', { metric: 5 }),
          low('192.0.2.2', { metric: 5 }),
          low('192.0.2.3', { metric: 9 }),
          high('192.0.2.2', { metric: 7 }),
          high('192.0.2.3', { metric: 7 }),
        ],
        ['192.0.2.2'],
      ],
      ['are not that of one half', [low('192.0.2.1')], [], ['254 one-half']],
      ['are not theirs if they differ', [low('192.0.2.1'), high('192.0.2.2')], [], ['254 one-half', '254 one-half']],
      ['are those of a default route beside one half', [low('192.0.2.1'), by('192.0.2.9')], ['192.0.2.9']],
      [
        'are not theirs if they have none',
        [low('', { nextHops: [{ device: 'br-blue' }] }), high('192.0.2.1')],
        [],
        ['254 no-gateway', '254 one-half'],
      ],
      [
        'are not theirs if one is in another table',
        [low('192.0.2.1'), high('192.0.2.1', { table: 77 })],
        [],
        ['254 one-half', '77 one-half'],
      ],
      [
        'are not theirs in another table',
        [low('192.0.2.1', { table: 77 }), high('192.0.2.1', { table: 77 })],
        [],
        ['77 other-table', '77 other-table'],
      ],
      ["are not this project's own", [low('192.0.2.1', { protocol: '94' }), high('192.0.2.1', { protocol: '94' })], []],
    ];
    for (const [what, routes, found, unused = []] of halves) {
      it(what, () => {
        expect(gateways(routes)).to.deep.equal(found);
        expect(([4, 6] as const).flatMap((family) => unusedOf(family, routes))).to.deep.equal(unused);
      });
    }
  });

  it('are missing because of a default route for some packets only', () => {
    const fromSubnet = by('2001:db8::1', { source: '2001:db8::/64' });
    const forService = by('192.0.2.1', { typeOfService: '0x10' });
    expect(unusedOf(6, [fromSubnet])).to.deep.equal(['254 some-packets']);
    expect(unusedOf(4, [forService])).to.deep.equal(['254 some-packets']);
    expect(unusedOf(4, [{ ...forService, table: 77 }])).to.deep.equal(['77 some-packets']);
    expect(unusedOf(6, [fromSubnet, by('2001:db8::2')])).to.deep.equal([]);
  });

  it('may be link-local in IPv6', () => {
    expect(gateways([by('fe80::1')])).to.deep.equal(['fe80::1']);
  });

  it('are of the table of its VRF if it is enslaved', () => {
    const routes = [by('192.0.2.1'), by('192.0.2.2', { table: 1007 })];
    expect(gateways(routes, { master: 'blue' })).to.deep.equal(['192.0.2.2']);
    expect(gateways(routes)).to.deep.equal(['192.0.2.1']);
  });

  it('are at most 64', () => {
    const found = gateways(Array.from({ length: 70 }, (_, index) => by(`192.0.2.${70 - index}`)));
    expect(found).to.have.length(64);
    expect([found[0], found[63]]).to.deep.equal(['192.0.2.1', '192.0.2.64']);
  });

  const unrelated: readonly (readonly [what: string, route: BriefRoute])[] = [
    ['of a route to somewhere', by('192.0.2.1', { destination: '198.51.100.0/24' })],
    [
      'of a route out of another device',
      by('', { destination: '0.0.0.0/0', nextHops: [{ device: 'eth1', gateway: '192.0.2.1' }] }),
    ],
    ['of a route without one', by('', { destination: '0.0.0.0/0', nextHops: [{ device: 'br-blue' }] })],
    ['of a route that is not unicast', by('192.0.2.1', { type: 'unreachable' })],
    ["of this project's own routes", by('192.0.2.1', { protocol: '94' })],
    ['of routes for one type of service', by('192.0.2.1', { typeOfService: '0x10' })],
    ['of routes for what comes from one subnet', by('2001:db8::1', { destination: '::/0', source: '2001:db8::/64' })],
    ['of the other family', by('2001:db8::1', { destination: '0.0.0.0/0' })],
  ];
  for (const [what, route] of unrelated) {
    it(`are not those ${what}`, () => {
      expect(gateways([route])).to.deep.equal([]);
    });
  }
});

describe('the default gateways of a device whose table has none', () => {
  const addresses = [
    { address: '192.0.2.6', prefixLength: 24 },
    { address: '2001:db8::6', prefixLength: 64 },
  ];
  const inTable = (gateway: string, table: number) => by(gateway, { table });
  const from = (src: string, table: number, rule: object = {}) => ({
    family: src.includes(':') ? (6 as const) : (4 as const),
    priority: 1200,
    table,
    others: { src: JSON.stringify(src) },
    ...rule,
  });

  const selected: readonly (readonly [
    what: string,
    rules: NonNullable<BriefNode['rules']>,
    found: readonly string[],
  ])[] = [
    ['an address', [from('192.0.2.6', 120)], ['192.0.2.1']],
    ['the subnet', [from('192.0.2.0', 120, { others: { src: '"192.0.2.0"', srclen: '24' } })], ['192.0.2.1']],
    ['the IPv6 address', [from('2001:db8::6', 120)], ['2001:db8::1']],
    ['the address, first of all', [from('192.0.2.6', 121, { priority: 9 }), from('192.0.2.6', 120)], ['192.0.2.2']],
    [
      'the address, where the first table is empty',
      [from('192.0.2.6', 77, { priority: 9 }), from('192.0.2.6', 120)],
      ['192.0.2.1'],
    ],
    ['another address', [from('192.0.2.7', 120)], []],
    ['an address with a mark', [from('192.0.2.6', 120, { mark: 1 })], []],
    [
      'an address to a destination',
      [from('192.0.2.6', 120, { others: { src: '"192.0.2.6"', dst: '"10.0.0.0"', dstlen: '8' } })],
      [],
    ],
    ['every packet', [from('192.0.2.6', 120, { others: {} })], []],
  ];
  const routes = [inTable('192.0.2.1', 120), inTable('192.0.2.2', 121), inTable('2001:db8::1', 120)];
  for (const [what, rules, found] of selected) {
    it(`are ${found.length > 0 ? 'those' : 'not those'} of a table that a rule selects for ${what}`, () => {
      expect(gateways(routes, { addresses }, rules)).to.deep.equal(found);
      expect(gateways(routes, { addresses, master: 'blue' }, rules)).to.deep.equal(found);
    });
  }

  describe('where the rule is behind that of main', () => {
    const main = { family: 4 as const, priority: 32_766, table: 254, others: {} };
    const behind = from('192.0.2.6', 120, { priority: 40_000 });
    const outOf = (device: string, more: Partial<BriefRoute> = {}) =>
      by('', { destination: '0.0.0.0/0', nextHops: [{ device, gateway: '203.0.113.1' }], ...more });
    const half = (destination: string) => outOf('bond0', { destination });
    const found = ['192.0.2.1'];
    const reached: readonly (readonly [
      what: string,
      more: readonly BriefRoute[],
      rule: NonNullable<BriefNode['rules']>[number],
      found: readonly string[],
    ])[] = [
      ['are not those of its table: main has a default route', [outOf('bond0')], main, []],
      ['are not those of its table: main has both halves of one', ['0.0.0.0/1', '128.0.0.0/1'].map(half), main, []],
      ['are those of its table if main has one half', [half('0.0.0.0/1')], main, found],
      ['are those of its table if main has no default route', [], main, found],
      ['are those of its table if main has one of the other family', [by('fe80::1', { nextHops: [] })], main, found],
      ['are those of its table if the default route is in no main', [outOf('bond0', { table: 9 })], main, found],
      [
        'are those of its table if the rule of main takes no default route',
        [outOf('bond0')],
        { ...main, others: { suppress_prefixlen: '0' } },
        found,
      ],
      ['are those of its table if the rule of main is for a mark', [outOf('bond0')], { ...main, mark: 1 }, found],
      ['are those of its table if main comes later', [outOf('bond0')], { ...main, priority: 40_001 }, found],
      [
        'are those of its table if the rule of main is of the other family',
        [outOf('bond0')],
        { ...main, family: 6 },
        found,
      ],
    ];
    for (const [what, more, rule, expected] of reached) {
      it(what, () => {
        const [ofTable] = routes;
        expect(gateways([ofTable!, ...more], { addresses }, [rule, behind])).to.deep.equal(expected);
      });
    }
  });

  it('are those of its own table if that has some', () => {
    const rules = [from('192.0.2.6', 120)];
    expect(gateways([...routes, by('192.0.2.9')], { addresses }, rules)).to.deep.equal(['192.0.2.9']);
    const onLink = by('', { destination: '0.0.0.0/0', nextHops: [{ device: 'br-blue' }] });
    expect(gateways([...routes, onLink], { addresses }, rules)).to.deep.equal(['192.0.2.1']);
  });

  it('are missing because of each of these routes', () => {
    const plain = (nextHop: object) =>
      by('', { destination: '0.0.0.0/0', nextHops: [{ device: 'br-blue', ...nextHop }] });
    expect(unusedOf(4, routes)).to.deep.equal(['120 other-table', '121 other-table']);
    expect(unusedOf(6, routes)).to.deep.equal(['120 other-table']);
    expect(unusedOf(4, [plain({})])).to.deep.equal(['254 no-gateway']);
    expect(unusedOf(4, [plain({ gateway: 'fe80::1' })])).to.deep.equal(['254 gateway-of-other-family']);
    expect(unusedOf(4, [...routes, by('192.0.2.9')])).to.deep.equal([]);
    expect(unusedOf(4, [])).to.deep.equal([]);
  });
});
