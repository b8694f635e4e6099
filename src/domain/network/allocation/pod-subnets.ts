/**
 * The subnets of a Layer3 network's pods on each node (docs/design/networks.md, "Subnets and addresses").
 */
import { DEFAULT_HOST_PREFIX_LENGTHS } from '../../basics/conventions.ts';
import { familyOf, partsOf, subnetAt, withoutLength } from '../../basics/addresses/ip-address.ts';
import { idRanges } from './id-range.ts';
import { hasPodAddress } from './reserved-addresses.ts';

/** A subnet of a Layer3 network (OKEP-5193, Layer3 subnets). */
export interface DividedSubnet {
  /** CIDR. */
  readonly cidr: string;
  /** Prefix length of the part that each node gets; absent for the default. */
  readonly hostSubnet?: number;
}

function hostPrefixLength({ cidr, hostSubnet }: DividedSubnet): number {
  return hostSubnet ?? DEFAULT_HOST_PREFIX_LENGTHS[familyOf(cidr) ?? 4];
}

/** Number of parts of a subnet; 0 if a part has no address for a pod beside those of router and management port. */
function partCount(subnet: DividedSubnet): number {
  const length = hostPrefixLength(subnet);
  return hasPodAddress(`${withoutLength(subnet.cidr)}/${length}`) ? partsOf(subnet.cidr, length) : 0;
}

/** The part of the node with an id, of subnets of one family, one after the other. */
function partOfNode(subnets: readonly DividedSubnet[], nodeId: number): string | undefined {
  let index = nodeId - idRanges.node.first;
  for (const subnet of subnets) {
    const count = partCount(subnet);
    if (index < count) return subnetAt(subnet.cidr, hostPrefixLength(subnet), index);
    index -= count;
  }
  return undefined;
}

/**
 * The subnets of the pods on a node, CIDR: one of each family of the network; undefined if no part with addresses for pods is left for a node
 * with this id in one of its families.
 */
export function podSubnetsOfNode(subnets: readonly DividedSubnet[], nodeId: number): readonly string[] | undefined {
  const families = ([4, 6] as const).filter((family) => subnets.some(({ cidr }) => familyOf(cidr) === family));
  const parts = families.map((family) =>
    partOfNode(
      subnets.filter(({ cidr }) => familyOf(cidr) === family),
      nodeId,
    ),
  );
  const found = parts.flatMap((part) => part ?? []);
  return found.length === parts.length ? found : undefined;
}

/** The number of nodes that the subnets have parts for: the ids from the first one on. */
export function nodesWithSubnets(subnets: readonly DividedSubnet[]): number {
  const counts = ([4, 6] as const).flatMap((family) => {
    const ofFamily = subnets.filter(({ cidr }) => familyOf(cidr) === family);
    if (ofFamily.length === 0) return [];
    return ofFamily.map(partCount).reduce((sum, count) => sum + count, 0);
  });
  return counts.length === 0 ? 0 : Math.min(...counts);
}
