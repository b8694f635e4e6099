import { expect } from 'chai';
import { isPlacedAlready, straysOn, withoutStrays } from '../../../../../src/domain/entities/ownership/strays.ts';
import type { NodeSnapshot } from '../../../../../src/domain/index.ts';
import { type BriefRoute, completeNode } from '../../../../../src/testing/index.ts';

const lease: BriefRoute = {
  destination: '0.0.0.0/0',
  protocol: 'dhcp',
  nextHops: [{ device: 'br-blue', gateway: '192.0.2.1' }],
};
const advertised: BriefRoute = {
  destination: '::/0',
  protocol: 'ra',
  metric: 1024,
  expiresSeconds: 900,
  nextHops: [{ device: 'br-blue', gateway: 'fe80::1' }],
};

interface Around {
  readonly master?: string;
  /** Routes that were moved before, in the main table. */
  readonly moved?: readonly BriefRoute[];
  readonly sysctls?: Readonly<Record<string, string>>;
}

/** A node with `br-blue` in VRF blue, whose table is 1004. */
function nodeWith(
  routes: readonly BriefRoute[],
  { master = 'blue', moved = [], sysctls = {} }: Around = {},
): NodeSnapshot {
  return completeNode({
    nodeName: 'a',
    links: [
      { name: 'br-blue', master, addresses: [{ address: '192.0.2.6', prefixLength: 24 }] },
      { name: 'blue', kind: 'vrf', vrfTable: 1004 },
      { name: 'corp', kind: 'vrf', vrfTable: 77 },
    ],
    routes,
    kernelRoutes: true,
    sysctls: { 'net.ipv6.conf.br-blue.accept_ra': '0', ...sysctls },
    ledger: [
      { kind: 'membership', device: 'br-blue', vrf: 'blue', table: 1004, network: 'cluster_udn_blue' },
      ...moved.map((route) => ({
        kind: 'displaced' as const,
        device: 'br-blue',
        entity: { kind: 'route' as const, route },
        state: 'placed' as const,
      })),
    ],
  });
}

/** Each stray with what happens to it. */
function straysOf(...brief: Parameters<typeof nodeWith>): readonly string[] {
  return straysOn(nodeWith(...brief)).map((stray) => {
    const what = stray.stays
      ? 'stays'
      : isPlacedAlready(stray)
        ? 'is there already'
        : stray.found
          ? 'replaces'
          : 'moves';
    return `${stray.origin.route.nextHops[0]?.gateway} ${what}`;
  });
}

describe('a default route that is added to main while its interface is in a VRF', () => {
  const placed = (route: BriefRoute) => ({ ...route, table: 1004 });
  const other: BriefRoute = { ...lease, nextHops: [{ device: 'br-blue', gateway: '192.0.2.9' }] };
  const cases: readonly (readonly [what: string, found: readonly string[], ...Parameters<typeof nodeWith>])[] = [
    ['is moved', ['192.0.2.1 moves', 'fe80::1 moves'], [lease, advertised]],
    ['is there already', ['192.0.2.1 is there already'], [lease, placed(lease)], { moved: [lease] }],
    ['is there already, whoever added it', ['192.0.2.1 is there already'], [lease, placed(lease)]],
    ['replaces one that was moved', ['192.0.2.9 replaces'], [other, placed(lease)], { moved: [lease] }],
    ['stays beside one that was not moved', ['192.0.2.9 stays'], [other, placed(lease)]],
    ['is moved beside one of another metric', ['192.0.2.9 moves'], [other, placed({ ...lease, metric: 5 })]],
    [
      'stays if the kernel would refuse it',
      ['203.0.113.1 stays'],
      [{ ...lease, nextHops: [{ device: 'br-blue', gateway: '203.0.113.1' }] }],
    ],
    ['stays if it has an unknown attribute', ['192.0.2.1 stays'], [{ ...lease, unknownAttributes: ['encap'] }]],
    [
      'replaces one that ends earlier',
      ['fe80::1 replaces'],
      [advertised, placed({ ...advertised, expiresSeconds: 600 })],
      { moved: [advertised] },
    ],
    [
      'is there already until later',
      ['fe80::1 is there already'],
      [{ ...advertised, expiresSeconds: 600 }, placed(advertised)],
      { moved: [advertised] },
    ],
    ['is none of a routing daemon', [], [{ ...lease, protocol: 'bgp' }]],
    ['is none that the kernel adds', [], [advertised], { sysctls: { 'net.ipv6.conf.br-blue.accept_ra': '2' } }],
    ['is none of another table', [], [{ ...lease, table: 120 }]],
    ['is none to somewhere', [], [{ ...lease, destination: '10.0.0.0/8' }]],
    [
      'is none that leads out of other interfaces too',
      [],
      [{ ...lease, nextHops: [...lease.nextHops, { device: 'corp' }] }],
    ],
    ['is none of an interface that others have put into another VRF', [], [lease], { master: 'corp' }],
  ];
  for (const [what, found, ...brief] of cases) {
    it(what, () => {
      expect(straysOf(...brief)).to.deep.equal(found);
    });
  }

  it('stays on an interface on which nothing is changed', () => {
    const node = nodeWith([lease]);
    expect(withoutStrays(node, new Set(['br-red'])).routes).to.deep.equal(withoutStrays(node).routes);
    expect(withoutStrays(node, new Set(['br-blue']))).to.equal(node);
  });

  it('counts where it is moved to', () => {
    const defaults = (node: NodeSnapshot) =>
      withoutStrays(node)
        .routes.filter(({ destination }) => destination === '0.0.0.0/0')
        .map(({ table, nextHops }) => `${nextHops[0]?.gateway} in ${table}`);
    expect(defaults(nodeWith([lease]))).to.deep.equal(['192.0.2.1 in 1004']);
    expect(defaults(nodeWith([other, placed(lease)], { moved: [lease] }))).to.deep.equal(['192.0.2.9 in 1004']);
    expect(defaults(nodeWith([other, placed(lease)]))).to.deep.equal(['192.0.2.9 in 254', '192.0.2.1 in 1004']);
  });
});
