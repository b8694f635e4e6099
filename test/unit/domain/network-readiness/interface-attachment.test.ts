import { expect } from 'chai';
import type { LedgerEntry } from '../../../../src/domain/index.ts';
import { interfaceAttachment } from '../../../../src/domain/network-readiness/interface-attachment.ts';
import type { BriefLink, BriefNode, BriefRoute } from '../../../../src/testing/index.ts';
import { corporateVrf, domains, hostInterface, type InputBrief, managementPort } from '../dataplane/dataplane-input.ts';
import { checkInput } from './check-input.ts';

const reason = 'UplinkVRFAttachmentFailed';
const device = 'br-blue';
const ownVrf: BriefLink = { name: 'blue', kind: 'vrf', vrfTable: 1012, alias: 'ovn-uplinks:cluster_udn_blue' };

/** A node whose uplink's interface is a slave of something. */
function nodeIn(master: string | undefined, node: Omit<BriefNode, 'nodeName'> = {}): Omit<BriefNode, 'nodeName'> {
  const host = master === undefined ? hostInterface : { ...hostInterface, master };
  return { links: [host, managementPort, corporateVrf, ownVrf, { name: 'bond0', kind: 'bond' }], ...node };
}

function membership(vrf: string, table: number): LedgerEntry {
  return { kind: 'membership', device, vrf, table, network: 'cluster_udn_blue' };
}

function judge(brief: InputBrief, internalIps: readonly string[] = []) {
  return interfaceAttachment(checkInput(brief, { internalIps }));
}

describe('the place of the interface', () => {
  /** Where it is, by whose hand, and where the network wants it. */
  const places: readonly (readonly [
    where: string | undefined,
    byUs: boolean,
    wanted: keyof typeof domains,
    failure: { readonly master: string; readonly vrf?: string } | undefined,
  ])[] = [
    [undefined, false, 'the default routing domain', undefined],
    [undefined, false, 'its own VRF', undefined],
    [undefined, false, 'another existing VRF', undefined],
    ['blue', true, 'the default routing domain', undefined],
    ['blue', true, 'its own VRF', undefined],
    ['blue', true, 'another existing VRF', undefined],
    ['corp', true, 'the default routing domain', undefined],
    ['corp', true, 'its own VRF', undefined],
    ['corp', true, 'another existing VRF', undefined],
    ['blue', false, 'the default routing domain', { master: 'blue' }],
    ['blue', false, 'its own VRF', undefined],
    ['blue', false, 'another existing VRF', { master: 'blue', vrf: 'corp' }],
    ['corp', false, 'the default routing domain', { master: 'corp' }],
    ['corp', false, 'its own VRF', { master: 'corp', vrf: 'blue' }],
    ['corp', false, 'another existing VRF', undefined],
    ['bond0', false, 'the default routing domain', { master: 'bond0' }],
    ['bond0', false, 'its own VRF', { master: 'bond0', vrf: 'blue' }],
  ];
  for (const [where, byUs, wanted, failure] of places) {
    const hand = where === undefined ? '' : ` by ${byUs ? 'our' : "somebody else's"} hand`;
    it(`${failure ? 'is a reason' : 'is right or can be made so'} where it is in ${where ?? 'no VRF'}${hand} and the network in ${wanted}`, () => {
      const table = where === 'corp' ? 500 : 1012;
      const ledger = byUs && where !== undefined ? [membership(where, table)] : [];
      const expected = failure && { reason, cause: 'other-master', device, ...failure };
      expect(judge({ domain: domains[wanted], node: nodeIn(where, { ledger }) })).to.deep.equal(expected);
    });
  }

  it('is no matter while it is not there, or while nothing is wanted of it', () => {
    expect(judge({ domain: domains['its own VRF'], node: { links: [managementPort] } })).to.be.undefined;
    const undecided = checkInput({ node: nodeIn('corp') }, { dataplane: undefined });
    expect(interfaceAttachment(undecided)).to.be.undefined;
  });
});

describe('an interface by which the node is reached', () => {
  const own = domains['its own VRF'];
  const cutsOff = { reason, cause: 'cuts-node-off', device, vrf: 'blue' };

  it('is not moved into a VRF where it bears an InternalIP of the Node', () => {
    const by = (...internalIps: readonly string[]) => judge({ domain: own, node: nodeIn(undefined) }, internalIps);
    expect(by('192.0.2.6')).to.deep.equal({ ...cutsOff, by: { address: '192.0.2.6' } });
    expect(by('198.51.100.1', '2001:DB8:B:0::6')).to.deep.equal({ ...cutsOff, by: { address: '2001:DB8:B:0::6' } });
    expect(by('192.0.2.7', '2001:db8:b::7')).to.be.undefined;
    expect(by()).to.be.undefined;
  });

  it('is not moved either where a VLAN device on it does, which goes down with it', () => {
    const vlan: BriefLink = { name: 'br-blue.5', kind: 'vlan', lowerDevice: device };
    const links = [
      hostInterface,
      managementPort,
      ownVrf,
      { ...vlan, addresses: [{ address: '192.0.2.60', prefixLength: 24 }] },
    ];
    expect(judge({ domain: own, node: { links } }, ['192.0.2.60'])).to.deep.equal({
      ...cutsOff,
      by: { address: '192.0.2.60', vlan: 'br-blue.5' },
    });
  });

  it("is not moved into somebody else's VRF either", () => {
    const failure = judge({ domain: domains['another existing VRF'], node: nodeIn(undefined) }, ['192.0.2.6']);
    expect(failure).to.deep.equal({ ...cutsOff, vrf: 'corp', by: { address: '192.0.2.6' } });
  });

  it('stays where it is in the default domain', () => {
    expect(judge({ node: nodeIn(undefined) }, ['192.0.2.6'])).to.be.undefined;
  });

  it('stays in the VRF that it is in already: nothing is left to be cut off', () => {
    expect(judge({ domain: own, node: nodeIn('blue') }, ['192.0.2.6'])).to.be.undefined;
    const ledger = [membership('corp', 500)];
    expect(judge({ domain: own, node: nodeIn('corp', { ledger }) }, ['192.0.2.6'])).to.be.undefined;
  });
});

describe('an interface with something on it that nobody could make again', () => {
  const own = domains['its own VRF'];
  const odd = (unknownAttributes: readonly string[]): Omit<BriefNode, 'nodeName'> => ({
    routes: [{ destination: '10.9.0.0/16', nextHops: [{ device, gateway: '192.0.2.1' }], unknownAttributes }],
  });
  const failure = {
    reason,
    cause: 'cannot-be-put-back',
    device,
    thing: 'route 10.9.0.0/16 via 192.0.2.1 dev br-blue',
    by: { attributes: ['encap', 'realms'] },
  };

  it('is not moved into a VRF', () => {
    const node = nodeIn(undefined, odd(['encap', 'realms']));
    expect(judge({ domain: own, node })).to.deep.equal(failure);
    expect(judge({ domain: domains['another existing VRF'], node })).to.deep.equal(failure);
  });

  it('is not moved from one VRF into another, nor out of one', () => {
    const ledger = [membership('corp', 500)];
    const node = nodeIn('corp', { ...odd(['encap', 'realms']), ledger });
    expect(judge({ domain: own, node })).to.deep.equal(failure);
    expect(judge({ domain: domains['the default routing domain'], node })).to.deep.equal(failure);
  });

  it('is not moved out of a VRF and in again because the VRF has to be made again', () => {
    const oldVrf = { ...ownVrf, vrfTable: 1005 };
    const links = [{ ...hostInterface, master: 'blue' }, managementPort, oldVrf];
    const ledger = [membership('blue', 1005)];
    expect(judge({ domain: own, node: { links, ledger } }), 'with nothing on it').to.be.undefined;
    expect(judge({ domain: own, node: { links, ledger, ...odd(['encap', 'realms']) } })).to.deep.equal(failure);
  });

  it('stays where it is', () => {
    expect(judge({ node: nodeIn(undefined, odd(['encap'])) }), 'in the default domain').to.be.undefined;
    expect(judge({ domain: own, node: nodeIn('blue', odd(['encap'])) }), 'in its VRF').to.be.undefined;
  });

  it('can be moved where all of it is known', () => {
    expect(judge({ domain: own, node: nodeIn(undefined, odd([])) })).to.be.undefined;
  });

  it('can be moved where somebody else puts it back', () => {
    const daemon = odd(['encap']).routes!.map((route) => ({ ...route, protocol: 'bgp' }));
    expect(judge({ domain: own, node: nodeIn(undefined, { routes: daemon }) })).to.be.undefined;
  });

  it('is told of a next hop object too', () => {
    const nextHopObjects = [{ id: 5, device, gateway: '192.0.2.1', unknownAttributes: ['encap'] }];
    expect(judge({ domain: own, node: nodeIn(undefined, { nextHopObjects }) })).to.deep.equal({
      ...failure,
      thing: 'next hop object 5 via 192.0.2.1 dev br-blue',
      by: { attributes: ['encap'] },
    });
  });
});

describe('an interface with a route that would not find its place', () => {
  const toCorp = domains['another existing VRF'];
  const here: BriefRoute = { destination: '10.9.0.0/16', nextHops: [{ device, gateway: '192.0.2.1' }] };
  const there: BriefRoute = { ...here, table: 500, nextHops: [{ device: 'br-other', gateway: '198.51.100.1' }] };
  const inTheWay = (wanted: string, found: string) => ({ reason, cause: 'in-the-way', wanted, found });
  const judgeRoutes = (...routes: readonly BriefRoute[]) =>
    judge({ domain: toCorp, node: nodeIn(undefined, { routes }) });

  it('is not moved where somebody else’s stands there already', () => {
    expect(judgeRoutes(here, there)).to.deep.equal(
      inTheWay(
        'route 10.9.0.0/16 via 192.0.2.1 dev br-blue table 500',
        'route 10.9.0.0/16 via 198.51.100.1 dev br-other table 500 of protocol static',
      ),
    );
  });

  it('is not moved where another one of its own would come there, or is there', () => {
    expect(judgeRoutes(here, { ...here, table: 500, nextHops: [{ device, gateway: '192.0.2.2' }] })).to.deep.equal(
      inTheWay(
        'route 10.9.0.0/16 via 192.0.2.1 dev br-blue table 500',
        'route 10.9.0.0/16 via 192.0.2.2 dev br-blue table 500 of protocol static',
      ),
    );
  });

  it('can be moved where the same one is there, or one of another metric', () => {
    expect(judgeRoutes(here, { ...here, table: 500 })).to.be.undefined;
    expect(judgeRoutes(here, { ...there, metric: 9 })).to.be.undefined;
    expect(judgeRoutes(there)).to.be.undefined;
  });

  it('is not moved where one of another table has its address as the source, which the VRF alone will know', () => {
    const elsewhere = { ...here, table: 77, preferredSource: '192.0.2.6' };
    expect(judgeRoutes(elsewhere)).to.deep.equal({
      reason,
      cause: 'cannot-be-put-back',
      device,
      thing: 'route 10.9.0.0/16 via 192.0.2.1 dev br-blue src 192.0.2.6 table 77',
      by: { refusal: 'Invalid prefsrc address' },
    });
    expect(judgeRoutes({ ...here, preferredSource: '192.0.2.6' }), 'a route that goes into the VRF').to.be.undefined;
  });

  it('can be moved out of a VRF with any source', () => {
    const ledger = [membership('corp', 500)];
    const routes = [{ ...here, table: 77, preferredSource: '192.0.2.6' }];
    expect(judge({ node: nodeIn('corp', { ledger, routes }) })).to.be.undefined;
  });

  it('is not moved out of a VRF where somebody has made another route meanwhile', () => {
    const ledger = [membership('corp', 500)];
    const node = nodeIn('corp', {
      ledger,
      routes: [
        { ...here, table: 500 },
        { ...there, table: 254 },
      ],
    });
    expect(judge({ node })).to.deep.equal(
      inTheWay(
        'route 10.9.0.0/16 via 192.0.2.1 dev br-blue',
        'route 10.9.0.0/16 via 198.51.100.1 dev br-other of protocol static',
      ),
    );
  });
});

describe('an interface with something on it that the kernel keeps and would not take a second time', () => {
  const host: BriefLink = {
    ...hostInterface,
    addresses: [
      { address: '192.0.2.6', prefixLength: 24 },
      { address: '2001:db8::6', prefixLength: 64 },
    ],
  };
  const lo: BriefLink = {
    name: 'lo',
    type: 'loopback',
    addresses: [
      { address: '203.0.113.1', prefixLength: 32 },
      { address: '2001:db8:f::1', prefixLength: 128 },
    ],
  };
  const links = [host, managementPort, corporateVrf, lo, { name: 'down0', up: false }];
  // All that an interface has is kept over the cycle, so that only what is said here is in question.
  const sysctls = { 'net.ipv6.conf.all.keep_addr_on_down': '1' };
  const judgeNode = (
    node: Omit<BriefNode, 'nodeName' | 'links'>,
    domain: (typeof domains)[keyof typeof domains] = domains['its own VRF'],
  ) => judge({ domain, node: { links, kernelRoutes: true, sysctls, ...node } });
  const route = (destination: string, gateway: string, more: Partial<BriefRoute> = {}): BriefRoute => ({
    destination,
    nextHops: [{ device, gateway }],
    ...more,
  });

  const cases: readonly (readonly [
    name: string,
    node: Omit<BriefNode, 'nodeName' | 'links'>,
    refused: readonly [thing: string, refusal: string] | undefined,
  ])[] = [
    [
      'an IPv4 route whose gateway is reached no longer',
      { routes: [route('10.9.0.0/16', '198.51.120.254')] },
      [
        'route 10.9.0.0/16 via 198.51.120.254 dev br-blue',
        'next hop 198.51.120.254 br-blue: Nexthop has invalid gateway',
      ],
    ],
    [
      'such a route, told to be on the link',
      { routes: [{ destination: '10.9.0.0/16', nextHops: [{ device, gateway: '198.51.120.254', onlink: true }] }] },
      undefined,
    ],
    [
      'an IPv4 route whose gateway is reached by another route that moves with it',
      {
        routes: [
          route('10.9.0.0/16', '198.51.120.254'),
          { destination: '198.51.120.0/24', scope: 'link', nextHops: [{ device }] },
        ],
      },
      undefined,
    ],
    [
      'an IPv6 route whose gateway is reached no longer',
      { routes: [route('2001:db8:9::/48', '2001:db8:b::1', { metric: 1024 })] },
      [
        'route 2001:db8:9::/48 via 2001:db8:b::1 dev br-blue metric 1024',
        'next hop 2001:db8:b::1 br-blue: No route to host',
      ],
    ],
    [
      'a next hop object whose gateway is reached no longer',
      { nextHopObjects: [{ id: 5, device, gateway: '198.51.120.254' }] },
      [
        'next hop object 5 via 198.51.120.254 dev br-blue',
        'next hop 198.51.120.254 br-blue: Nexthop has invalid gateway',
      ],
    ],
    [
      'a route with another leg out of a device that is down',
      {
        routes: [
          {
            destination: '10.9.0.0/16',
            nextHops: [
              { device, gateway: '192.0.2.1' },
              { device: 'down0', gateway: '198.51.100.1' },
            ],
          },
        ],
      },
      [
        'route 10.9.0.0/16 nexthop via 192.0.2.1 dev br-blue nexthop via 198.51.100.1 dev down0',
        'next hop 198.51.100.1 down0: Nexthop has invalid gateway',
      ],
    ],
    [
      'an IPv6 route with a source that is outside of the VRF',
      { routes: [route('2001:db8:9::/48', '2001:db8::1', { metric: 1024, preferredSource: '2001:db8:f::1' })] },
      ['route 2001:db8:9::/48 via 2001:db8::1 dev br-blue src 2001:db8:f::1 metric 1024', 'Invalid source address'],
    ],
    [
      'an IPv4 route with a source that is outside of VRFs, which every table knows',
      { routes: [route('10.9.0.0/16', '192.0.2.1', { preferredSource: '203.0.113.1' })] },
      undefined,
    ],
    [
      'a route behind one that NetworkManager says the kernel made',
      {
        routes: [
          { destination: '198.51.120.0/24', scope: 'link', protocol: 'kernel', metric: 100, nextHops: [{ device }] },
          route('10.9.0.0/16', '198.51.120.254'),
        ],
      },
      undefined,
    ],
    [
      'a route behind one that a router advertises',
      {
        routes: [
          { destination: '2001:db8:b::/64', protocol: 'ra', metric: 100, nextHops: [{ device }] },
          route('2001:db8:9::/48', '2001:db8:b::1', { metric: 1024 }),
        ],
      },
      undefined,
    ],
    [
      'a route by an object that a routing daemon makes again',
      {
        nextHopObjects: [{ id: 7, device, gateway: '192.0.2.1', protocol: 'zebra' }],
        routes: [{ destination: '10.9.0.0/16', nextHops: [{ device, gateway: '192.0.2.1' }], nextHopObject: 7 }],
      },
      undefined,
    ],
    [
      'a route behind one of a next hop object, whatever comes first by name',
      {
        nextHopObjects: [{ id: 5, device }],
        routes: [
          { destination: '198.51.120.0/24', scope: 'link', nextHopObject: 5, nextHops: [{ device }] },
          route('10.9.0.0/16', '198.51.120.254'),
        ],
      },
      undefined,
    ],
    [
      'a route with a source of a subnet that is local as a whole',
      {
        routes: [
          { destination: '198.51.121.0/24', type: 'local', scope: 'host', table: 255, nextHops: [{ device: 'lo' }] },
          route('10.9.0.0/16', '192.0.2.1', { preferredSource: '198.51.121.7' }),
        ],
      },
      undefined,
    ],
    [
      'routes with the interface’s own sources',
      {
        routes: [
          route('10.9.0.0/16', '192.0.2.1', { preferredSource: '192.0.2.6' }),
          route('2001:db8:9::/48', '2001:db8::1', { metric: 1024, preferredSource: '2001:db8::6' }),
        ],
      },
      undefined,
    ],
  ];
  for (const [name, node, refused] of cases) {
    it(`is ${refused === undefined ? 'moved with' : 'not moved with'} ${name}`, () => {
      const [thing, refusal] = refused ?? [];
      expect(judgeNode(node)).to.deep.equal(
        refused && { reason, cause: 'cannot-be-put-back', device, thing, by: { refusal } },
      );
    });
  }

  it('is judged by the table of the VRF that it is to be in, whoever’s that is', () => {
    const found = judgeNode({ routes: [route('10.9.0.0/16', '198.51.120.254')] }, domains['another existing VRF']);
    expect(found).to.have.deep.property('by', {
      refusal: 'next hop 198.51.120.254 br-blue: Nexthop has invalid gateway',
    });
  });

  it('is not moved out of a VRF either', () => {
    const inCorp = links.map((link) => (link === host ? { ...host, master: 'corp' } : link));
    const node = {
      links: inCorp,
      kernelRoutes: true as const,
      ledger: [membership('corp', 500)],
      routes: [route('10.9.0.0/16', '198.51.120.254', { table: 500 })],
    };
    expect(judge({ node })).to.have.property('thing', 'route 10.9.0.0/16 via 198.51.120.254 dev br-blue');
  });

  it('tells the same of several, however they are listed', () => {
    const routes = [route('10.9.0.0/16', '198.51.120.254'), route('10.8.0.0/16', '198.51.120.254')];
    const found = judgeNode({ routes });
    expect(found).to.have.property('thing', 'route 10.8.0.0/16 via 198.51.120.254 dev br-blue');
    expect(judgeNode({ routes: routes.toReversed() })).to.deep.equal(found);
  });

  it('is judged in a VRF that is still to be made, whatever names are taken', () => {
    const named = links.map((link) => (link === host ? { ...host, alternativeNames: ['vrf'] } : link));
    const routes = [route('10.9.0.0/16', '192.0.2.1', { table: 77, preferredSource: '192.0.2.6' })];
    const found = judge({
      domain: domains['its own VRF'],
      node: { links: named, kernelRoutes: true, sysctls, routes },
    });
    expect(found).to.have.deep.property('by', { refusal: 'Invalid prefsrc address' });
  });

  it('is judged in a time that grows with the routes and not with their square', function () {
    this.timeout(30_000);
    const routes = Array.from({ length: 10_000 }, (_, index) =>
      route(`10.${index >> 8}.${index & 255}.0/24`, '192.0.2.1'),
    );
    expect(judgeNode({ routes })).to.be.undefined;
  });
});
