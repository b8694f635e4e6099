/**
 * Addresses that are the same for every network of a cluster: its services', and OVN-Kubernetes' own on every node, by which the host and
 * the networks' gateway routers speak to each other. (docs/design/field-facts.md, "Masquerade subnets")
 */
import { MASQUERADE_OFFSETS } from '../conventions.ts';
import { addressAt, familyOf, linkLocalAddressOf, macAddressOf, networkOf } from '../ip-address.ts';
import { distinct } from '../ordering.ts';
import type { NodeSettings } from '../snapshot/settings.ts';

/** A next hop that no device has, and its MAC address: packets sent there are for flows of the bridge. */
export interface DummyNextHop {
  readonly address: string;
  readonly macAddress: string;
}

/** What one address family has of them. */
export interface FamilyAddressing {
  /** Subnets of the cluster's services, CIDR. */
  readonly serviceSubnets: readonly string[];
  /** The masquerade addresses that the host itself has, first the one that it speaks from. */
  readonly hostAddresses: readonly string[];
  /** Absent where there is no IPv4 masquerade subnet. */
  readonly dummyNextHop?: DummyNextHop;
}

export type Addressing = Readonly<Record<4 | 6, FamilyAddressing>>;

/**
 * The dummy next hop of a family. For IPv6 it is the link-local address of the IPv4 one's MAC address: the kernel refuses a next hop from
 * the masquerade subnet itself.
 */
function dummyNextHopOf(masqueradeSubnet: string, family: 4 | 6): DummyNextHop | undefined {
  const ipv4 = addressAt(masqueradeSubnet, MASQUERADE_OFFSETS.dummyNextHop);
  if (ipv4 === undefined) return undefined;
  const macAddress = macAddressOf(ipv4);
  const address = family === 4 ? ipv4 : linkLocalAddressOf(macAddress);
  return address === undefined ? undefined : { address, macAddress };
}

/** The subnets of a family, in the spelling of routes, each once, in name order: that of a list in the settings means nothing. */
function ofFamily(cidrs: readonly string[], family: 4 | 6): readonly string[] {
  return distinct(cidrs.filter((cidr) => familyOf(cidr) === family).flatMap((cidr) => networkOf(cidr) ?? []));
}

function familyAddressing({ serviceCidrs, masqueradeSubnets }: Subnets, family: 4 | 6): FamilyAddressing {
  const subnetOf = (wanted: 4 | 6) => ofFamily(masqueradeSubnets, wanted)[0] ?? '';
  const { host, hostLocal } = MASQUERADE_OFFSETS;
  const dummyNextHop = dummyNextHopOf(subnetOf(4), family);
  return {
    serviceSubnets: ofFamily(serviceCidrs, family),
    hostAddresses: [host, hostLocal].flatMap((offset) => addressAt(subnetOf(family), offset) ?? []),
    ...(dummyNextHop && { dummyNextHop }),
  };
}

type Subnets = Pick<NodeSettings, 'serviceCidrs' | 'masqueradeSubnets'>;

/** The addresses of both families. */
export function addressingOf(settings: Subnets): Addressing {
  return { 4: familyAddressing(settings, 4), 6: familyAddressing(settings, 6) };
}
