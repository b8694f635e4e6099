/**
 * IP arithmetic, based on ipaddr.js. Addresses and subnets are text outside this file. A text that is not an address is in no subnet, and comes last
 * in any order.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import ipaddr from 'ipaddr.js';
import { IP_MAC_PREFIX } from '../conventions.ts';
import { lazyByText } from '../incremental/lazy.ts';

type Parsed = ipaddr.IPv4 | ipaddr.IPv6;

/** Four decimal parts from 0 to 255 without leading zeros. */
const ipv4Text = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Parses what Kubernetes and the kernel's tools take for an address: four decimal parts without leading zeros, or IPv6 without a zone. */
const parse = lazyByText((address: string): Parsed | undefined => {
  // Validating and parsing by the library takes ten times as long, and a node has thousands of addresses.
  if (ipv4Text.test(address)) return new ipaddr.IPv4(address.split('.').map(Number));
  if (!address.includes(':')) return undefined;
  return ipaddr.IPv6.isValid(address) && !address.includes('%') ? ipaddr.IPv6.parse(address) : undefined;
});

/** An address and a prefix length. */
interface Subnet {
  readonly base: Parsed;
  readonly prefixLength: number;
}

/** Parses a subnet into its address and prefix length. */
const parseCidr = lazyByText((cidr: string): Subnet | undefined => {
  const [address = '', length = '', ...rest] = cidr.split('/');
  const base = parse(address);
  if (base === undefined || rest.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(length)) return undefined;
  const prefixLength = Number(length);
  return prefixLength <= base.toByteArray().length * 8 ? { base, prefixLength } : undefined;
});

/** The address families, by IP version. */
export const addressFamilies = [4, 6] as const;
export type AddressFamily = (typeof addressFamilies)[number];

/** The family of an address or subnet; undefined for other text. */
export function familyOf(addressOrCidr: string): AddressFamily | undefined {
  const parsed = addressOrCidr.includes('/') ? parseCidr(addressOrCidr)?.base : parse(addressOrCidr);
  if (parsed === undefined) return undefined;
  return parsed.kind() === 'ipv4' ? 4 : 6;
}

/** Numeric order of addresses, IPv4 before IPv6. */
export function compareAddresses(left: string, right: string): number {
  const [leftBytes, rightBytes] = [left, right].map((address) => parse(address)?.toByteArray() ?? []);
  if (leftBytes === undefined || rightBytes === undefined) return 0;
  if (leftBytes.length !== rightBytes.length) {
    // A text that is not an address has no bytes, and comes last.
    return (leftBytes.length || Number.POSITIVE_INFINITY) - (rightBytes.length || Number.POSITIVE_INFINITY);
  }
  const at = leftBytes.findIndex((byte, index) => byte !== rightBytes[index]);
  return at === -1 ? 0 : (leftBytes[at] ?? 0) - (rightBytes[at] ?? 0);
}

/** Whether the subnet (CIDR) contains the address; false for different families and invalid text. */
export function subnetContains(cidr: string, address: string): boolean {
  const parsed = parse(address);
  const subnet = parseCidr(cidr);
  if (parsed === undefined || subnet === undefined) return false;
  return subnet.base.kind() === parsed.kind() && parsed.match(subnet.base, subnet.prefixLength);
}

/** Whether two subnets (CIDR) have an address in common; false for different families and invalid text. */
export function subnetsOverlap(left: string, right: string): boolean {
  if (!isCidr(left) || !isCidr(right)) return false;
  return subnetContains(left, withoutLength(right)) || subnetContains(right, withoutLength(left));
}

/** Subnets (CIDR) without those that others of them contain, in the order of their addresses; invalid text is left out. */
export function withoutContained(subnets: readonly string[]): readonly string[] {
  const ordered = subnets
    .flatMap((subnet) => networkOf(subnet) ?? [])
    .sort(
      (left, right) =>
        compareAddresses(withoutLength(left), withoutLength(right)) || prefixLengthOf(left) - prefixLengthOf(right),
    );
  const kept: string[] = [];
  for (const subnet of ordered) {
    // One that contains it comes right before it, but for others that the same one contains.
    const last = kept.at(-1);
    if (last === undefined || !subnetContains(last, withoutLength(subnet))) kept.push(subnet);
  }
  return kept;
}

/** The address of a text with a prefix length (CIDR), or the text itself. */
export function withoutLength(cidr: string): string {
  return cidr.split('/')[0] ?? '';
}

/** The prefix length of a subnet (CIDR); 0 for invalid text. */
export function prefixLengthOf(cidr: string): number {
  return parseCidr(cidr)?.prefixLength ?? 0;
}

/** The subnets of addresses that can only be used on their own link (RFC 3927; RFC 4291). Clouds tell a node its identity by such an address. */
export const LINK_LOCAL_SUBNETS = ['169.254.0.0/16', 'fe80::/10'] as const;

/** The subnets of addresses that mean the host itself, several receivers, or nothing (RFC 6890). */
export const SPECIAL_SUBNETS = ['0.0.0.0/8', '127.0.0.0/8', '224.0.0.0/3', '::/127', 'ff00::/8'] as const;

/** Whether an address can only be used on its own link. */
export function isLinkLocal(address: string): boolean {
  return LINK_LOCAL_SUBNETS.some((subnet) => subnetContains(subnet, address));
}

/** The use of an address, as ipaddr.js names it: `unspecified`, `loopback`, `multicast`, `broadcast`, `linkLocal` and others; `''` for other text. */
export function addressRangeOf(address: string): string {
  return parse(address)?.range() ?? '';
}

/** The IPv4 address of an IPv4-mapped address (RFC 4291, 2.5.5.2); other text is returned unchanged. */
export function unmappedAddress(address: string): string {
  const parsed = parse(address);
  if (parsed === undefined || !('isIPv4MappedAddress' in parsed) || !parsed.isIPv4MappedAddress()) return address;
  return parsed.toIPv4Address().toString();
}

/** The canonical text of an address (RFC 5952 for IPv6); other text is returned unchanged. */
export const canonicalAddress = lazyByText((address) => parse(address)?.toString() ?? address);

/** Whether a text is a subnet with its prefix length, IPv4 or IPv6. */
export function isCidr(text: string): boolean {
  return parseCidr(text) !== undefined;
}

/** The bytes of an address, 4 or 16; undefined for other text. */
export function bytesOf(address: string): readonly number[] | undefined {
  return parse(address)?.toByteArray();
}

/** The address with these bytes, 4 or 16. */
export function fromBytes(bytes: readonly number[]): string {
  return ipaddr.fromByteArray([...bytes]).toString();
}

/** The address at an offset in a subnet (CIDR); undefined for invalid text, and beyond the end of the subnet. */
export function addressAt(cidr: string, offset: number): string | undefined {
  const subnet = parseCidr(cidr);
  return subnet && partAt(subnet, subnet.base.toByteArray().length * 8, offset);
}

/**
 * The part of a subnet (CIDR) with this number, of the parts with a longer prefix that it divides into, numbered from 0; undefined for invalid text,
 * and beyond the last part.
 */
export function subnetAt(cidr: string, prefixLength: number, index: number): string | undefined {
  const subnet = parseCidr(cidr);
  const address = subnet && partAt(subnet, prefixLength, index);
  return address === undefined ? undefined : `${address}/${prefixLength}`;
}

/** Number of parts with a longer prefix that a subnet (CIDR) divides into; 0 for invalid text, and if the prefix is shorter than that of the subnet. */
export function partsOf(cidr: string, prefixLength: number): number {
  const subnet = parseCidr(cidr);
  return subnet === undefined ? 0 : partCount(subnet, prefixLength);
}

function partCount({ base, prefixLength }: Subnet, partLength: number): number {
  const isPart = partLength >= prefixLength && partLength <= base.toByteArray().length * 8;
  return isPart ? 2 ** (partLength - prefixLength) : 0;
}

/** The first address of a part of a subnet. */
function partAt(subnet: Subnet, partLength: number, index: number): string | undefined {
  if (index >= partCount(subnet, partLength)) return undefined;
  const bytes = networkBytes(subnet);
  // The number of the part is added at the last bit of its prefix, with a carry into the bytes before.
  let carry = index * 2 ** ((8 - (partLength % 8)) % 8);
  for (let at = Math.ceil(partLength / 8) - 1; at >= 0 && carry > 0; at--) {
    carry += bytes[at] ?? 0;
    bytes[at] = carry % 256;
    carry = Math.floor(carry / 256);
  }
  return fromBytes(bytes);
}

/** The bytes of the first address of a subnet. */
function networkBytes({ base, prefixLength }: Subnet): number[] {
  return base.toByteArray().map((byte, index) => {
    const bits = Math.min(8, Math.max(0, prefixLength - index * 8));
    return byte & (0xff << (8 - bits)) & 0xff;
  });
}

/** A subnet (CIDR) as routes have it: only zeros after the prefix, RFC 5952 for IPv6; undefined for invalid text. */
export const networkOf = lazyByText((cidr: string): string | undefined => {
  const subnet = parseCidr(cidr);
  return subnet && `${fromBytes(networkBytes(subnet))}/${subnet.prefixLength}`;
});

/** The subnet that one with bits after its prefix stands for (CIDR); undefined for one without, and for invalid text. */
export function subnetMeantBy(cidr: string): string | undefined {
  const network = networkOf(cidr);
  const isMeant = network === undefined || withoutLength(network) === canonicalAddress(withoutLength(cidr));
  return isMeant ? undefined : network;
}

/** Four bytes that stand for an address in a MAC address: those of an IPv4 address, the first four of the SHA-256 of an IPv6 address. */
export function fourBytesOf(address: string): readonly number[] {
  if (familyOf(address) === 4) return bytesOf(address) ?? [];
  return [...sha256(utf8ToBytes(canonicalAddress(address)))].slice(0, 4);
}

/** A MAC address as text, such as `0a:58:a9:fe:00:04`. */
export function macText(bytes: readonly number[]): string {
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(':');
}

/**
 * The MAC address that OVN-Kubernetes derives from an IP address: a prefix of two bytes, then four bytes of the address (OVN-Kubernetes,
 * util.IPAddrToHWAddr).
 */
export function macAddressOf(address: string): string {
  return macText([...IP_MAC_PREFIX, ...fourBytesOf(address)]);
}

/** The link-local IPv6 address of a MAC address (RFC 4291, appendix A); undefined for invalid text. */
export const linkLocalAddressOf = lazyByText((macAddress: string): string | undefined => {
  const bytes = macAddress.split(':').map((byte) => Number.parseInt(byte, 16));
  const [first = 0, second = 0, third = 0, ...rest] = bytes;
  if (bytes.length !== 6 || bytes.some((byte) => Number.isNaN(byte))) return undefined;
  return fromBytes([0xfe, 0x80, 0, 0, 0, 0, 0, 0, first ^ 0x02, second, third, 0xff, 0xfe, ...rest]);
});
