/** Addresses of a node's pod subnet that no pod gets. */
import { MANAGEMENT_PORT_OFFSET } from '../../basics/conventions.ts';
import { addressAt, familyOf, partsOf, withoutLength } from '../../basics/addresses/ip-address.ts';
import { managementPortAddress, podRouterAddress } from './addresses.ts';

/** The first offset of a pod's address: those before are of the subnet itself, the router and the management port. */
export const FIRST_POD_OFFSET = MANAGEMENT_PORT_OFFSET + 1;

/** The number of addresses of a subnet (CIDR). */
export function addressCount(subnet: string): number {
  return partsOf(subnet, familyOf(subnet) === 6 ? 128 : 32);
}

/** The last offset of a pod's address; IPv4 has a broadcast address behind it. */
export function lastPodOffset(subnet: string): number {
  return addressCount(subnet) - (familyOf(subnet) === 6 ? 1 : 2);
}

/** Whether a subnet (CIDR) has an address for a pod. */
export function hasPodAddress(subnet: string): boolean {
  return lastPodOffset(subnet) >= FIRST_POD_OFFSET;
}

/** Whether an address of a subnet (CIDR) is not for pods. */
export function isReservedAddress(subnet: string, address: string): boolean {
  const reserved = [
    addressAt(subnet, 0),
    withoutLength(podRouterAddress(subnet) ?? ''),
    withoutLength(managementPortAddress(subnet) ?? ''),
    ...(familyOf(subnet) === 4 ? [addressAt(subnet, addressCount(subnet) - 1)] : []),
  ];
  return reserved.includes(address);
}
