/**
 * The subnets that a cluster uses, besides those of its networks: the ones that these must not overlap with (OKEP-5193, IP Addressing).
 */
import { internalIpsOf } from '../../api/node.ts';
import { DEFAULT_NETWORK, DEFAULT_NETWORK_JOIN_SUBNETS, TRANSIT_SUBNETS } from '../../basics/conventions.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { sortedBy } from '../../basics/names/ordering.ts';
import { familyOf } from '../../basics/addresses/ip-address.ts';
import { lazyByObject, lazyByObjects } from '../../basics/incremental/by-identity.ts';
import { subnetIndex, usedByUplink, type UsedSubnet, withUse } from '../../network/provision/used-subnets.ts';
import { podSubnetsOf } from '../../selection/node-network.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { ClusterSettings } from '../../snapshot/settings.ts';

const nameOf = ({ metadata }: { readonly metadata: { readonly name: string } }) => metadata.name;

const usedByNodes = lazyByObject((nodes: ClusterSnapshot['nodes']): readonly UsedSubnet[] =>
  // In name order: of two equal subnets the first is named.
  sortedBy(nodes, nameOf).flatMap((node) => {
    const { name } = node.metadata;
    const addresses = internalIpsOf(node).map((address) => `${address}/${familyOf(address) === 4 ? 32 : 128}`);
    return [
      ...withUse('default-network', [...(node.spec?.podCIDRs ?? []), ...podSubnetsOf(node, DEFAULT_NETWORK)], name),
      ...withUse('node', addresses, name),
    ];
  }),
);

/** The subnets of the cluster other than those of networks and uplinks. */
export const clusterSubnets = lazyByObjects((nodes: ClusterSnapshot['nodes'], settings: ClusterSettings) =>
  subnetIndex([
    ...withUse('transit', TRANSIT_SUBNETS),
    ...withUse('default-network-join', DEFAULT_NETWORK_JOIN_SUBNETS),
    ...withUse('masquerade', settings.masqueradeSubnets),
    ...withUse('services', settings.serviceCidrs),
    ...withUse('cluster', settings.clusterCidrs),
    ...usedByNodes(nodes),
  ]),
);

/** The subnets of uplinks, by the names of these. */
export function uplinkSubnets({ uplinkStates }: Pick<ClusterSnapshot, 'uplinkStates'>) {
  const byUplink = groupBy(sortedBy(uplinkStates, nameOf), ({ status }) => status?.uplinkName ?? '');
  return (uplinks: readonly string[]): readonly UsedSubnet[] =>
    uplinks.flatMap((uplink) =>
      (byUplink.get(uplink) ?? []).flatMap(({ status }) => usedByUplink(uplink, status?.ipAddresses ?? [])),
    );
}
