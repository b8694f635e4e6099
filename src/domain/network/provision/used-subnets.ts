/**
 * Do the subnets of a network overlap with subnets that its pods or nodes also use? (OKEP-5193, IP Addressing)
 *
 * Subnets of different networks may overlap: they never meet.
 */
import type { Network } from '../network.ts';
import { joinSubnet } from '../allocation/addresses.ts';
import {
  addressFamilies,
  compareAddresses,
  familyOf,
  networkOf,
  prefixLengthOf,
  subnetContains,
  subnetsOverlap,
  withoutLength,
} from '../../basics/addresses/ip-address.ts';

/** The use of a subnet. */
export type SubnetUse =
  | 'pods'
  | 'join'
  | 'transit'
  | 'masquerade'
  | 'services'
  | 'uplink'
  | 'default-network'
  | 'cluster'
  | 'default-network-join'
  | 'node';

/** A subnet in use. */
export interface UsedSubnet {
  readonly use: SubnetUse;
  /** CIDR. */
  readonly subnet: string;
  /** Of an uplink or a node, its name. */
  readonly of?: string;
}

/** Two subnets that overlap, the first of which is of the network. */
export interface UsedTwice {
  readonly own: UsedSubnet;
  readonly other: UsedSubnet;
}

/** Subnets that are used for the same. */
export const withUse = (use: SubnetUse, subnets: readonly string[], of?: string): readonly UsedSubnet[] =>
  subnets.map((subnet) => ({ use, subnet, ...(of !== undefined && { of }) }));

/** The subnets of an uplink. @param ipAddresses its addresses with the prefix lengths of their subnets, CIDR */
export const usedByUplink = (uplink: string, ipAddresses: readonly string[]): readonly UsedSubnet[] =>
  withUse(
    'uplink',
    ipAddresses.flatMap((cidr) => networkOf(cidr) ?? []),
    uplink,
  );

/** The subnets of a network that must be unique in the cluster. */
function subnetsOf({ subnets, joinSubnets }: Network): readonly UsedSubnet[] {
  const families = addressFamilies.filter((family) => subnets.some(({ cidr }) => familyOf(cidr) === family));
  const join = families.flatMap((family) => joinSubnet(joinSubnets, family) ?? []);
  return [
    ...withUse(
      'pods',
      subnets.map(({ cidr }) => cidr),
    ),
    ...withUse('join', join),
  ];
}

/** Subnets by their addresses: one that overlaps with another is found without a look at all of them. */
export interface SubnetIndex {
  /** A subnet that overlaps with this one, CIDR: the largest around it, else the first in it; undefined for none. */
  overlapping(subnet: string): UsedSubnet | undefined;
}

/** The place of the first subnet that begins at an address, or behind it. */
function placeOf(address: string, sorted: readonly UsedSubnet[]): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareAddresses(withoutLength(sorted[middle]?.subnet ?? ''), address) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Indexes subnets. Of two equal ones, the first is found. */
export function subnetIndex(used: readonly UsedSubnet[]): SubnetIndex {
  const all = used.flatMap((each) => {
    const subnet = networkOf(each.subnet);
    return subnet === undefined ? [] : [{ ...each, subnet }];
  });
  const byText = new Map(all.toReversed().map((each) => [each.subnet, each]));
  const sorted = [...byText.values()].sort((left, right) =>
    compareAddresses(withoutLength(left.subnet), withoutLength(right.subnet)),
  );
  const lengths = [...new Set(all.map(({ subnet }) => prefixLengthOf(subnet)))].sort((left, right) => left - right);
  return {
    overlapping: (subnet) => {
      const network = networkOf(subnet);
      if (network === undefined) return undefined;
      const first = withoutLength(network);
      const around = lengths
        .filter((length) => length <= prefixLengthOf(network))
        .flatMap((length) => byText.get(networkOf(`${first}/${length}`) ?? '') ?? []);
      const next = sorted[placeOf(first, sorted)];
      return around[0] ?? (next !== undefined && subnetsOverlap(network, next.subnet) ? next : undefined);
    },
  };
}

/** The subnets of a network that overlap with each other, or with those of uplinks. */
function overlapsAmong(network: Network, ofUplinks: readonly UsedSubnet[]): readonly UsedTwice[] {
  return subnetsOf(network).flatMap((own, index, all) =>
    [...all.slice(index + 1), ...ofUplinks]
      .filter(({ subnet }) => subnetsOverlap(own.subnet, subnet))
      .map((other) => ({ own, other })),
  );
}

/**
 * The first subnet of a network that overlaps with another one that is in use; undefined for none.
 *
 * @param ofUplinks those of its uplinks
 * @param used those of the cluster
 */
export function firstUsedTwice(
  network: Network,
  ofUplinks: readonly UsedSubnet[],
  used: SubnetIndex,
): UsedTwice | undefined {
  const inCluster = subnetsOf(network).flatMap((own) => {
    const other = used.overlapping(own.subnet);
    return other === undefined ? [] : [{ own, other }];
  });
  return overlapsAmong(network, ofUplinks)[0] ?? inCluster[0];
}

/** An uplink on a node. */
export interface UplinkAddresses {
  /** Name of the Uplink. */
  readonly uplink: string;
  /** With the prefix lengths of their subnets, CIDR. */
  readonly ipAddresses: readonly string[];
  readonly defaultGateways: readonly string[];
}

/** Overlaps of the subnets of a network with each other and with those of an uplink on a node. */
export interface OverlapsOnNode {
  /** The first one with which the gateway router of the network would send packets to the wrong side; absent for none. */
  readonly usedTwice?: UsedTwice;
  /** Those of which the subnet of the network is the smaller one: all packets for it go to the network, none to hosts on the link. */
  readonly withinUplink: readonly UsedTwice[];
}

/** Compares the subnets of a network with each other and with those of an uplink. A router uses the route of the longest prefix (ovn-northd(8), IP Routing). */
export function overlapsOnNode(
  network: Network,
  { uplink, ipAddresses, defaultGateways }: UplinkAddresses,
): OverlapsOnNode {
  const addresses = [...ipAddresses.map(withoutLength), ...defaultGateways];
  const isWithinUplink = ({ own, other }: UsedTwice): boolean =>
    other.use === 'uplink' &&
    prefixLengthOf(own.subnet) > prefixLengthOf(other.subnet) &&
    !addresses.some((address) => subnetContains(own.subnet, address));
  const overlaps = overlapsAmong(network, usedByUplink(uplink, ipAddresses));
  const usedTwice = overlaps.find((overlap) => !isWithinUplink(overlap));
  return { ...(usedTwice && { usedTwice }), withinUplink: overlaps.filter(isWithinUplink) };
}
