/**
 * Which advertised networks cannot be told apart from outside, because their pods may have the same addresses? (docs/design/api-decisions.md,
 * "networks[]")
 *
 * As in a conflict there is no winner: overlap is symmetric.
 */
import type { NetworkKey } from '../network/key.ts';
import { groupBy } from '../basics/names/grouping.ts';
import { compareAddresses, networkOf, prefixLengthOf, subnetContains } from '../basics/addresses/ip-address.ts';
import { lazyByContent } from '../basics/incremental/interned.ts';
import { byName } from '../basics/names/ordering.ts';

/** A network of the default routing domain whose pods are reached by their own addresses. */
export interface AdvertisedNetwork {
  readonly network: NetworkKey;
  readonly bridge: string;
  /** Subnets of its pods on the node, CIDR. */
  readonly subnets: readonly string[];
}

/** A subnet of a network's pods that overlaps with one of another network on the same bridge. */
export interface SubnetOverlap {
  readonly bridge: string;
  /** CIDR. */
  readonly subnet: string;
  readonly other: { readonly network: NetworkKey; readonly subnet: string };
}

interface NetworkSubnet {
  readonly network: NetworkKey;
  readonly subnet: string;
  /** Its lowest address. */
  readonly address: string;
}

/** A subnet before those inside it. */
function byPlace(left: NetworkSubnet, right: NetworkSubnet): number {
  return (
    compareAddresses(left.address, right.address) ||
    prefixLengthOf(left.subnet) - prefixLengthOf(right.subnet) ||
    byName(left.network, right.network)
  );
}

/** Pairs of subnets of different networks that overlap. Of two subnets, one contains the other or they have no address in common. */
function overlappingPairs(
  networks: readonly AdvertisedNetwork[],
): readonly (readonly [NetworkSubnet, NetworkSubnet])[] {
  const places = networks
    .flatMap(({ network, subnets }) =>
      subnets.flatMap((cidr): readonly NetworkSubnet[] => {
        const subnet = networkOf(cidr);
        return subnet === undefined ? [] : [{ network, subnet, address: subnet.split('/')[0] ?? '' }];
      }),
    )
    .sort(byPlace);
  const pairs: (readonly [NetworkSubnet, NetworkSubnet])[] = [];
  let around: readonly NetworkSubnet[] = [];
  for (const place of places) {
    around = around.filter(({ subnet }) => subnetContains(subnet, place.address));
    for (const outer of around) if (outer.network !== place.network) pairs.push([outer, place]);
    around = [...around, place];
  }
  return pairs;
}

function overlapsAmong(advertised: readonly AdvertisedNetwork[]): ReadonlyMap<NetworkKey, readonly SubnetOverlap[]> {
  const found = [...groupBy(advertised, ({ bridge }) => bridge)].flatMap(([bridge, networks]) =>
    overlappingPairs(networks).flatMap(([left, right]) =>
      [[left, right] as const, [right, left] as const].map(([own, { network, subnet }]) => ({
        network: own.network,
        overlap: { bridge, subnet: own.subnet, other: { network, subnet } },
      })),
    ),
  );
  found.sort((left, right) => byName(left.overlap.other.network, right.overlap.other.network));
  return new Map(
    [...groupBy(found, ({ network }) => network)].map(([network, all]) => [network, all.map(({ overlap }) => overlap)]),
  );
}

/** Returns the overlaps of each network; networks without overlaps are absent. */
export const subnetOverlaps = lazyByContent(
  overlapsAmong,
  // The networks of a node change rarely, and a plan asks once.
  10,
);
