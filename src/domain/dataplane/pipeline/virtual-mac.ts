import { VIRTUAL_MAC_PREFIX } from '../../basics/conventions.ts';
import { fourBytesOf, fromBytes, macText } from '../../basics/addresses/ip-address.ts';

/**
 * The MAC address by which gateway routers know a neighbour, whatever its own is (docs/design/flows.md, "Neighbours"): a prefix of two bytes, then four that
 * stand for its IP address.
 */
export function virtualMacOf(address: string): string {
  return macText([...VIRTUAL_MAC_PREFIX, ...fourBytesOf(address)]);
}

/**
 * The IPv4 address that a virtual MAC address stands for; undefined for other MAC addresses. For that of an IPv6 neighbour, which looks the same, the result is
 * meaningless.
 */
export function addressOfVirtualMac(macAddress: string): string | undefined {
  const bytes = macAddress.split(':').map((part) => Number.parseInt(part, 16));
  const [first, second, ...address] = bytes;
  const isVirtual = first === VIRTUAL_MAC_PREFIX[0] && second === VIRTUAL_MAC_PREFIX[1] && address.length === 4;
  return isVirtual ? fromBytes(address) : undefined;
}

/** A match on all virtual MAC addresses. */
export const ANY_VIRTUAL_MAC = `${macText([...VIRTUAL_MAC_PREFIX, 0, 0, 0, 0])}/ff:ff:00:00:00:00`;
