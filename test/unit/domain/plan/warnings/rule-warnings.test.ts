import { expect } from 'chai';
import { defaultSettings, planNode } from '../../../../../src/domain/index.ts';
import type { BriefRule } from '../../../../../src/testing/brief-node.ts';
import { type BriefNode, completeNode } from '../../../../../src/testing/index.ts';
import {
  attachment,
  cluster,
  frrConfiguration,
  network,
  node,
  routeAdvertisements,
  uplink,
} from '../../brief-objects.ts';

/** Network 600 has mark 0x1258, and is in its own VRF, or in the default routing domain if it is not advertised there. */
const blue = network('blue', {
  network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }, { cidr: 'fd20::/48' }] } },
});
const inVrf = {
  routeAdvertisements: [routeAdvertisements('ra', { targetVRF: 'auto' })],
  frrConfigurations: [frrConfiguration('f', { nodeSelector: {}, bgp: { routers: [{ vrf: 'blue' }] } })],
};
const healthy: BriefNode = {
  nodeName: 'a',
  links: [
    {
      name: 'br-blue',
      addresses: [
        { address: '192.0.2.6', prefixLength: 24 },
        { address: '2001:db8:b::6', prefixLength: 64 },
      ],
    },
    { name: 'eth1' },
    { name: 'ovn-k8s-mp600', index: 9 },
    {
      name: 'br-ex',
      addresses: [
        { address: '169.254.0.2', prefixLength: 17 },
        { address: 'fd69::2', prefixLength: 112 },
      ],
    },
  ],
  bridges: [{ name: 'br-blue', ports: [{ name: 'eth1' }] }],
};

type Domain = 'VRF' | 'default';

/** The warnings about rules besides the kernel's. */
function messages(
  rules: readonly BriefRule[],
  domain: Domain = 'VRF',
  brief: Partial<BriefNode> = {},
): readonly string[] {
  const snapshot = completeNode({ ...healthy, ...brief, kernelRules: true, rules });
  const described = cluster({
    nodes: [node('a')],
    uplinks: [uplink('blue', 'br-blue')],
    clusterUserDefinedNetworks: [blue],
    networkAttachmentDefinitions: [attachment('blue', '600')],
    ...(domain === 'VRF' ? inVrf : {}),
  });
  return planNode(described, snapshot, defaultSettings)
    .warnings.map(({ message }) => message)
    .filter((message) => / rules? \d/.test(message) && message.startsWith('IPv'));
}

/** Rules that do not look up a table that they name. */
const withoutTable = ['action', 'goto', 'nop', 'l3mdev'];

const of = (priority: number, others: Record<string, unknown>, more: Partial<BriefRule> = {}): BriefRule => ({
  ...{ priority, protocol: 'static' },
  ...(!withoutTable.some((name) => name in others) && { table: 7120 }),
  ...more,
  others: Object.fromEntries(Object.entries(others).map(([name, value]) => [name, JSON.stringify(value)])),
});

/** Rules, and which packets they may lead elsewhere: those in the VRF, those with the mark where the network is in no VRF, or in one. */
const cases: readonly (readonly [rule: BriefRule, inVrf: 'VRF' | 'mark' | 'none', inDefault: 'mark' | 'none'])[] = [
  [of(110, { not: null }, { mark: 0x1bd00 }), 'VRF', 'mark'],
  [of(100, { suppress_prefixlen: 0 }, { table: 254 }), 'VRF', 'mark'],
  [of(110, {}), 'VRF', 'mark'],
  [of(1000, {}), 'VRF', 'mark'],
  [of(1001, {}), 'mark', 'mark'],
  [of(1999, {}), 'mark', 'mark'],
  [of(2000, {}), 'none', 'none'],
  [of(9, {}, { mark: 0x200, markMask: 0xf00 }), 'mark', 'mark'],
  [of(9, {}, { mark: 0xa00, markMask: 0xf00 }), 'none', 'none'],
  [of(9, {}, { mark: 0, markMask: 0xf00 }), 'VRF', 'none'],
  [of(9, {}, { mark: 0x1258 }), 'mark', 'mark'],
  [of(9, { not: null }, { mark: 0x1258 }), 'VRF', 'none'],
  [of(9, {}, { mark: 0x1258, table: 255 }), 'none', 'none'],
  [of(9, {}, { table: 1009 }), 'none', 'none'],
  [of(9, { not: null }), 'none', 'none'],
  [of(9, { iif: 'eth7' }), 'mark', 'mark'],
  [of(9, { iif: 'br-blue' }), 'VRF', 'mark'],
  [of(9, { iif: 'lo' }), 'VRF', 'mark'],
  [of(9, { iif: 'br-blue' }, { detached: true }), 'none', 'none'],
  [of(9, { oif: 'gone' }, { detached: true, mark: 0x1258 }), 'none', 'none'],
  [of(9, { not: null, iif: 'gone' }, { detached: true }), 'VRF', 'mark'],
  [of(9, { not: null, src: '203.0.113.9', oif: 'gone' }, { detached: true }), 'VRF', 'mark'],
  [of(9, { oif: 'blue' }), 'VRF', 'mark'],
  [of(9, { not: null, iif: 'br-blue' }), 'VRF', 'mark'],
  [of(9, { src: '203.0.113.9' }), 'none', 'none'],
  [of(9, { src: '10.20.8.0', srclen: 24 }), 'VRF', 'mark'],
  [of(9, { src: '192.0.2.6' }), 'VRF', 'none'],
  [of(9, { src: '169.254.0.11' }), 'VRF', 'mark'],
  [of(9, { not: null, src: '10.20.0.0', srclen: 16 }), 'VRF', 'mark'],
  [of(9, { dst: '203.0.113.0', dstlen: 24 }), 'VRF', 'mark'],
  [of(9, { ipproto: 'tcp', dport: 443 }), 'VRF', 'mark'],
  [of(9, { tun_id: 7 }), 'none', 'none'],
  [of(9, { action: 'unreachable' }), 'VRF', 'mark'],
  [of(9, { l3mdev: null, action: 'unreachable' }), 'VRF', 'none'],
  [of(9, { not: null, l3mdev: null, action: 'unreachable' }), 'mark', 'mark'],
  [of(9, { l3mdev: null }), 'none', 'none'],
  [of(9, { nop: null }), 'none', 'none'],
  [of(9, { goto: 32766 }), 'VRF', 'mark'],
  [of(9, { goto: 77 }), 'none', 'none'],
  [of(1999, {}, { mark: 0x1258, table: 7, protocol: '94' }), 'none', 'none'],
];

describe('a rule of another program', () => {
  for (const [rule, expectedInVrf, expectedInDefault] of cases) {
    const text = JSON.stringify({ ...rule, protocol: undefined });
    it(`${text} concerns the packets of a network in a VRF: ${expectedInVrf}; of one that is in none: ${expectedInDefault}`, () => {
      for (const [domain, expected] of [
        ['VRF', expectedInVrf],
        ['default', expectedInDefault],
      ] as const) {
        const found = messages([rule], domain);
        expect(found.map((message) => (message.includes('packets in VRF blue ') ? 'VRF' : 'mark'))).to.deep.equal(
          expected === 'none' ? [] : [expected],
        );
      }
    });
  }

  it('is named in the words of ip-rule(8), with the others, for both families at once', () => {
    const rules = [of(100, { suppress_prefixlen: 0 }, { table: 254 }), of(110, { not: null }, { mark: 0x1bd00 })];
    const both = ([4, 6] as const).flatMap((family) => rules.map((rule) => ({ ...rule, family })));
    expect(messages(both)).to.deep.equal([
      'IPv4 and IPv6 rules 100 (lookup main suppress_prefixlength 0), 110 (not fwmark 0x1bd00 lookup 7120) come before rule 1000, by which VRFs use their tables (l3mdev): packets in VRF blue may use other routes, and leave by other interfaces; rules with a priority above 1999 are harmless',
    ]);
    expect(messages([of(9, {}, { family: 6, mark: 0x80, markMask: 0x80, table: 254 })], 'default')).to.deep.equal([]);
    expect(messages([of(9, {}, { family: 6, mark: 0x200, markMask: 0xf00 })], 'default')).to.deep.equal([
      'IPv6 rule 9 (fwmark 0x200/0xf00 lookup 7120) comes before rule 1999, by which packets with marks of networks use their tables: packets with mark 0x1258 (blue) may use other routes, and leave by other interfaces; rules with a priority above 1999 are harmless',
    ]);
  });

  it('is harmless if all routes of its table lead out of the VRF', () => {
    const rule = of(9, { src: '192.0.2.6' }, { table: 500 });
    const route = { destination: '0.0.0.0/0', table: 500, nextHops: [{ device: 'br-blue', gateway: '192.0.2.1' }] };
    const other = { destination: '10.0.0.0/8', table: 500, nextHops: [{ device: 'br-ex' }] };
    expect(messages([rule], 'VRF', { routes: [route] })).to.deep.equal([]);
    expect(messages([rule], 'VRF', { routes: [route, other] })).to.have.length(1);
  });

  /** The warnings where the rule of VRFs has another priority than the kernel gives it. */
  const withRuleOfVrfsAt = (priority: number, ...rules: readonly BriefRule[]) => {
    const vrf = { name: 'blue', kind: 'vrf', vrfTable: 1009, alias: 'ovn-uplinks:cluster_udn_blue' };
    const links = [...(healthy.links ?? []), vrf];
    const behind: BriefRule = { priority, protocol: 'kernel', others: { l3mdev: 'null' } };
    const snapshot = completeNode({
      ...healthy,
      links,
      rules: [...completeNode(healthy).rules, behind, { ...behind, family: 6 }, ...rules],
    });
    const described = cluster({
      nodes: [node('a')],
      uplinks: [uplink('blue', 'br-blue')],
      clusterUserDefinedNetworks: [blue],
      networkAttachmentDefinitions: [attachment('blue', '600')],
      ...inVrf,
    });
    const found = planNode(described, snapshot, defaultSettings).warnings.map(({ message }) => message);
    return found.filter((message) => message.includes('(l3mdev)'));
  };

  it("comes before that of VRFs if that is behind main, which is the kernel's then", () => {
    expect(withRuleOfVrfsAt(40_000)).to.deep.equal([
      'IPv4 rules 32766 (lookup main), 32767 (lookup default) come before rule 40000, by which VRFs use their tables (l3mdev): packets in VRF blue may use other routes, and leave by other interfaces; give the rule of VRFs the priority that the kernel gives it: ip rule add pref 1000 l3mdev protocol kernel, also with -6',
      'IPv6 rule 32766 (lookup main) comes before rule 40000, by which VRFs use their tables (l3mdev): packets in VRF blue may use other routes, and leave by other interfaces; give the rule of VRFs the priority that the kernel gives it: ip rule add pref 1000 l3mdev protocol kernel, also with -6',
    ]);
  });

  it('may come first as well once the rule of VRFs has the priority that the kernel gives it', () => {
    const adviceWith = (...rules: readonly BriefRule[]) =>
      withRuleOfVrfsAt(3000, ...rules).map((message) => message.slice(message.indexOf('interfaces; ') + 12));
    const give =
      'give the rule of VRFs the priority that the kernel gives it: ip rule add pref 1000 l3mdev protocol kernel, also with -6';
    expect(adviceWith(of(500, {}))).to.deep.equal([
      `${give}; rule 500 comes before that as well; rules with a priority above 1999 are harmless`,
    ]);
    expect(adviceWith(of(500, {}), of(1000, { oif: 'blue' }), of(1001, {}))).to.deep.equal([
      `${give}; rules 1000, 500 come before that as well; rules with a priority above 1999 are harmless`,
    ]);
    expect(adviceWith(of(1001, {}), of(2500, {}))).to.deep.equal([give]);
  });
});
