import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { VIRTUAL_MAC_PREFIX } from '../../conventions.ts';
import { bytesOf, canonicalAddress, familyOf } from '../../ip-address.ts';

/** Bytes as text, such as `0a:5a:c0:00:02:01`. */
function macText(bytes: readonly number[]): string {
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(':');
}

/**
 * The MAC address that gateway routers know a neighbour by, whatever its own one is (docs/design/flows.md, "Neighbours"): two bytes of ours,
 * then the neighbour's IPv4 address, or the first four bytes of the SHA-256 of its IPv6 address's text.
 */
export function virtualMacOf(address: string): string {
  const bytes =
    familyOf(address) === 6
      ? [...sha256(utf8ToBytes(canonicalAddress(address)))].slice(0, 4)
      : (bytesOf(address) ?? []);
  return macText([...VIRTUAL_MAC_PREFIX, ...bytes]);
}

/** A match on all virtual MAC addresses. */
export const ANY_VIRTUAL_MAC = `${macText([...VIRTUAL_MAC_PREFIX, 0, 0, 0, 0])}/ff:ff:00:00:00:00`;
