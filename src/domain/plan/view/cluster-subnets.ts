/**
 * The subnets that a cluster uses, besides those of its networks: the ones that these must not overlap with (OKEP-5193, IP Addressing).
 */
import { internalIpsOf, type Node } from '../../api/node.ts';
import { DEFAULT_NETWORK, DEFAULT_NETWORK_JOIN_SUBNETS, TRANSIT_SUBNETS } from '../../basics/conventions.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { sortedBy } from '../../basics/names/ordering.ts';
import { familyOf } from '../../basics/addresses/ip-address.ts';
import { lastByObject, lazyByObject, lazyByObjects } from '../../basics/incremental/by-identity.ts';
import { interned } from '../../basics/incremental/interned.ts';
import {
  type SubnetIndex,
  subnetIndex,
  usedByUplink,
  type UsedSubnet,
  withUse,
} from '../../network/provision/used-subnets.ts';
import { nodeIndex } from '../../selection/indexes.ts';
import { CACHED_NODES } from './cluster-view.ts';
import { podSubnetsOf } from '../../selection/node-network.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { ClusterSettings } from '../../snapshot/settings.ts';

const nameOf = ({ metadata }: { readonly metadata: { readonly name: string } }) => metadata.name;

/** Equal lists of subnets of a node as one object. */
const sameSubnets = interned<readonly UsedSubnet[]>(CACHED_NODES);

const usedByNode = lazyByObject((node: Node): readonly UsedSubnet[] => {
  const { name } = node.metadata;
  const addresses = internalIpsOf(node).map((address) => `${address}/${familyOf(address) === 4 ? 32 : 128}`);
  return sameSubnets([
    ...withUse('default-network', [...(node.spec?.podCIDRs ?? []), ...podSubnetsOf(node, DEFAULT_NETWORK)], name),
    ...withUse('node', addresses, name),
  ]);
});

const lastIndex = lastByObject<SubnetIndex>();

/** The subnets of the cluster other than those of networks and uplinks: the same index as the last one if nothing is different. */
export const clusterSubnets = lazyByObjects((nodes: ClusterSnapshot['nodes'], settings: ClusterSettings) => {
  // In name order: of two equal subnets the first is named.
  const ofNodes = nodeIndex(nodes).all.map(usedByNode);
  return lastIndex(settings, ofNodes, () =>
    subnetIndex([
      ...withUse('transit', TRANSIT_SUBNETS),
      ...withUse('default-network-join', DEFAULT_NETWORK_JOIN_SUBNETS),
      ...withUse('masquerade', settings.masqueradeSubnets),
      ...withUse('services', settings.serviceCidrs),
      ...withUse('cluster', settings.clusterCidrs),
      ...ofNodes.flat(),
    ]),
  );
});

/** The subnets of uplinks, by the names of these. */
export function uplinkSubnets({ uplinkStates }: Pick<ClusterSnapshot, 'uplinkStates'>) {
  const byUplink = groupBy(sortedBy(uplinkStates, nameOf), ({ status }) => status?.uplinkName ?? '');
  return (uplinks: readonly string[]): readonly UsedSubnet[] =>
    uplinks.flatMap((uplink) =>
      (byUplink.get(uplink) ?? []).flatMap(({ status }) => usedByUplink(uplink, status?.ipAddresses ?? [])),
    );
}
