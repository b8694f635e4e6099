import { isIP, isIPv6 } from 'node:net';
import type { Environment } from '@marcbachmann/cel-js';
import {
  canonicalAddress,
  familyOf,
  isLinkLocal,
  subnetContains,
} from '../../../domain/basics/addresses/ip-address.ts';

/** An address in CEL (type `net.IP`). */
export class Ip {
  /** Canonical, RFC 5952 for IPv6. */
  readonly text: string;

  constructor(text: string) {
    this.text = canonicalAddress(text);
  }
}

/** The receiver of `ip.isCanonical`. */
class IpNamespace {
  readonly name = 'ip';
}

/** Whether it is an IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2), which Kubernetes rejects. */
function isMapped(address: string): boolean {
  return isIPv6(address) && /^\[::ffff:[0-9a-f]+:[0-9a-f]+\]$/.test(new URL(`http://[${address}]`).hostname);
}

/** Whether Kubernetes accepts a text as an address: without a zone and without leading zeros. */
export function isKubernetesAddress(text: string): boolean {
  return isIP(text) !== 0 && familyOf(text) !== undefined && !isMapped(text);
}

/** @throws if it is not an address */
export function ipOf(text: string): Ip {
  if (!isKubernetesAddress(text)) throw new Error(`${text} is not an address`);
  return new Ip(text);
}

function isIn(subnets: readonly string[], { text }: Ip): boolean {
  return subnets.some((subnet) => subnetContains(subnet, text));
}

const unspecified = ['0.0.0.0/32', '::/128'];
const loopback = ['127.0.0.0/8', '::1/128'];
const multicast = ['224.0.0.0/4', 'ff00::/8'];
/** In IPv6 with any flags (RFC 4291, section 2.7), as in Go's net/netip. */
const linkLocalMulticast = ['224.0.0.0/24', ...Array.from('0123456789abcdef', (flags) => `ff${flags}2::/16`)];
const notGlobal = [...unspecified, ...loopback, ...multicast, '255.255.255.255/32'];

/** Adds the functions of Kubernetes' IP address library. */
export function withAddressFunctions(environment: Environment): Environment {
  return environment
    .registerType('net.IP', Ip)
    .registerType('IpNamespace', IpNamespace)
    .registerConstant('ip', 'IpNamespace', new IpNamespace())
    .registerOperator('net.IP == net.IP', (left: Ip, right: Ip) => left.text === right.text)
    .registerFunction('isIP(string): bool', isKubernetesAddress)
    .registerFunction('ip(string): net.IP', ipOf)
    .registerFunction('string(net.IP): string', ({ text }: Ip) => text)
    .registerFunction(
      'IpNamespace.isCanonical(string): bool',
      (_: IpNamespace, text: string) => ipOf(text).text === text,
    )
    .registerFunction('net.IP.family(): int', ({ text }: Ip) => BigInt(familyOf(text) ?? 0))
    .registerFunction('net.IP.isUnspecified(): bool', (address: Ip) => isIn(unspecified, address))
    .registerFunction('net.IP.isLoopback(): bool', (address: Ip) => isIn(loopback, address))
    .registerFunction('net.IP.isLinkLocalMulticast(): bool', (address: Ip) => isIn(linkLocalMulticast, address))
    .registerFunction('net.IP.isLinkLocalUnicast(): bool', ({ text }: Ip) => isLinkLocal(text))
    .registerFunction(
      'net.IP.isGlobalUnicast(): bool',
      (address: Ip) => !isIn(notGlobal, address) && !isLinkLocal(address.text),
    );
}
