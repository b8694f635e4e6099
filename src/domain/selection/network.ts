/**
 * Properties of a ClusterUserDefinedNetwork that are read in several places.
 */
import type { ClusterUserDefinedNetwork } from '../api/cluster-user-defined-network.ts';
import { CLUSTER_NETWORK_NAME_PREFIX, METADATA_NAME_LABEL } from '../conventions.ts';
import { familyOf } from '../addresses/ip-address.ts';
import type { ClusterSettings } from '../snapshot/settings.ts';
import type { Labels } from './label-selector.ts';

/** A network, or its name alone. */
export interface Named {
  readonly metadata: { readonly name: string };
}

/** The network's name in bridge mappings, annotations and OVN: the normalized network name of OVN-Kubernetes. */
export function networkNameOf({ metadata }: Named): string {
  return CLUSTER_NETWORK_NAME_PREFIX + metadata.name;
}

/** The network's labels; its name counts as a label whether or not OVN-Kubernetes has set it yet. */
export function labelsOfNetwork({ metadata }: ClusterUserDefinedNetwork): Labels {
  return { ...metadata.labels, [METADATA_NAME_LABEL]: metadata.name };
}

/** Names of the Uplinks that the network refers to; an absent list and an empty one are the same. */
export function uplinksOf({ spec }: ClusterUserDefinedNetwork): readonly string[] {
  return spec.uplinks ?? [];
}

/** The network's own MTU in bytes; absent where it has the default network's. */
export function ownMtuOf({ spec: { network } }: ClusterUserDefinedNetwork): number | undefined {
  return network.topology === 'Layer2' ? network.layer2?.mtu : network.layer3?.mtu;
}

/** The subnets of the network's pods on all nodes, CIDR. */
export function clusterSubnetsOf({ spec: { network } }: ClusterUserDefinedNetwork): readonly string[] {
  return network.topology === 'Layer2'
    ? (network.layer2?.subnets ?? [])
    : (network.layer3?.subnets ?? []).map(({ cidr }) => cidr);
}

/** The subnets of its gateway and cluster routers, CIDR; empty where it has none of its own. */
export function joinSubnetsOf({ spec: { network } }: ClusterUserDefinedNetwork): readonly string[] {
  return (network.topology === 'Layer2' ? network.layer2?.joinSubnets : network.layer3?.joinSubnets) ?? [];
}

/** The address families of the network's subnets, IPv4 first. */
export function familiesOf(network: ClusterUserDefinedNetwork): readonly (4 | 6)[] {
  const families = new Set(clusterSubnetsOf(network).map(familyOf));
  return ([4, 6] as const).filter((family) => families.has(family));
}

/** Why a network cannot have uplinks at all, on any node. */
export type Unsupported =
  | { readonly reason: 'UplinkUnsupportedGatewayMode' }
  | { readonly reason: 'UplinkUnsupportedTransport'; readonly found: string };

/**
 * Whether a network's uplinks can work in this cluster (OKEP-6019, CUDN validation and status).
 *
 * The API server refuses uplinks on other topologies, roles and on EVPN. An object that was stored before that rule is judged here, and
 * for lack of a reason of their own the first two share the transport's.
 */
export function unsupported(network: ClusterUserDefinedNetwork, settings: ClusterSettings): Unsupported | undefined {
  if (settings.gatewayMode === 'local') return { reason: 'UplinkUnsupportedGatewayMode' };
  const { topology, transport, layer2, layer3 } = network.spec.network;
  if (transport === 'EVPN') return { reason: 'UplinkUnsupportedTransport', found: 'EVPN transport' };
  if (topology !== 'Layer2' && topology !== 'Layer3') {
    return { reason: 'UplinkUnsupportedTransport', found: `topology ${topology}` };
  }
  const role = (topology === 'Layer2' ? layer2 : layer3)?.role;
  if (role !== 'Primary') return { reason: 'UplinkUnsupportedTransport', found: `role ${role ?? 'unset'}` };
  return undefined;
}
