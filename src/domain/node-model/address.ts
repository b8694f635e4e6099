import { canonicalAddress, familyOf } from '../basics/addresses/ip-address.ts';
import type { Address, NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { type Change, done, refused, refusedAsExisting } from './change.ts';
import { linkOf } from './device.ts';
import { deleteIpv4Address, putIpv4Address } from './ipv4/ipv4-address.ts';
import { deleteIpv6Address, putIpv6Address } from './ipv6/ipv6-address.ts';
import { lifetimeProblem } from './lifetime.ts';

/**
 * Adds an address or changes it: `ip address replace ADDRESS/LENGTH dev DEVICE`, as of the end of duplicate address detection.
 */
export function putAddress(node: NodeSnapshot, device: string, address: Address): Change {
  const link = linkOf(node, device);
  if (link === undefined) return refused('Cannot find device', device);
  const family = familyOf(address.address);
  const longest = family === 4 ? 32 : 128;
  if (family === undefined || address.prefixLength < 0 || address.prefixLength > longest) {
    return refused(`${address.address}/${address.prefixLength} is no address`);
  }
  const problem = lifetimeProblem(address);
  if (problem !== undefined) return refused(problem, `${address.address} on ${device}`);
  const { peer, broadcast } = address;
  const canonical = {
    ...address,
    address: canonicalAddress(address.address),
    ...(peer !== undefined && { peer: canonicalAddress(peer) }),
    ...(broadcast !== undefined && { broadcast: canonicalAddress(broadcast) }),
  };
  return family === 4 ? putIpv4Address(node, link, canonical) : putIpv6Address(node, link, canonical);
}

/** Adds an address that the device does not have: `ip address add`. IPv6 ignores the prefix length. */
export function addAddress(node: NodeSnapshot, device: string, address: Address): Change {
  const text = canonicalAddress(address.address);
  const isThere = linkOf(node, device)?.addresses.some(
    (other) => other.address === text && (familyOf(text) === 6 || other.prefixLength === address.prefixLength),
  );
  if (isThere === true) return refusedAsExisting(`${text} on ${device}`);
  return putAddress(node, device, address);
}

/** Takes an address from a device: `ip address delete ADDRESS/LENGTH dev DEVICE`. */
export function deleteAddress(node: NodeSnapshot, device: string, address: string, prefixLength: number): Change {
  const link = linkOf(node, device);
  if (link === undefined) return refused('Cannot find device', device);
  const text = canonicalAddress(address);
  const gone = link.addresses.find((other) => other.address === text && other.prefixLength === prefixLength);
  if (gone === undefined) return refused('Cannot assign requested address', `${address}/${prefixLength} on ${device}`);
  return done(familyOf(address) === 4 ? deleteIpv4Address(node, link, gone) : deleteIpv6Address(node, link, gone));
}
