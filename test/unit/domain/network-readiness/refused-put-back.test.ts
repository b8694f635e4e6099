import { expect } from 'chai';
import { interfaceAttachment } from '../../../../src/domain/network-readiness/interface-attachment.ts';
import type { BriefLink, BriefNode, BriefRoute } from '../../../../src/testing/index.ts';
import { corporateVrf, domains, hostInterface, type InputBrief, managementPort } from '../dataplane/dataplane-input.ts';
import { checkInput } from './check-input.ts';
import { withTexts } from './failure-texts.ts';

const reason = 'UplinkVRFAttachmentFailed';
const device = 'br-blue';

function judge(brief: InputBrief) {
  return withTexts(interfaceAttachment(checkInput(brief, { internalIps: [] })));
}

describe('an interface with an entity that the kernel keeps and would refuse to add again', () => {
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
      'a route of a routing daemon that it cannot make again either',
      {
        routes: [
          route('10.9.0.0/16', '192.0.2.1'),
          {
            destination: '2001:db8:b::/64',
            protocol: 'zebra',
            nextHops: [{ device }],
            preferredSource: '2001:db8:f::1',
          },
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
      'a next hop object behind a route of another one, or of a group of those',
      {
        nextHopObjects: [
          { id: 5, device },
          { id: 6, device, gateway: '198.51.120.254' },
          { id: 7, group: [{ id: 5, weight: 1 }] },
          { id: 8, device, gateway: '198.51.121.254' },
        ],
        routes: [
          { destination: '198.51.120.0/24', scope: 'link', nextHopObject: 5, nextHops: [{ device }] },
          { destination: '198.51.121.0/24', scope: 'link', nextHopObject: 7, nextHops: [{ device }] },
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
      'a neighbour whose address is none, of which there is one word only',
      { neighbours: [{ device, address: 'nowhere', macAddress: '02:00:00:00:00:09', states: ['permanent'] }] },
      ['neighbour nowhere at 02:00:00:00:00:09 on br-blue', 'nowhere is no address'],
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

  it('is judged by the table of its VRF-to-be, managed or not', () => {
    const found = judgeNode({ routes: [route('10.9.0.0/16', '198.51.120.254')] }, domains['another existing VRF']);
    expect(found).to.have.deep.property('by', {
      refusal: 'next hop 198.51.120.254 br-blue: Nexthop has invalid gateway',
    });
  });

  it('is not released either', () => {
    const inCorp = links.map((link) => (link === host ? { ...host, master: 'corp' } : link));
    const node = {
      links: inCorp,
      kernelRoutes: true as const,
      ledger: [{ kind: 'membership', device, vrf: 'corp', table: 500, network: 'cluster_udn_blue' }] as const,
      routes: [route('10.9.0.0/16', '198.51.120.254', { table: 500 })],
    };
    expect(judge({ node })).to.have.property('thing', 'route 10.9.0.0/16 via 198.51.120.254 dev br-blue');
  });

  it('reports the same one of several entities, in any order', () => {
    const routes = [route('10.9.0.0/16', '198.51.120.254'), route('10.8.0.0/16', '198.51.120.254')];
    const found = judgeNode({ routes });
    expect(found).to.have.property('thing', 'route 10.8.0.0/16 via 198.51.120.254 dev br-blue');
    expect(judgeNode({ routes: routes.toReversed() })).to.deep.equal(found);
  });

  it('reports the refused leg, in any order of legs', () => {
    const legs = [
      { device: 'down0', gateway: '198.51.100.1' },
      { device, gateway: '198.51.120.254' },
    ];
    const found = judgeNode({ routes: [{ destination: '10.9.0.0/16', nextHops: legs }] });
    expect(found).to.have.deep.property('by', {
      refusal: 'next hop 198.51.120.254 br-blue: Nexthop has invalid gateway',
    });
    expect(judgeNode({ routes: [{ destination: '10.9.0.0/16', nextHops: legs.toReversed() }] })).to.deep.equal(found);
  });

  it('reports the refused entity, and not those that depend on it', () => {
    const routes = [
      route('10.9.0.0/16', '198.51.120.254'),
      { destination: '198.51.120.0/24', scope: 'link', nextHops: [{ device }], preferredSource: '203.0.113.77' },
    ];
    const found = judgeNode({ routes });
    expect(found)
      .to.have.property('thing')
      .which.matches(/^route 198.51.120.0\/24 dev br-blue/);
    expect(judgeNode({ routes: routes.toReversed() })).to.deep.equal(found);
  });

  it('is judged in a VRF that is still to be created, whatever names are taken', () => {
    const named = links.map((link) => (link === host ? { ...host, alternativeNames: ['vrf'] } : link));
    const routes = [route('10.9.0.0/16', '192.0.2.1', { table: 77, preferredSource: '192.0.2.6' })];
    const found = judge({
      domain: domains['its own VRF'],
      node: { links: named, kernelRoutes: true, sysctls, routes },
    });
    expect(found).to.have.deep.property('by', { refusal: 'Invalid prefsrc address' });
  });

  it('is judged in a time that is linear in the number of routes', function () {
    this.timeout(30_000);
    const routes = Array.from({ length: 10_000 }, (_, index) =>
      route(`10.${index >> 8}.${index & 255}.0/24`, '192.0.2.1'),
    );
    expect(judgeNode({ routes })).to.be.undefined;
  });
});
