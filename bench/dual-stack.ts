import type { ClusterSnapshot, NodeSnapshot } from '../src/domain/index.ts';

const UPLINK = 'red0';

/** Texts of the networks on the bridge of red, and these with IPv6: subnets in the spec and in the attachment, and those of the node. */
const withIPv6: readonly (readonly [string, string])[] = [
  [
    '{"cidr":"10.30.0.0/16","hostSubnet":24}',
    '{"cidr":"10.30.0.0/16","hostSubnet":24},{"cidr":"fd30::/48","hostSubnet":64}',
  ],
  ['10.30.0.0/16/24', '10.30.0.0/16/24,fd30::/48/64'],
  [String.raw`[\"10.30.1.0/24\"]`, String.raw`[\"10.30.1.0/24\",\"fd30:0:0:1::/64\"]`],
];

/** The node of `populatedNode` where the uplink of red has IPv6 too. */
function dualStackNode(node: NodeSnapshot): NodeSnapshot {
  const address = { address: '2001:db8:c::6', prefixLength: 64, scope: 'global', flags: ['nodad'] };
  const links = node.links.map((link) =>
    link.name === UPLINK ? { ...link, addresses: [...link.addresses, address] } : link,
  );
  const route = { family: 6, table: 254, type: 'unicast' } as const;
  const routes: NodeSnapshot['routes'] = [
    ...node.routes,
    { ...route, destination: '2001:db8:c::/64', metric: 256, protocol: 'kernel', nextHops: [{ device: UPLINK }] },
    {
      ...route,
      destination: '::/0',
      metric: 200,
      protocol: 'boot',
      nextHops: [{ device: UPLINK, gateway: '2001:db8:c::1' }],
    },
  ];
  return { ...node, links, routes };
}

/** A node and the objects of its cluster. */
export interface Populated {
  readonly cluster: ClusterSnapshot;
  readonly node: NodeSnapshot;
}

/** A populated node with IPv6 beside IPv4 for all networks. */
export function dualStack({ cluster, node }: Populated): Populated {
  const text = withIPv6.reduce((before, [found, wanted]) => before.replaceAll(found, wanted), JSON.stringify(cluster));
  return { cluster: JSON.parse(text) as ClusterSnapshot, node: dualStackNode(node) };
}
