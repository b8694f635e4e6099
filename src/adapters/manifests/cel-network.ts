import { isIP, isIPv6 } from 'node:net';
import type { Environment } from '@marcbachmann/cel-js';
import { familyOf, isCidr, prefixLengthOf } from '../../domain/ip-address.ts';

/** A subnet in CEL. */
class Cidr {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An address in CEL. */
class Ip {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function addressIn(cidr: string): string {
  return cidr.split('/')[0] ?? '';
}

/** Whether it is an address of IPv4 in the form of IPv6 (RFC 4291, section 2.5.5.2), which Kubernetes does not take. */
function isMapped(address: string): boolean {
  return isIPv6(address) && /^\[::ffff:[0-9a-f]+:[0-9a-f]+\]$/.test(new URL(`http://[${address}]`).hostname);
}

function isKubernetesCidr(text: string): boolean {
  const address = addressIn(text);
  return isCidr(text) && isIP(address) !== 0 && !isMapped(address);
}

function cidrOf(text: string): Cidr {
  if (!isKubernetesCidr(text)) throw new Error(`${text} is not a subnet`);
  return new Cidr(text);
}

/** Adds what rules of this project use of Kubernetes' CEL libraries for subnets and addresses (Kubernetes, "Common Expression Language in Kubernetes"). */
export function withNetworkFunctions(environment: Environment): Environment {
  return environment
    .registerType('net.CIDR', Cidr)
    .registerType('net.IP', Ip)
    .registerFunction('isCIDR(string): bool', isKubernetesCidr)
    .registerFunction('cidr(string): net.CIDR', cidrOf)
    .registerFunction('net.CIDR.ip(): net.IP', ({ text }: Cidr) => new Ip(addressIn(text)))
    .registerFunction('net.CIDR.prefixLength(): int', ({ text }: Cidr) => BigInt(prefixLengthOf(text)))
    .registerFunction('net.IP.family(): int', ({ text }: Ip) => BigInt(familyOf(text) ?? 0));
}
