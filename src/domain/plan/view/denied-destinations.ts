/**
 * Destinations that packets of networks must not reach which leave by their nodes (docs/design/node-egress.md, "The filter"): what belongs to the cluster, and what only the
 * node itself may reach. Subnets of other networks are not among them: they lead nowhere there, and one tenant's object must not change what another one reaches.
 */
import {
  DEFAULT_JOIN_SUBNETS,
  DEFAULT_NETWORK,
  DEFAULT_NETWORK_JOIN_SUBNETS,
  TRANSIT_SUBNETS,
} from '../../basics/conventions.ts';
import { internalIpsOf, type Node } from '../../api/node.ts';
import { familyOf, LINK_LOCAL_SUBNETS } from '../../basics/addresses/ip-address.ts';
import { lastByObject, lazyByObject, lazyByObjects } from '../../basics/incremental/by-identity.ts';
import { interned } from '../../basics/incremental/interned.ts';
import { nodeIndex } from '../../selection/indexes.ts';
import { encapsulationAddressesOf, podSubnetsOf } from '../../selection/node-network.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { ClusterSettings } from '../../snapshot/settings.ts';
import { CACHED_NODES } from './cluster-view.ts';

/** Addresses that mean the node itself, several receivers, or nothing (RFC 6890). */
const SPECIAL_SUBNETS = ['0.0.0.0/8', '127.0.0.0/8', '224.0.0.0/3', '::/127', 'ff00::/8'] as const;

/** Destinations that are denied. */
export interface DeniedDestinations {
  /** CIDR. */
  readonly subnets: readonly string[];
  /** Whether the subnets of the pods of the default network are among them. */
  readonly isDefaultNetworkKnown: boolean;
}

/** Subnets and addresses of a node, CIDR: those of its pods in the default network, and its own. */
interface DeniedOfNode {
  readonly pods: readonly string[];
  readonly addresses: readonly string[];
}

/** Equal ones as one object. */
const sameOfNode = interned<DeniedOfNode>(CACHED_NODES);

const deniedOfNode = lazyByObject((node: Node): DeniedOfNode =>
  sameOfNode({
    pods: [...(node.spec?.podCIDRs ?? []), ...podSubnetsOf(node, DEFAULT_NETWORK)],
    addresses: [...internalIpsOf(node), ...encapsulationAddressesOf(node)].map(
      (address) => `${address}/${familyOf(address) === 4 ? 32 : 128}`,
    ),
  }),
);

const lastDenied = lastByObject<DeniedDestinations>();

/** The destinations that are denied in a cluster: the same object as the last one if nothing is different. */
export const deniedDestinations = lazyByObjects(
  (nodes: ClusterSnapshot['nodes'], settings: ClusterSettings): DeniedDestinations => {
    const ofNodes = nodeIndex(nodes).all.map(deniedOfNode);
    return lastDenied(settings, ofNodes, () => ({
      subnets: [
        ...SPECIAL_SUBNETS,
        ...LINK_LOCAL_SUBNETS,
        ...TRANSIT_SUBNETS,
        ...DEFAULT_JOIN_SUBNETS,
        ...DEFAULT_NETWORK_JOIN_SUBNETS,
        ...settings.masqueradeSubnets,
        ...settings.serviceCidrs,
        ...settings.clusterCidrs,
        ...ofNodes.flatMap(({ pods, addresses }) => [...pods, ...addresses]),
      ],
      isDefaultNetworkKnown: settings.clusterCidrs.length > 0 || ofNodes.some(({ pods }) => pods.length > 0),
    }));
  },
);
