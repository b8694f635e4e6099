/**
 * Warns of what the host no longer reaches by an interface that is in a VRF: other nodes and the API server, where they are on its link
 * (docs/design/enslaving.md, "Never cut the node off").
 */
import { internalIpsOf, type Node } from '../../api/node.ts';
import { MAIN_TABLE } from '../../basics/conventions.ts';
import type { NetworkDataplane } from '../../dataplane/network-dataplane.ts';
import {
  canonicalAddress,
  networkOf,
  prefixLengthOf,
  subnetContains,
  subnetsOverlap,
} from '../../basics/addresses/ip-address.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { lazyByObjectAndKey } from '../../basics/incremental/by-identity.ts';
import { by, distinct } from '../../basics/names/ordering.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { NodeView } from '../../snapshot/node-view.ts';
import type { Route } from '../../snapshot/node-snapshot.ts';
import { nameSample } from '../../status/node-sample.ts';

type Cluster = Pick<ClusterSnapshot, 'nodes' | 'apiServers'>;

/** An address that the host has to reach, and whose it is. */
interface Peer {
  readonly name: string;
  readonly address: string;
}

/** The InternalIPs of Nodes, by the subnet of a prefix length that they are in: a cluster may have 5,000 nodes. */
const peersBySubnet = lazyByObjectAndKey(
  (nodes: readonly Node[], prefixLength: number): ReadonlyMap<string, readonly Peer[]> => {
    const peers = nodes.flatMap((node) =>
      internalIpsOf(node).map((address) => ({ name: node.metadata.name, address: canonicalAddress(address) })),
    );
    return groupBy(peers, ({ address }) => networkOf(`${address}/${String(prefixLength)}`) ?? '');
  },
);

/** Who has an address in a subnet: the API server, then nodes by name. */
function peersOn(subnet: string, { nodes, apiServers }: Required<Cluster>): readonly Peer[] {
  const servers = apiServers.filter((address) => subnetContains(subnet, address));
  return [
    ...servers.map((address) => ({ name: 'the API server', address })),
    ...(peersBySubnet(nodes, prefixLengthOf(subnet)).get(subnet) ?? []).toSorted(by(({ name }) => name)),
  ];
}

/** Whether a route leads to what is on the link of its devices. */
function isOnLink({ type, destination, nextHops }: Route): boolean {
  return (
    type === 'unicast' && prefixLengthOf(destination) > 0 && nextHops.every(({ gateway }) => gateway === undefined)
  );
}

/** The subnets on the link of an interface that the main table reaches by it, or did before it was in the VRF. */
function subnetsOnLink({ device, vrf }: NetworkDataplane, node: NodeView): readonly string[] {
  const onLink = node.routesOutOf(device).filter(({ table }) => table === MAIN_TABLE || table === vrf.table);
  return distinct(onLink.filter(isOnLink).map(({ destination }) => destination));
}

/** The routes of the main table to a subnet, or parts of it, that are not out of some interfaces. */
function otherRoutes(subnet: string, devices: ReadonlySet<string>, { snapshot }: NodeView): readonly Route[] {
  return snapshot.routes.filter(
    ({ table, type, destination, nextHops }) =>
      table === MAIN_TABLE &&
      type === 'unicast' &&
      prefixLengthOf(destination) >= prefixLengthOf(subnet) &&
      subnetsOverlap(destination, subnet) &&
      nextHops.some(({ device = '' }) => !devices.has(device)),
  );
}

/**
 * Warnings about the interfaces that are, or are about to be, in VRFs.
 *
 * @param programmed the networks that are programmed on the node
 */
export function cutOffMessages(
  programmed: readonly NetworkDataplane[],
  { nodes, apiServers = [] }: Cluster,
  node: NodeView,
): readonly string[] {
  const enslaved = new Map(programmed.filter(({ vrf }) => vrf.enslaves).map((each) => [each.device, each]));
  const devices = new Set(enslaved.keys());
  return [...enslaved.values()].sort(by(({ device }) => device)).flatMap((dataplane) => {
    const { device, vrf } = dataplane;
    const found = subnetsOnLink(dataplane, node).flatMap((subnet) => {
      const onLink = peersOn(subnet, { nodes, apiServers }).filter(({ name }) => name !== node.snapshot.nodeName);
      const others = onLink.length === 0 ? [] : otherRoutes(subnet, devices, node);
      return onLink.filter(({ address }) => !others.some(({ destination }) => subnetContains(destination, address)));
    });
    if (found.length === 0) return [];
    const peers = nameSample(found.map(({ name, address }) => `${name} (${address})`));
    return [
      `in VRF ${vrf.name} the host does not reach by ${device} what is on its link: ${peers}; give the main table another route to them`,
    ];
  });
}
