/**
 * The addresses of a Layer3 network that follow from the id of a node (docs/design/networks.md, "Subnets and addresses").
 */
import {
  clusterRouterAddress,
  joinAddress,
  joinSubnet,
  managementPortAddress,
  podRouterAddress,
  transitAddress,
} from '../../network/allocation/addresses.ts';
import { type DividedSubnet, podSubnetsOfNode } from '../../network/allocation/pod-subnets.ts';
import { hasPodAddress } from '../../network/allocation/reserved-addresses.ts';
import {
  addressFamilies,
  type AddressFamily,
  familyOf,
  prefixLengthOf,
  subnetContains,
  withoutLength,
} from '../../basics/addresses/ip-address.ts';

/** A Layer3 network that ovn-uplinks provides. */
export interface LogicalNetwork {
  /** Its name in OVN. */
  readonly networkName: string;
  readonly networkId: number;
  /** Subnets of its pods, which are divided among the nodes. */
  readonly subnets: readonly DividedSubnet[];
  /** CIDR; empty for the defaults. */
  readonly joinSubnets: readonly string[];
}

/** A node that a network is on. */
export interface NumberedNode {
  readonly name: string;
  readonly id: number;
  /** Subnets of the network's pods on the node that another program has allocated, CIDR; empty for those that follow from its id. */
  readonly allocatedSubnets: readonly string[];
}

/** The addresses of a network on a node, each a CIDR: those of IPv4 first. */
export interface NodeAddresses {
  readonly podSubnets: readonly string[];
  /** Of the cluster router, in the subnets of the pods. */
  readonly routerAddresses: readonly string[];
  /** Of the management port, in the same subnets. */
  readonly managementAddresses: readonly string[];
  /** Of the cluster router, in the join subnets. */
  readonly clusterRouterAddresses: readonly string[];
  /** Of the gateway router, in the join subnets. */
  readonly gatewayRouterAddresses: readonly string[];
  /** Of the cluster router, towards those of other nodes. */
  readonly transitAddresses: readonly string[];
}

/** Addresses of which a network has no more for a node: its subnets are too small for the id of the node. */
export interface NoAddresses {
  readonly exhausted: 'pod-subnets' | 'join-subnets';
}

/** The address families of a network, IPv4 first. */
function familiesOfSubnets(subnets: readonly DividedSubnet[]): readonly AddressFamily[] {
  return addressFamilies.filter((family) => subnets.some(({ cidr }) => familyOf(cidr) === family));
}

/** Whether pods of a network may be in a subnet (CIDR): it is within one of the network, and has addresses for pods. */
function isUsable(allocated: string, subnets: readonly DividedSubnet[]): boolean {
  const isWithin = subnets.some(
    ({ cidr }) => prefixLengthOf(allocated) >= prefixLengthOf(cidr) && subnetContains(cidr, withoutLength(allocated)),
  );
  return isWithin && hasPodAddress(allocated);
}

/** The subnets that another program has allocated to a network on a node, CIDR, IPv4 first; empty unless there is one of every family that can be used. */
export function usableSubnets(
  { subnets }: Pick<LogicalNetwork, 'subnets'>,
  allocatedSubnets: readonly string[],
): readonly string[] {
  const usable = allocatedSubnets.filter((cidr) => isUsable(cidr, subnets));
  const byFamily = familiesOfSubnets(subnets).map((family) => usable.filter((cidr) => familyOf(cidr) === family));
  return byFamily.some((ofFamily) => ofFamily.length === 0) ? [] : byFamily.flat();
}

/** The subnets of a network's pods on a node, CIDR, IPv4 first; undefined if there is none for one of its families. */
export function podSubnetsOn(
  network: Pick<LogicalNetwork, 'subnets'>,
  { id, allocatedSubnets }: Pick<NumberedNode, 'id' | 'allocatedSubnets'>,
): readonly string[] | undefined {
  const allocated = usableSubnets(network, allocatedSubnets);
  return allocated.length > 0 ? allocated : podSubnetsOfNode(network.subnets, id);
}

/** The addresses of a network on a node, or what it has none of for the node. */
export function addressesOnNode(network: LogicalNetwork, node: NumberedNode): NodeAddresses | NoAddresses {
  const families = familiesOfSubnets(network.subnets);
  const podSubnets = podSubnetsOn(network, node);
  if (podSubnets === undefined) return { exhausted: 'pod-subnets' };
  const joinSubnets = families.map((family) => joinSubnet(network.joinSubnets, family));
  const gatewayRouterAddresses = joinSubnets.flatMap((subnet) => joinAddress(subnet, node.id) ?? []);
  if (gatewayRouterAddresses.length < families.length) return { exhausted: 'join-subnets' };
  return {
    podSubnets,
    routerAddresses: podSubnets.flatMap((subnet) => podRouterAddress(subnet) ?? []),
    managementAddresses: podSubnets.flatMap((subnet) => managementPortAddress(subnet) ?? []),
    clusterRouterAddresses: joinSubnets.flatMap((subnet) => clusterRouterAddress(subnet) ?? []),
    gatewayRouterAddresses,
    transitAddresses: families.flatMap((family) => transitAddress(node.id, family) ?? []),
  };
}
