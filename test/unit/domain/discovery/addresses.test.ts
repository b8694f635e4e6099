import { expect } from 'chai';
import fc from 'fast-check';
import { addresses } from '../../../../src/domain/discovery/addresses.ts';
import type { DiscoveryInput } from '../../../../src/domain/discovery/discovery.ts';
import type { BriefLink, BriefNode } from '../../../../src/testing/index.ts';
import { discoveryInput, hostLink } from './discovery-input.ts';

type BriefAddress = NonNullable<BriefLink['addresses']>[number];
type BriefRoutes = NonNullable<BriefNode['routes']>;

interface Surroundings {
  readonly routes?: BriefRoutes;
  readonly links?: readonly BriefLink[];
  readonly master?: string;
  readonly input?: Partial<DiscoveryInput>;
}

const cidr = (text: string): Pick<BriefAddress, 'address' | 'prefixLength'> => {
  const [address = '', prefixLength] = text.split('/');
  return { address, prefixLength: Number(prefixLength) };
};

function judge(given: readonly BriefAddress[], { routes, links = [], master, input = {} }: Surroundings = {}) {
  const host: BriefLink = { name: 'br-blue', addresses: given, ...(master !== undefined && { master }) };
  const found = discoveryInput({ links: [host, ...links], ...(routes && { routes }) }, input);
  return addresses.run(found, { link: hostLink(found) });
}

function published(given: readonly BriefAddress[], surroundings?: Surroundings): readonly string[] {
  const outcome = judge(given, surroundings);
  return outcome.ok ? outcome.found.ipAddresses : [];
}

const defaultRoute = (gateway: string): BriefRoutes[number] => ({
  destination: gateway.includes(':') ? '::/0' : '0.0.0.0/0',
  nextHops: [{ device: 'br-blue', gateway }],
});

describe('the addresses of the host interface', () => {
  it('are reported with their prefix lengths, IPv4 first, one per family', () => {
    expect(published([cidr('2001:db8::6/64'), cidr('192.0.2.7/24'), cidr('192.0.2.6/24')])).to.deep.equal([
      '192.0.2.6/24',
      '2001:db8::6/64',
    ]);
  });

  it('are reported in one spelling', () => {
    expect(published([cidr('2001:DB8:0::6/64')])).to.deep.equal(['2001:db8::6/64']);
  });

  it('are reported with the default gateways out of the interface', () => {
    const outcome = judge([cidr('192.0.2.6/24')], { routes: [defaultRoute('192.0.2.1')] });
    expect(outcome).to.deep.equal({
      ok: true,
      found: { ipAddresses: ['192.0.2.6/24'], defaultGateways: ['192.0.2.1'] },
    });
  });

  it('may be of one family alone', () => {
    expect(published([cidr('2001:db8::6/64')])).to.deep.equal(['2001:db8::6/64']);
  });

  it('are missing where none can be published', () => {
    const failure = { reason: 'GatewayInfoUnavailable', cause: 'no-address' };
    expect(judge([])).to.deep.equal({ ok: false, failure });
    expect(judge([{ ...cidr('192.0.2.6/24'), flags: ['secondary'] }])).to.deep.equal({ ok: false, failure });
  });

  const unpublished: readonly (readonly [what: string, address: BriefAddress])[] = [
    ['of scope link', { ...cidr('192.0.2.6/24'), scope: 'link' }],
    ['of scope host', { ...cidr('192.0.2.6/24'), scope: 'host' }],
    ['link-local IPv4, though its scope is global', cidr('169.254.7.1/16')],
    ['link-local IPv6, though its scope is global', cidr('fe80::1/64')],
    ['secondary', { ...cidr('192.0.2.6/24'), flags: ['secondary'] }],
    ['temporary', { ...cidr('2001:db8::6/64'), flags: ['temporary'] }],
    ['deprecated', { ...cidr('2001:db8::6/64'), flags: ['dynamic', 'deprecated'] }],
    ['that failed duplicate address detection', { ...cidr('2001:db8::6/64'), flags: ['dadfailed'] }],
    ['tentative', { ...cidr('2001:db8::6/64'), flags: ['tentative'] }],
    ["of a load balancer, whose label ends in 'vip'", { ...cidr('192.0.2.6/24'), label: 'br-blue:vip' }],
  ];
  for (const [what, address] of unpublished) {
    it(`exclude one ${what}`, () => {
      expect(published([address])).to.deep.equal([]);
    });
  }

  it("include one whose label has 'vip' elsewhere", () => {
    expect(published([{ ...cidr('192.0.2.6/24'), label: 'vip0' }])).to.deep.equal(['192.0.2.6/24']);
  });

  it('include one with any other flag', () => {
    expect(published([{ ...cidr('2001:db8::6/64'), flags: ['noprefixroute'] }])).to.deep.equal(['2001:db8::6/64']);
  });

  it('exclude those of the masquerade subnets', () => {
    const input = { masqueradeSubnets: ['198.51.100.0/24', 'fd69::/112'] };
    expect(published([cidr('198.51.100.9/24'), cidr('fd69::2/112'), cidr('192.0.2.6/24')], { input })).to.deep.equal([
      '192.0.2.6/24',
    ]);
  });

  it('include a tentative one that was published before, in any spelling', () => {
    const tentative = { ...cidr('2001:db8::6/64'), flags: ['tentative'] };
    expect(published([tentative], { input: { publishedAddresses: ['2001:DB8:0::6/64'] } })).to.deep.equal([
      '2001:db8::6/64',
    ]);
    expect(published([tentative], { input: { publishedAddresses: ['2001:db8::7/64'] } })).to.deep.equal([]);
  });

  it('include one that was published before and is secondary now, rather than the primary one of its subnet', () => {
    const given = [cidr('192.0.2.5/24'), { ...cidr('192.0.2.6/24'), flags: ['secondary'] }];
    expect(published(given, { input: { publishedAddresses: ['192.0.2.6/24'] } })).to.deep.equal(['192.0.2.6/24']);
    expect(published(given)).to.deep.equal(['192.0.2.5/24']);
  });

  it('exclude a deprecated one that was published before', () => {
    const deprecated = { ...cidr('2001:db8::6/64'), flags: ['deprecated'] };
    expect(published([deprecated], { input: { publishedAddresses: ['2001:db8::6/64'] } })).to.deep.equal([]);
  });

  describe('of one family are chosen', () => {
    const dynamic = (text: string): BriefAddress => ({ ...cidr(text), flags: ['dynamic'] });

    const choices: readonly (readonly [
      what: string,
      given: readonly BriefAddress[],
      gateway: string | undefined,
      chosen: string,
    ])[] = [
      ['numerically lowest', [cidr('192.0.2.10/24'), cidr('192.0.2.9/24')], undefined, '192.0.2.9/24'],
      ['permanent before dynamic', [dynamic('192.0.2.1/24'), cidr('192.0.2.2/24')], undefined, '192.0.2.2/24'],
      [
        'in the subnet of the default gateway before permanent',
        [cidr('192.0.2.2/24'), dynamic('198.51.100.9/24')],
        '198.51.100.1',
        '198.51.100.9/24',
      ],
      [
        'as without a gateway where it is in nobody’s subnet',
        [dynamic('192.0.2.1/24'), cidr('192.0.2.2/24')],
        '203.0.113.1',
        '192.0.2.2/24',
      ],
      [
        'by the gateway of their own family',
        [cidr('192.0.2.2/24'), cidr('198.51.100.9/24')],
        '2001:db8::1',
        '192.0.2.2/24',
      ],
      [
        'in the subnet of an IPv6 gateway',
        [cidr('2001:db8:1::2/64'), cidr('2001:db8:2::2/64')],
        '2001:db8:2::1',
        '2001:db8:2::2/64',
      ],
      [
        'as without a gateway where that is link-local',
        [cidr('2001:db8:1::2/64'), cidr('2001:db8:2::2/64')],
        'fe80::1',
        '2001:db8:1::2/64',
      ],
    ];
    for (const [what, given, gateway, chosen] of choices) {
      it(`${what}, whatever their order`, () => {
        const routes = gateway === undefined ? [] : [defaultRoute(gateway)];
        expect(published(given, { routes })).to.deep.equal([chosen]);
        expect(published([...given].reverse(), { routes })).to.deep.equal([chosen]);
      });
    }

    it('by the best of several gateways', () => {
      const routes = [
        { ...defaultRoute('192.0.2.1'), metric: 200 },
        { ...defaultRoute('198.51.100.1'), metric: 100 },
      ];
      expect(published([cidr('192.0.2.2/24'), cidr('198.51.100.9/24')], { routes })).to.deep.equal(['198.51.100.9/24']);
    });

    it('in any order, also if one address has two prefix lengths', () => {
      const given = [cidr('192.0.2.6/24'), cidr('192.0.2.6/32')];
      expect(published(given)).to.deep.equal(published([...given].reverse()));
    });
  });

  describe('of one family that may be virtual', () => {
    const virtual = (text: string): BriefAddress => ({ ...cidr(text), flags: ['nodad'] });
    const dynamic = (text: string): BriefAddress => ({ ...cidr(text), flags: ['dynamic'] });
    const routes = ['192.0.2.0/24', '2001:db8::/64'].map((destination) => ({
      destination,
      nextHops: [{ device: 'br-blue' }],
    }));

    const choices: readonly (readonly [
      what: string,
      given: readonly BriefAddress[],
      before: readonly string[],
      chosen: string,
    ])[] = [
      ['host prefix, IPv4', [cidr('192.0.2.5/32'), cidr('192.0.2.6/24')], [], '192.0.2.6/24'],
      ['host prefix, IPv6', [virtual('2001:db8::5/128'), cidr('2001:db8::6/64')], [], '2001:db8::6/64'],
      ['host prefix, though published', [cidr('192.0.2.5/32'), cidr('192.0.2.6/24')], ['192.0.2.5/32'], '192.0.2.6/24'],
      ['host prefix, the other one dynamic', [cidr('192.0.2.5/32'), dynamic('192.0.2.6/24')], [], '192.0.2.6/24'],
      ['host prefix, the other one leased, IPv4', [cidr('192.0.2.5/32'), dynamic('192.0.2.6/32')], [], '192.0.2.6/32'],
      [
        'host prefix, the other one leased, IPv6',
        [virtual('2001:db8::5/128'), dynamic('2001:db8::6/128')],
        [],
        '2001:db8::6/64',
      ],
      ['without detection', [virtual('2001:db8::5/64'), cidr('2001:db8::6/64')], [], '2001:db8::6/64'],
      [
        'without detection, the other one dynamic',
        [virtual('2001:db8::5/64'), dynamic('2001:db8::6/64')],
        [],
        '2001:db8::6/64',
      ],
      ['new, of the same subnet', [cidr('192.0.2.5/25'), cidr('192.0.2.6/24')], ['192.0.2.6/24'], '192.0.2.6/24'],
      [
        'new, the published one dynamic',
        [cidr('2001:db8::5/64'), dynamic('2001:db8::6/64')],
        ['2001:db8::6/64'],
        '2001:db8::6/64',
      ],
      ['new, all host prefixes', [cidr('192.0.2.5/32'), cidr('192.0.2.6/32')], ['192.0.2.6/32'], '192.0.2.6/32'],
    ];
    for (const [what, given, publishedAddresses, chosen] of choices) {
      it(`comes after the other: ${what}`, () => {
        const surroundings = { routes, input: { publishedAddresses } };
        expect(published(given, surroundings)).to.deep.equal([chosen]);
        expect(published([...given].reverse(), surroundings)).to.deep.equal([chosen]);
      });
    }

    const peer = { ...cidr('192.0.2.6/32'), peer: '192.0.2.1' };
    const [elsewhere, own, lowest] = [cidr('10.99.0.5/24'), cidr('192.0.2.6/32'), cidr('192.0.2.5/32')];
    const ownIpv6 = cidr('2001:db8:9::6/128');
    const toIpv4 = defaultRoute('192.0.2.1');
    const toIpv6 = defaultRoute('fe80::1');
    const kept: readonly (readonly [
      what: string,
      given: readonly BriefAddress[],
      route: BriefRoutes[number] | undefined,
      before: readonly string[],
      chosen: string,
    ])[] = [
      ['its gateway is in no subnet', [own, elsewhere], toIpv4, ['192.0.2.6/32'], '192.0.2.6/32'],
      ['the node has no gateway', [own, elsewhere], undefined, ['192.0.2.6/32'], '192.0.2.6/32'],
      [
        'its gateway is link-local',
        [ownIpv6, cidr('2001:db8::6/64')],
        toIpv6,
        ['2001:db8:9::6/128'],
        '2001:db8:9::6/128',
      ],
      ['its peer is the gateway', [peer, elsewhere], toIpv4, [], '192.0.2.6/32'],
      [
        'it is the source of the default route',
        [lowest, own, { ...cidr('192.0.2.7/32'), flags: ['dynamic'] }],
        { ...toIpv4, preferredSource: '192.0.2.6' },
        ['192.0.2.6/32'],
        '192.0.2.6/32',
      ],
      [
        'it is the IPv6 source of the default route',
        [virtual('2001:db8::5/128'), { ...cidr('2001:db8::6/128'), flags: ['nodad'] }, cidr('2001:db8::7/64')],
        { ...toIpv6, preferredSource: '2001:db8::6' },
        ['2001:db8::6/128'],
        '2001:db8::6/64',
      ],
    ];
    const outranked: typeof kept = [
      [
        'another has the gateway in its subnet',
        [cidr('10.99.0.5/32'), cidr('192.0.2.6/24')],
        toIpv4,
        ['10.99.0.5/32'],
        '192.0.2.6/24',
      ],
      ['nothing is known', [cidr('10.99.0.5/32'), cidr('192.0.2.6/24')], undefined, [], '192.0.2.6/24'],
      [
        'nothing is known in IPv6',
        [cidr('2001:db8:9::6/128'), cidr('2001:db8:a::6/64')],
        toIpv6,
        [],
        '2001:db8:a::6/64',
      ],
      [
        'it is without detection',
        [virtual('2001:db8:9::6/128'), cidr('2001:db8:a::6/64')],
        toIpv6,
        ['2001:db8:9::6/128'],
        '2001:db8:a::6/64',
      ],
      [
        'another has the gateway, though it is the source',
        [cidr('192.0.2.5/32'), cidr('192.0.2.6/24')],
        { ...toIpv4, preferredSource: '192.0.2.5' },
        [],
        '192.0.2.6/24',
      ],
    ];
    const ofOtherSubnets = [
      ...kept.map((each) => ['is the own one', ...each] as const),
      ...outranked.map((each) => ['comes after one of another subnet', ...each] as const),
    ];
    for (const [verdict, what, given, route, publishedAddresses, chosen] of ofOtherSubnets) {
      it(`${verdict} where ${what}`, () => {
        const surroundings = { routes: [...routes, ...(route ? [route] : [])], input: { publishedAddresses } };
        expect(published(given, surroundings)).to.deep.equal([chosen]);
        expect(published([...given].reverse(), surroundings)).to.deep.equal([chosen]);
      });
    }

    it('is published where the interface has no other', () => {
      expect(published([cidr('192.0.2.5/32'), virtual('2001:db8::5/64')])).to.deep.equal([
        '192.0.2.5/32',
        '2001:db8::5/64',
      ]);
    });

    it('comes before the published one where only it is in the subnet of the gateway', () => {
      const input = { publishedAddresses: ['198.51.100.6/24'] };
      const given = [cidr('192.0.2.6/24'), cidr('198.51.100.6/24')];
      expect(published(given, { input, routes: [defaultRoute('192.0.2.1')] })).to.deep.equal(['192.0.2.6/24']);
    });
  });

  describe('with prefix length 128, as assigned by DHCPv6,', () => {
    const leased = [cidr('2001:db8::6/128')];
    const onLink = (destination: string, route: Partial<BriefRoutes[number]> = {}): BriefRoutes[number] => ({
      destination,
      nextHops: [{ device: 'br-blue' }],
      ...route,
    });

    it('have that of their on-link route, the longest of several', () => {
      expect(published(leased, { routes: [onLink('2001:db8::/64')] })).to.deep.equal(['2001:db8::6/64']);
      const routes = [onLink('2001:db8::/32'), onLink('2001:db8::/64'), onLink('2001:db8::/48')];
      expect(published(leased, { routes })).to.deep.equal(['2001:db8::6/64']);
    });

    it("have that of the on-link route in the table of the interface's VRF", () => {
      const links = [{ name: 'blue', kind: 'vrf', vrfTable: 1007 }];
      const routes = [onLink('2001:db8::/48'), onLink('2001:db8::/64', { table: 1007 })];
      expect(published(leased, { routes, links, master: 'blue' })).to.deep.equal(['2001:db8::6/64']);
      expect(published(leased, { routes, links })).to.deep.equal(['2001:db8::6/48']);
    });

    const unrelated: readonly (readonly [what: string, route: BriefRoutes[number]])[] = [
      ['of another subnet', onLink('2001:db8:1::/64')],
      ['by a gateway', onLink('2001:db8::/64', { nextHops: [{ device: 'br-blue', gateway: 'fe80::1' }] })],
      ['out of another device', onLink('2001:db8::/64', { nextHops: [{ device: 'eth1' }] })],
      ['that is no unicast route', onLink('2001:db8::/64', { type: 'unreachable' })],
      ['for what comes from one subnet', onLink('2001:db8::/64', { source: '2001:db8:7::/64' })],
      ['of another table', onLink('2001:db8::/64', { table: 7 })],
      ['to the address itself', onLink('2001:db8::6/128')],
      ['to everywhere', onLink('::/0')],
    ];
    for (const [what, route] of unrelated) {
      it(`do not have that of a route ${what}`, () => {
        expect(published(leased, { routes: [route] })).to.deep.equal(['2001:db8::6/128']);
      });
    }

    it('have it if one of several next hops is on-link', () => {
      const nextHops = [{ device: 'eth1', gateway: 'fe80::1' }, { device: 'br-blue' }];
      expect(published(leased, { routes: [onLink('2001:db8::/64', { nextHops })] })).to.deep.equal(['2001:db8::6/64']);
    });
  });

  it('keep their own prefix length if it is not 128, or the family is IPv4', () => {
    const routes = [
      { destination: '2001:db8::/32', nextHops: [{ device: 'br-blue' }] },
      { destination: '192.0.2.0/24', nextHops: [{ device: 'br-blue' }] },
    ];
    expect(published([cidr('2001:db8::6/64'), cidr('192.0.2.6/32')], { routes })).to.deep.equal([
      '192.0.2.6/32',
      '2001:db8::6/64',
    ]);
  });

  it('do not depend on the order in which the kernel reports them', () => {
    const given = fc.uniqueArray(
      fc.record({
        address: fc.constantFrom('192.0.2.6', '192.0.2.7', '198.51.100.6', '2001:db8::6', '2001:db8::7', 'fe80::1'),
        prefixLength: fc.constantFrom(24, 32, 128),
        flags: fc.constantFrom([], ['dynamic'], ['secondary'], ['nodad']),
      }),
      { selector: ({ address }) => address },
    );
    fc.assert(
      fc.property(given, (ofLink) => {
        expect(published([...ofLink].reverse())).to.deep.equal(published(ofLink));
      }),
    );
  });
});
