/**
 * Addresses that are the same for every network of a cluster: the subnets of services, and OVN-Kubernetes' masquerade addresses on every node, with
 * which the host and gateway routers communicate. (docs/design/field-facts.md, "Masquerade subnets")
 */
import { MASQUERADE_OFFSETS } from '../basics/conventions.ts';
import { addressAt, familyOf, linkLocalAddressOf, macAddressOf, networkOf } from '../basics/addresses/ip-address.ts';
import { lazyByObject } from '../basics/incremental/by-identity.ts';
import { distinct } from '../basics/names/ordering.ts';
import type { NodeSettings } from '../snapshot/settings.ts';

/** A next hop that no device has, and its MAC address: packets to it are for flows of the bridge. */
export interface DummyNextHop {
  readonly address: string;
  readonly macAddress: string;
}

/** The addresses of one family. */
export interface FamilyAddressing {
  /** Subnets of the cluster's services, CIDR. */
  readonly serviceSubnets: readonly string[];
  /** The masquerade addresses of the host; the first is the source of its packets. */
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

/** The subnets of a family, as routes have them, each once, in name order: their order in the settings has no meaning. */
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
export const addressingOf = lazyByObject((settings: Subnets): Addressing => ({
  4: familyAddressing(settings, 4),
  6: familyAddressing(settings, 6),
}));
