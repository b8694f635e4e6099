import { VIRTUAL_MAC_PREFIX } from '../../conventions.ts';
import { fourBytesOf, fromBytes, macText } from '../../ip-address.ts';

/**
 * The MAC address that gateway routers know a neighbour by, whatever its own one is (docs/design/flows.md, "Neighbours"): two bytes of ours, then
 * four that stand for its IP address.
 */
export function virtualMacOf(address: string): string {
  return macText([...VIRTUAL_MAC_PREFIX, ...fourBytesOf(address)]);
}

/**
 * The IPv4 address that a virtual MAC address stands for; absent for other MAC addresses. One of an IPv6 neighbour cannot be told apart, and gives an address
 * that means nothing.
 */
export function addressOfVirtualMac(macAddress: string): string | undefined {
  const bytes = macAddress.split(':').map((part) => Number.parseInt(part, 16));
  const [first, second, ...address] = bytes;
  const isVirtual = first === VIRTUAL_MAC_PREFIX[0] && second === VIRTUAL_MAC_PREFIX[1] && address.length === 4;
  return isVirtual ? fromBytes(address) : undefined;
}

/** A match on all virtual MAC addresses. */
export const ANY_VIRTUAL_MAC = `${macText([...VIRTUAL_MAC_PREFIX, 0, 0, 0, 0])}/ff:ff:00:00:00:00`;
