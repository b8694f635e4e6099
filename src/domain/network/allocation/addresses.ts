/**
 * Addresses in a network's own subnets, by the id of a node or by offset (docs/design/networks.md, "Subnets and addresses"). Each is undefined where
 * the subnet is too small for it.
 */
import {
  CLUSTER_ROUTER_OFFSET,
  DEFAULT_JOIN_SUBNETS,
  MANAGEMENT_PORT_OFFSET,
  NETWORK_MASQUERADE_BASE,
  POD_ROUTER_OFFSET,
  TRANSIT_SUBNETS,
} from '../../basics/conventions.ts';
import { type AddressFamily, addressAt, familyOf, prefixLengthOf } from '../../basics/addresses/ip-address.ts';

/** The first of some subnets (CIDR) that is of an address family. */
export function subnetOfFamily(subnets: readonly string[], family: AddressFamily): string | undefined {
  return subnets.find((cidr) => familyOf(cidr) === family);
}

/** The address at an offset in a subnet, with the prefix length of the subnet (CIDR). */
function cidrAt(subnet: string | undefined, offset: number): string | undefined {
  const address = subnet === undefined ? undefined : addressAt(subnet, offset);
  return address === undefined ? undefined : `${address}/${prefixLengthOf(subnet ?? '')}`;
}

/** The subnet between the routers of a network, CIDR. @param own those of the network; empty for the defaults */
export function joinSubnet(own: readonly string[], family: AddressFamily): string | undefined {
  return subnetOfFamily(own.length === 0 ? DEFAULT_JOIN_SUBNETS : own, family);
}

/** The address of a node's gateway router in a join subnet, CIDR. */
export function joinAddress(subnet: string | undefined, nodeId: number): string | undefined {
  return cidrAt(subnet, nodeId);
}

/** The address of the cluster router in a join subnet, CIDR. */
export function clusterRouterAddress(subnet: string | undefined): string | undefined {
  return cidrAt(subnet, CLUSTER_ROUTER_OFFSET);
}

/** The address of a node's cluster router towards those of other nodes, CIDR. */
export function transitAddress(nodeId: number, family: AddressFamily): string | undefined {
  return cidrAt(subnetOfFamily(TRANSIT_SUBNETS, family), nodeId);
}

/** The address of the router in a subnet of pods, CIDR. */
export function podRouterAddress(podSubnet: string | undefined): string | undefined {
  return cidrAt(podSubnet, POD_ROUTER_OFFSET);
}

/** The address of the management port in a subnet of pods, CIDR. */
export function managementPortAddress(podSubnet: string | undefined): string | undefined {
  return cidrAt(podSubnet, MANAGEMENT_PORT_OFFSET);
}

/** The masquerade address to which the gateway router of a network translates, CIDR. */
export function gatewayRouterMasqueradeAddress(subnet: string | undefined, networkId: number): string | undefined {
  return cidrAt(subnet, NETWORK_MASQUERADE_BASE + 2 * networkId - 1);
}

/** The masquerade address to which packets of the host to a network are translated, CIDR. */
export function managementPortMasqueradeAddress(subnet: string | undefined, networkId: number): string | undefined {
  return cidrAt(subnet, NETWORK_MASQUERADE_BASE + 2 * networkId);
}
