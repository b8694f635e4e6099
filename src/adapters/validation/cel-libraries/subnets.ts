import type { Environment } from '@marcbachmann/cel-js';
import {
  canonicalAddress,
  isCidr,
  networkOf,
  prefixLengthOf,
  subnetContains,
  withoutLength,
} from '../../../domain/basics/addresses/ip-address.ts';
import { Ip, ipOf, isKubernetesAddress } from './addresses.ts';

/** A subnet in CEL (type `net.CIDR`). */
class Cidr {
  /** With a canonical address, which may have bits after the prefix. */
  readonly text: string;

  constructor(text: string) {
    this.text = `${canonicalAddress(withoutLength(text))}/${prefixLengthOf(text)}`;
  }
}

function isKubernetesCidr(text: string): boolean {
  return isCidr(text) && isKubernetesAddress(withoutLength(text));
}

function cidrOf(text: string): Cidr {
  if (!isKubernetesCidr(text)) throw new Error(`${text} is not a subnet`);
  return new Cidr(text);
}

function containsSubnet(outer: Cidr, inner: Cidr): boolean {
  return (
    subnetContains(outer.text, withoutLength(inner.text)) && prefixLengthOf(outer.text) <= prefixLengthOf(inner.text)
  );
}

/** Adds the functions of Kubernetes' CIDR library; those for addresses must be there. */
export function withSubnetFunctions(environment: Environment): Environment {
  return environment
    .registerType('net.CIDR', Cidr)
    .registerOperator('net.CIDR == net.CIDR', (left: Cidr, right: Cidr) => left.text === right.text)
    .registerFunction('isCIDR(string): bool', isKubernetesCidr)
    .registerFunction('cidr(string): net.CIDR', cidrOf)
    .registerFunction('string(net.CIDR): string', ({ text }: Cidr) => text)
    .registerFunction('net.CIDR.ip(): net.IP', ({ text }: Cidr) => new Ip(withoutLength(text)))
    .registerFunction('net.CIDR.prefixLength(): int', ({ text }: Cidr) => BigInt(prefixLengthOf(text)))
    .registerFunction('net.CIDR.masked(): net.CIDR', ({ text }: Cidr) => new Cidr(networkOf(text) ?? text))
    .registerFunction('net.CIDR.containsIP(net.IP): bool', ({ text }: Cidr, ip: Ip) => subnetContains(text, ip.text))
    .registerFunction('net.CIDR.containsIP(string): bool', ({ text }: Cidr, address: string) =>
      subnetContains(text, ipOf(address).text),
    )
    .registerFunction('net.CIDR.containsCIDR(net.CIDR): bool', containsSubnet)
    .registerFunction('net.CIDR.containsCIDR(string): bool', (outer: Cidr, inner: string) =>
      containsSubnet(outer, cidrOf(inner)),
    );
}
