/** Destinations that OVN drops for networks which leave by their nodes, and that the setting `--egress-allow` opens nevertheless (docs/design/node-egress.md, "Rows"). */
import {
  LINK_LOCAL_SUBNETS,
  prefixLengthOf,
  subnetContains,
  subnetsOverlap,
  withoutContained,
  withoutLength,
} from '../../basics/addresses/ip-address.ts';

/** Link-local addresses of IPv4 alone: no router forwards a packet to one of IPv6 (RFC 4291, 2.5.6). */
const [OPENABLE] = LINK_LOCAL_SUBNETS;

/** Whether all addresses of a subnet can be opened. */
function isOpenable(cidr: string): boolean {
  return subnetContains(OPENABLE, withoutLength(cidr)) && prefixLengthOf(cidr) >= prefixLengthOf(OPENABLE);
}

/**
 * The link-local subnets among the allowed ones, CIDR. A larger subnet such as 0.0.0.0/0 opens none: an administrator who allows it hardly means the identity of the node.
 *
 * @param inUse subnets that have another use, such as masquerade subnets: what shares an address with one of them stays closed
 */
export function openedDestinations(allowed: readonly string[], inUse: readonly string[]): readonly string[] {
  return withoutContained(
    allowed.filter((cidr) => isOpenable(cidr) && !inUse.some((other) => subnetsOverlap(cidr, other))),
  );
}
