import { VIRTUAL_MAC_PREFIX } from '../../conventions.ts';
import { fourBytesOf, macText } from '../../ip-address.ts';

/**
 * The MAC address that gateway routers know a neighbour by, whatever its own one is (docs/design/flows.md, "Neighbours"): two bytes of ours, then
 * four that stand for its IP address.
 */
export function virtualMacOf(address: string): string {
  return macText([...VIRTUAL_MAC_PREFIX, ...fourBytesOf(address)]);
}

/** A match on all virtual MAC addresses. */
export const ANY_VIRTUAL_MAC = `${macText([...VIRTUAL_MAC_PREFIX, 0, 0, 0, 0])}/ff:ff:00:00:00:00`;
