/** Where in a network is an address? */
import { MANAGEMENT_PORT_PREFIX } from '../../basics/conventions.ts';
import { addressAt, familyOf, subnetContains } from '../../basics/addresses/ip-address.ts';
import type { TracedNode } from './traced-node.ts';

/** The input for the gateway router of the family of an address. */
function familyInput({ datapath: { router } }: TracedNode, address: string) {
  const family = familyOf(address);
  return family === undefined ? undefined : router.families[family];
}

/** Where an address of the network is: at a pod of this node, its management port, the cluster router, or another node. */
export type PlaceInNetwork = 'pod' | 'management-port' | 'router' | 'other-node';

/** Offset of the address of the cluster router in a subnet of pods (OVN-Kubernetes, util.GetNodeGatewayIfAddr). */
const ROUTER_OFFSET = 1;

/** Where in the network an address is; undefined if it is outside. */
export function placeInNetwork(node: TracedNode, address: string): PlaceInNetwork | undefined {
  const input = familyInput(node, address);
  if (input === undefined) return undefined;
  const subnet = input.nodeSubnets.find((cidr) => subnetContains(cidr, address));
  if (subnet !== undefined) {
    if (address === input.managementAddress) return 'management-port';
    return address === addressAt(subnet, ROUTER_OFFSET) ? 'router' : 'pod';
  }
  return input.clusterSubnets.some((cidr) => subnetContains(cidr, address)) ? 'other-node' : undefined;
}

/** Name of the management port of the network. */
export function managementPort({ networkId }: TracedNode): string {
  return `${MANAGEMENT_PORT_PREFIX}${String(networkId)}`;
}
