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
import { familyOf, LINK_LOCAL_SUBNETS, SPECIAL_SUBNETS, subnetContains } from '../../basics/addresses/ip-address.ts';
import { lastByObject, lazyByObject, lazyByObjects } from '../../basics/incremental/by-identity.ts';
import { interned } from '../../basics/incremental/interned.ts';
import { nodeIndex } from '../../selection/indexes.ts';
import { encapsulationAddressesOf, podSubnetsOf } from '../../selection/node-network.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { ClusterSettings } from '../../snapshot/settings.ts';
import { CACHED_NODES } from './cluster-view.ts';

/**
 * Addresses by which clouds tell a node its identity, beside link-local ones.
 *
 * - AWS: metadata, and EKS Pod Identity (docs.aws.amazon.com, "Retrieve instance metadata"; EKS User Guide, "Set up the Amazon EKS Pod Identity Agent").
 * - Azure: WireServer, which is a DNS server too (learn.microsoft.com, "What is IP address 168.63.129.16?").
 * - Alibaba Cloud (cloud-init, datasource AliYun; IPv6: its issue 6892).
 * - Google Cloud for instances with IPv6 alone, and Oracle Cloud Infrastructure by IPv6: as clients of others have them; no page of these clouds was found that names them.
 * - Oracle by IPv4 (docs.oracle.com, "Retrieve Predefined Instance Metadata").
 * - Scaleway, Akamai (cloud-init, datasources Scaleway and Akamai).
 */
const METADATA_SUBNETS = Object.values({
  AWS: ['fd00:ec2::254/128', 'fd00:ec2::23/128'],
  Azure: ['168.63.129.16/32'],
  Alibaba: ['100.100.100.200/32', 'fd00:100::100:200/128'],
  Google: ['fd20:ce::254/128'],
  Oracle: ['192.0.0.192/32', 'fd00:c1::a9fe:a9fe/128'],
  Scaleway: ['fd00:42::42/128'],
  Akamai: ['fd00:a9fe:a9fe::1/128'],
}).flat();

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

/** The subnets that are denied, by what they are, for people. */
function deniedByKind(
  ofNodes: readonly DeniedOfNode[],
  settings: ClusterSettings,
): Readonly<Record<string, readonly string[]>> {
  return {
    'not an address of one host': SPECIAL_SUBNETS,
    'link-local addresses': LINK_LOCAL_SUBNETS,
    'metadata of clouds': METADATA_SUBNETS,
    'masquerade addresses': settings.masqueradeSubnets,
    'routers of networks': [...TRANSIT_SUBNETS, ...DEFAULT_JOIN_SUBNETS, ...DEFAULT_NETWORK_JOIN_SUBNETS],
    Services: settings.serviceCidrs,
    'addresses of nodes': ofNodes.flatMap(({ addresses }) => addresses),
    'pods of the default network': [...settings.clusterCidrs, ...ofNodes.flatMap(({ pods }) => pods)],
  };
}

/** The destinations that are denied in a cluster: the same object as the last one if nothing is different. */
export const deniedDestinations = lazyByObjects(
  (nodes: ClusterSnapshot['nodes'], settings: ClusterSettings): DeniedDestinations => {
    const ofNodes = nodeIndex(nodes).all.map(deniedOfNode);
    return lastDenied(settings, ofNodes, () => ({
      subnets: Object.values(deniedByKind(ofNodes, settings)).flat(),
      isDefaultNetworkKnown: settings.clusterCidrs.length > 0 || ofNodes.some(({ pods }) => pods.length > 0),
    }));
  },
);

/** The kind of a destination that is denied, for people; undefined for one that is not. */
export function deniedKind(
  destination: string,
  nodes: ClusterSnapshot['nodes'],
  settings: ClusterSettings,
): string | undefined {
  const kinds = Object.entries(deniedByKind(nodeIndex(nodes).all.map(deniedOfNode), settings));
  return kinds.find(([, subnets]) => subnets.some((cidr) => subnetContains(cidr, destination)))?.[0];
}
