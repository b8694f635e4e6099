/**
 * IP arithmetic in the project's words, over ipaddr.js. Addresses and subnets stay text outside this file; text that is no address
 * is in no subnet and comes last in any order.
 */
import ipaddr from 'ipaddr.js';

type Parsed = ipaddr.IPv4 | ipaddr.IPv6;

/** Parses what Kubernetes and the kernel's tools take for an address: four decimal parts without leading zeros, or IPv6 without a zone. */
function parse(address: string): Parsed | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(address) && !/(^|\.)0\d/.test(address)) return ipaddr.IPv4.parse(address);
  return ipaddr.IPv6.isValid(address) && !address.includes('%') ? ipaddr.IPv6.parse(address) : undefined;
}

/** Parses a subnet into its address and prefix length. */
function parseCidr(cidr: string): { readonly base: Parsed; readonly prefixLength: number } | undefined {
  const [address = '', length = '', ...rest] = cidr.split('/');
  const base = parse(address);
  if (base === undefined || rest.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(length)) return undefined;
  const prefixLength = Number(length);
  return prefixLength <= base.toByteArray().length * 8 ? { base, prefixLength } : undefined;
}

/** The family of an address or subnet as text; absent where it is neither. */
export function familyOf(addressOrCidr: string): 4 | 6 | undefined {
  const parsed = addressOrCidr.includes('/') ? parseCidr(addressOrCidr)?.base : parse(addressOrCidr);
  if (parsed === undefined) return undefined;
  return parsed.kind() === 'ipv4' ? 4 : 6;
}

/** Numeric order of addresses, IPv4 before IPv6. */
export function compareAddresses(left: string, right: string): number {
  const [leftBytes, rightBytes] = [left, right].map((address) => parse(address)?.toByteArray() ?? []);
  if (leftBytes === undefined || rightBytes === undefined) return 0;
  if (leftBytes.length !== rightBytes.length) {
    // Text that is no address has no bytes at all and comes last.
    return (leftBytes.length || Number.POSITIVE_INFINITY) - (rightBytes.length || Number.POSITIVE_INFINITY);
  }
  const at = leftBytes.findIndex((byte, index) => byte !== rightBytes[index]);
  return at === -1 ? 0 : (leftBytes[at] ?? 0) - (rightBytes[at] ?? 0);
}

/** Whether the subnet (CIDR) contains the address; false across families and where either is no such thing. */
export function subnetContains(cidr: string, address: string): boolean {
  const parsed = parse(address);
  const subnet = parseCidr(cidr);
  if (parsed === undefined || subnet === undefined) return false;
  return subnet.base.kind() === parsed.kind() && parsed.match(subnet.base, subnet.prefixLength);
}

/** The prefix length of a subnet (CIDR), 0 where the text is none. */
export function prefixLengthOf(cidr: string): number {
  return parseCidr(cidr)?.prefixLength ?? 0;
}

/** Whether an address can only be used on its own link: 169.254.0.0/16 (RFC 3927) or fe80::/10 (RFC 4291). */
export function isLinkLocal(address: string): boolean {
  return subnetContains('169.254.0.0/16', address) || subnetContains('fe80::/10', address);
}

/** The canonical text of an address (RFC 5952 for IPv6), so that one address has one spelling; other text comes back as it is. */
export function canonicalAddress(address: string): string {
  return parse(address)?.toString() ?? address;
}

/** Whether a text is a subnet with its prefix length, IPv4 or IPv6. */
export function isCidr(text: string): boolean {
  return parseCidr(text) !== undefined;
}
