import { expect } from 'chai';
import {
  CHASSIS_ID_ANNOTATION,
  ID_CLAIMS_NAME,
  NODE_REPORT_ANNOTATION,
} from '../../../../../src/domain/basics/conventions.ts';
import {
  type ClusterSnapshot,
  type Ledger,
  defaultSettings,
  type LedgerEntry,
  type NodeSettings,
  planNode,
} from '../../../../../src/domain/index.ts';
import { completeLink, kernelRules } from '../../../../../src/testing/brief-node.ts';
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

/** A dual-stack network, so that there are managed routes in both families. */
const blue = network('blue', {
  network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }, { cidr: 'fd20::/48' }] } },
});
const advertised = {
  routeAdvertisements: [routeAdvertisements('ra', { targetVRF: 'auto' })],
  frrConfigurations: [frrConfiguration('f', { nodeSelector: {}, bgp: { routers: [{ vrf: 'blue' }] } })],
};
const addresses = [
  { address: '192.0.2.6', prefixLength: 24 },
  { address: '2001:db8:b::6', prefixLength: 64 },
];
const hostAddresses = [
  { address: '169.254.0.2', prefixLength: 17 },
  { address: 'fd69::2', prefixLength: 112 },
];
const bridge = { name: 'br-blue', addresses };
const others = [
  { name: 'eth1' },
  { name: 'ovn-k8s-mp7', index: 9 },
  { name: 'br-ex', addresses: hostAddresses },
  { name: 'eth9' },
];
const healthy: BriefNode = {
  nodeName: 'a',
  links: [bridge, ...others],
  bridges: [{ name: 'br-blue', ports: [{ name: 'eth1' }] }],
};

/** The warnings about node `a`, with more about its ledger. */
function told(
  brief: Partial<BriefNode> = {},
  objects: Partial<ClusterSnapshot> = advertised,
  ledger: Partial<Ledger> = {},
  settings: Partial<NodeSettings> = {},
) {
  const snapshot = completeNode({ ...healthy, ...brief });
  const found = { ...snapshot, ledger: { ...snapshot.ledger, ...ledger } };
  const described = cluster({
    nodes: [node('a')],
    uplinks: [uplink('blue', 'br-blue')],
    clusterUserDefinedNetworks: [blue],
    networkAttachmentDefinitions: [attachment('blue', '7')],
    ...objects,
  });
  return planNode(described, found, { ...defaultSettings, ...settings }).warnings;
}

const messages = (...args: Parameters<typeof told>) => told(...args).map(({ message }) => message);

describe('a node on which networks are programmed', () => {
  it('gives no warning if nothing is wrong', () => {
    expect(messages()).to.deep.equal([]);
    expect(messages({}, {})).to.deep.equal([]);
  });

  describe('whose ledger cannot be used', () => {
    it('gives the reason, and what is treated as not managed', () => {
      const [warning, ...more] = told({}, {}, { problem: 'is not valid JSON' });
      expect(more).to.deep.equal([]);
      expect(warning).to.include({ object: 'Node/a', seenOnNode: true });
      expect(warning?.message).to.match(
        /^the ledger is not valid JSON; .* are treated as not managed: VRF memberships, /,
      );
    });
  });

  describe('whose ledger has entries that this version does not know', () => {
    it('gives their number and the beginning of the first', () => {
      expect(messages({}, {}, { unknown: [{ kind: 'warp' }, 5] })).to.deep.equal([
        '2 entries of the ledger are not supported by this version, the first is {"kind":"warp"}; they are kept, and what they describe is treated as not managed',
      ]);
      expect(messages({}, {}, { unknown: ['x'.repeat(9000)] })[0]).to.have.length.below(400);
    });
  });

  describe('beside other nodes', () => {
    const internalIps = (...ips: readonly string[]) => ({
      addresses: ips.map((address) => ({ type: 'InternalIP', address })),
    });
    const withNodes = (...ips: readonly string[]) => ({
      nodes: [node('a'), ...ips.map((ip, index) => ({ ...node(`n${index}`), status: internalIps(ip) }))],
    });
    const said = (objects: Partial<ClusterSnapshot>, brief: Partial<BriefNode> = {}) =>
      messages({ kernelRoutes: true, ...brief }, { ...advertised, ...objects });
    const lost = (peers: string) =>
      `in VRF blue the host does not reach by br-blue what is on its link: ${peers}; give the main table another route to them`;
    const master = { links: [{ ...bridge, master: 'blue' }, ...others, { name: 'blue', kind: 'vrf', vrfTable: 1009 }] };

    it('gives a warning with those on the link of an interface that is enslaved', () => {
      expect(said(withNodes('192.0.2.7'))).to.deep.equal([lost('n0 (192.0.2.7)')]);
      expect(said(withNodes('2001:DB8:B:0::7'))).to.deep.equal([lost('n0 (2001:db8:b::7)')]);
      expect(said(withNodes('192.0.2.7'), master)).to.deep.equal([lost('n0 (192.0.2.7)')]);
    });

    it('names the first ones, and the API server before them', () => {
      const ips = ['192.0.2.7', '192.0.2.8', '192.0.2.9', '192.0.2.10'];
      expect(said(withNodes(...ips))).to.deep.equal([lost('n0 (192.0.2.7), n1 (192.0.2.8), n2 (192.0.2.9), …')]);
      expect(said({ ...withNodes('192.0.2.7'), apiServers: ['192.0.2.100'] })).to.deep.equal([
        lost('the API server (192.0.2.100), n0 (192.0.2.7)'),
      ]);
    });

    it('gives none for others', () => {
      expect(said({ ...withNodes('198.51.100.7', '2001:db8:c::7'), apiServers: ['198.51.100.1'] })).to.deep.equal([]);
      expect(said({ nodes: [{ ...node('a'), status: internalIps('198.51.100.6') }] })).to.deep.equal([]);
      expect(said({ ...withNodes('192.0.2.7'), routeAdvertisements: [] })).to.deep.equal([]);
    });

    it('gives none where the main table has another route to them that is as specific', () => {
      const route = (destination: string): Partial<BriefNode> => ({
        routes: [{ destination, nextHops: [{ device: 'eth9', gateway: '203.0.113.1' }] }],
      });
      expect(said(withNodes('192.0.2.7'), route('192.0.2.7/32'))).to.deep.equal([]);
      expect(said(withNodes('192.0.2.7'), route('192.0.2.0/25'))).to.deep.equal([]);
      expect(said(withNodes('192.0.2.7'), route('0.0.0.0/0'))).to.deep.equal([lost('n0 (192.0.2.7)')]);
      expect(said(withNodes('192.0.2.7'), route('192.0.2.128/25'))).to.deep.equal([lost('n0 (192.0.2.7)')]);
    });
  });

  describe('with a multipath route', () => {
    const route = (...devices: readonly string[]) => ({
      routes: [
        {
          destination: '198.51.100.0/24',
          nextHops: devices.map((device, index) => ({ device, gateway: `192.0.2.${index + 1}` })),
        },
      ],
    });

    it('over an interface that moves and one that does not gives a warning that it is not moved', () => {
      const expected =
        'route 198.51.100.0/24 nexthop via 192.0.2.2 dev br-blue nexthop via 192.0.2.1 dev eth9 is not moved:' +
        ' it has a next hop in VRF blue (br-blue) and one outside of it';
      expect(messages(route('eth9', 'br-blue'))).to.deep.equal([expected]);
    });

    it('gives a warning also if the interface is in the VRF already', () => {
      const links = [{ ...bridge, master: 'blue' }, ...others, { name: 'blue', kind: 'vrf', vrfTable: 1009 }];
      expect(messages({ ...route('br-blue', 'eth9'), links })).to.have.length(1);
    });

    const quiet: readonly (readonly [what: string, brief: Partial<BriefNode>, objects?: Partial<ClusterSnapshot>])[] = [
      ['over the interface alone', route('br-blue', 'br-blue')],
      ['over other interfaces', route('eth9', 'br-ex')],
      ['of a network in the default routing domain', route('eth9', 'br-blue'), {}],
      [
        'that takes its next hops from an object',
        {
          routes: route('eth9', 'br-blue').routes.map((plain) => ({ ...plain, nextHopObject: 5 })),
          nextHopObjects: [
            { id: 1, device: 'eth9', gateway: '192.0.2.1' },
            { id: 2, device: 'br-blue', gateway: '192.0.2.2' },
            {
              id: 5,
              group: [
                { id: 1, weight: 1 },
                { id: 2, weight: 1 },
              ],
            },
          ],
        },
      ],
    ];
    for (const [what, brief, objects = advertised] of quiet) {
      it(`${what} gives no warning`, () => {
        expect(messages(brief, objects).filter((message) => message.includes('is not moved'))).to.deep.equal([]);
      });
    }
  });

  describe('whose VRFs have lost their rules', () => {
    const links = [...(healthy.links ?? []), { name: 'corp', kind: 'vrf', vrfTable: 5 }];
    const rules = kernelRules(links.map(completeLink));
    const told4 =
      'no IPv4 l3mdev rule exists, so VRFs do not use their tables; the kernel adds it with the first VRF only: ip -4 rule add pref 1000 l3mdev protocol kernel';
    const without = (...families: readonly number[]) =>
      rules.filter(({ family, others: more }) => !families.includes(family) || !('l3mdev' in more));

    it('gives a warning per family', () => {
      expect(messages({ links, rules: without(4) })).to.deep.equal([told4]);
      expect(messages({ links, rules: without(4, 6) })).to.deep.equal([
        told4,
        told4.replace('IPv4', 'IPv6').replace('-4', '-6'),
      ]);
    });

    it('gives no warning if they exist, at any priority', () => {
      expect(messages({ links, rules: rules.map((rule) => ({ ...rule, priority: rule.priority + 1 })) })).to.deep.equal(
        [],
      );
    });

    it('gives a warning if only those that refuse packets are left', () => {
      const refusing = rules.map((rule) =>
        'l3mdev' in rule.others ? { ...rule, others: { ...rule.others, action: '"unreachable"' } } : rule,
      );
      expect(messages({ links, rules: refusing })).to.have.lengthOf(2);
    });

    it('gives no warning about a family that the node does not run', () => {
      expect(messages({ links, rules: rules.filter(({ family }) => family === 4) })).to.deep.equal([]);
    });

    it('gives no warning if there is no VRF yet: the first one adds them', () => {
      expect(messages({ rules: without(4, 6) })).to.deep.equal([]);
    });

    it('gives no warning where no network is programmed', () => {
      expect(messages({ links, rules: without(4, 6) }, { uplinks: [] })).to.deep.equal([]);
    });
  });

  describe('that does not forward IPv6 packets', () => {
    const all = 'net.ipv6.conf.all.forwarding';
    const told6 =
      'net.ipv6.conf.all.forwarding is 0, and this kernel has no force_forwarding: IPv6 packets that come in by br-blue are not forwarded for blue; it is not changed, since the node would ignore router advertisements then';

    it('gives a warning', () => {
      expect(messages({ sysctls: { [all]: '0' } })).to.deep.equal([told6]);
      expect(messages({ sysctls: { [all]: '0' } }, {}), 'in the default routing domain').to.deep.equal([told6]);
    });

    it('gives no warning if the interface can be set to forward, or all do', () => {
      const forced = { 'net.ipv6.conf.br-blue.force_forwarding': '0' };
      expect(messages({ sysctls: { [all]: '0', ...forced } })).to.deep.equal([]);
      expect(messages({ sysctls: { [all]: '1', 'net.ipv6.conf.br-blue.forwarding': '0' } })).to.deep.equal([]);
    });

    it('gives no warning where the network has no IPv6', () => {
      const ofIpv4 = network('blue', {
        network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] } },
      });
      const objects = { ...advertised, clusterUserDefinedNetworks: [ofIpv4] };
      expect(messages({ sysctls: { [all]: '0' } }, objects)).to.deep.equal([]);
    });
  });

  describe('with a table of which only the name is known', () => {
    const table = 'tenant';
    const cases: readonly (readonly [what: string, brief: Partial<BriefNode>, isReported: boolean])[] = [
      [
        'in which is a route of ours',
        { routes: [{ destination: '0.0.0.0/0', type: 'unreachable', protocol: '94', table, nextHops: [] }] },
        true,
      ],
      ['into which a rule of ours leads', { rules: [{ priority: 1999, mark: 0x1007, protocol: '94', table }] }, true],
      [
        'in which is the subnet of an interface in a VRF',
        {
          links: [{ ...bridge, master: 'blue' }, ...others, { name: 'blue', kind: 'vrf', vrfTable: 1009 }],
          routes: [{ destination: '192.0.2.0/24', protocol: 'kernel', table, nextHops: [{ device: 'br-blue' }] }],
        },
        true,
      ],
      [
        'that is the administrator’s own',
        { routes: [{ destination: '198.51.100.0/24', table, nextHops: [{ device: 'br-blue' }] }] },
        false,
      ],
      [
        'that is the administrator’s own, with a route out of an interface in a VRF',
        {
          links: [{ ...bridge, master: 'blue' }, ...others, { name: 'blue', kind: 'vrf', vrfTable: 1009 }],
          routes: [{ destination: '198.51.100.0/24', table, nextHops: [{ device: 'br-blue' }] }],
        },
        false,
      ],
      ['into which a rule of the administrator’s leads', { rules: [{ priority: 100, table }] }, false],
      [
        'in which is the subnet of an interface in another device',
        {
          links: [{ ...bridge }, ...others, { name: 'eth8', master: 'bond0' }, { name: 'bond0', kind: 'bond' }],
          routes: [{ destination: '192.0.2.0/24', protocol: 'kernel', table, nextHops: [{ device: 'eth8' }] }],
        },
        false,
      ],
    ];
    for (const [what, brief, isReported] of cases) {
      it(`${what} gives ${isReported ? 'one warning' : 'no warning'}`, () => {
        const ofTable = messages(brief).filter((message) => message.startsWith('table tenant'));
        expect(ofTable).to.have.length(isReported ? 1 : 0);
        if (isReported)
          expect(ofTable[0]).to.match(/^table tenant of a VRF .*rt_tables .* never removed; capture the node again$/);
      });
    }
  });

  describe('with an interface in a VRF that no network needs any more', () => {
    const membership: LedgerEntry = {
      kind: 'membership',
      device: 'br-blue',
      vrf: 'blue',
      table: 1009,
      network: 'cluster_udn_blue',
    };
    const enslaved = (unknownAttributes?: readonly string[]): Partial<BriefNode> => ({
      links: [
        { ...bridge, master: 'blue' },
        ...others,
        { name: 'blue', kind: 'vrf', vrfTable: 1009, alias: 'ovn-uplinks:cluster_udn_blue' },
      ],
      routes: [
        {
          destination: '198.51.100.0/24',
          table: 1009,
          nextHops: [{ device: 'br-blue', gateway: '192.0.2.1' }],
          ...(unknownAttributes && { unknownAttributes }),
        },
      ],
      ledger: [membership],
    });
    const nobody = { ...advertised, clusterUserDefinedNetworks: [] };
    const held = (args: Parameters<typeof told>) =>
      messages(...args).filter((text) => text.includes('is not released from VRF'));

    it('gives the reason why it stays, if an entity on it could not be restored', () => {
      expect(held([enslaved(['encap']), nobody])).to.deep.equal([
        'br-blue is not released from VRF blue, which no network needs: changing the master of br-blue would drop route 198.51.100.0/24 via 192.0.2.1 dev br-blue table 1009, and this version cannot restore its encap',
      ]);
    });

    it('gives no warning if everything can be restored', () => {
      expect(held([enslaved(), nobody])).to.deep.equal([]);
    });

    it('gives no warning if a network needs the membership', () => {
      expect(held([enslaved(['encap']), advertised])).to.deep.equal([]);
    });

    it('gives no warning where the network is held', () => {
      expect(held([{ ...enslaved(['encap']), bridges: [] }, advertised])).to.deep.equal([]);
    });

    it('gives no warning if another program enslaved it', () => {
      expect(held([{ ...enslaved(['encap']), ledger: [] }, nobody])).to.deep.equal([]);
    });
  });

  describe('that does not have OVN-Kubernetes’ host address', () => {
    const bare = (...present: readonly { readonly address: string; readonly prefixLength: number }[]) => ({
      links: [bridge, ...others.map((link) => (link.name === 'br-ex' ? { name: 'br-ex', addresses: present } : link))],
    });
    const [ipv4, ipv6] = hostAddresses as [(typeof hostAddresses)[0], (typeof hostAddresses)[0]];

    it('gives a warning that routes to services wait, for each network in the default routing domain', () => {
      expect(messages(bare(ipv6), {})).to.deep.equal([
        'no device has 169.254.0.2, which OVN-Kubernetes adds to the default bridge: there are no service routes until then for blue',
      ]);
    });

    it('gives no warning about a family that has no services', () => {
      expect(messages(bare(ipv4), {})).to.deep.equal([]);
    });

    it('gives no warning where the network’s VRF has one of its own', () => {
      expect(messages(bare(), advertised)).to.deep.equal([]);
    });

    it('gives no warning about networks that are not programmed', () => {
      expect(messages({ ...bare(), bridges: [] }, {})).to.deep.equal([]);
    });

    it('gives no warning about networks that ovn-uplinks provides: where OVN-Kubernetes does not run, nobody adds it', () => {
      const configMap = (name: string, data: Readonly<Record<string, string>>) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace: defaultSettings.namespace, name },
        data,
      });
      const provided = {
        nodes: [
          {
            ...node('a'),
            metadata: {
              name: 'a',
              annotations: {
                'k8s.ovn.org/node-id': '2',
                [CHASSIS_ID_ANNOTATION]: 'chassis-a',
                [NODE_REPORT_ANNOTATION]: 'ovn-uplinks-node-a',
              },
            },
          },
        ],
        networkAttachmentDefinitions: [],
        configMaps: [
          configMap(ID_CLAIMS_NAME, { 'network-8': 'cluster_udn_blue', 'node-2': 'a' }),
          configMap('ovn-uplinks-node-a', { node: 'a', uid: '', networks: '8' }),
        ],
      };
      const found = {
        ...bare(),
        bridges: [...healthy.bridges!, { name: 'br-int' }],
        switchExternalIds: { 'system-id': 'chassis-a', 'ovn-encap-ip': '198.51.100.10' },
        isNorthboundRead: true as const,
      };
      expect(messages(found, provided, {}, { providedNetworks: 'all', ovn: true })).to.deep.equal([]);
    });
  });
});
