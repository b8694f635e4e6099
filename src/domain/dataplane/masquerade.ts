/**
 * OVN-Kubernetes' own addresses on every node, by which the host and the networks' gateway routers speak to each other (Field facts,
 * masquerade subnet).
 */
import { MASQUERADE_OFFSETS } from '../conventions.ts';
import { addressAt, familyOf, linkLocalAddressOf, macAddressOf } from '../ip-address.ts';
import type { DataplaneInput } from './dataplane-input.ts';

type Masquerade = Pick<DataplaneInput, 'masqueradeSubnets'>;

function at(offset: number, { masqueradeSubnets }: Masquerade, family: 4 | 6): string | undefined {
  const subnet = masqueradeSubnets.find((cidr) => familyOf(cidr) === family);
  return subnet === undefined ? undefined : addressAt(subnet, offset);
}

/** The addresses that the host itself bears, first the one that it speaks from. */
export function hostMasqueradeAddresses(input: Masquerade, family: 4 | 6): readonly string[] {
  const { host, hostLocal } = MASQUERADE_OFFSETS;
  return [host, hostLocal].flatMap((offset) => at(offset, input, family) ?? []);
}

/** A next hop that nobody bears, and the MAC address that stands for it: what is sent there is the flows' to take. */
export interface DummyNextHop {
  readonly address: string;
  readonly macAddress: string;
}

/**
 * The dummy next hop of a family. For IPv6 it is the link-local address of the IPv4 one's MAC address: the kernel refuses a next hop from
 * the masquerade subnet itself.
 */
export function dummyNextHop(input: Masquerade, family: 4 | 6): DummyNextHop | undefined {
  const ipv4 = at(MASQUERADE_OFFSETS.dummyNextHop, input, 4);
  if (ipv4 === undefined) return undefined;
  const macAddress = macAddressOf(ipv4);
  const address = family === 4 ? ipv4 : linkLocalAddressOf(macAddress);
  return address === undefined ? undefined : { address, macAddress };
}
