/**
 * Which Services have addresses outside the subnets of Services? They are served, but what no Service has beside them is not refused in their network.
 */
import type { Service } from '../api/service.ts';
import { canonicalAddress, familyOf, subnetContains } from '../basics/addresses/ip-address.ts';

/** The ClusterIPs of a Service that are in none of the subnets, in their order. */
export function addressesOutside({ spec }: Service, serviceCidrs: readonly string[]): readonly string[] {
  return (spec.clusterIPs ?? [])
    .filter((address) => familyOf(address) !== undefined)
    .map((address) => canonicalAddress(address))
    .filter((address) => !serviceCidrs.some((cidr) => subnetContains(cidr, address)));
}
