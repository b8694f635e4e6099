/** The elements of the sets of the filter (docs/design/node-egress.md, "The filter"): networks, the devices they leave by, and where they may not go. */
import {
  addressFamilies,
  type AddressFamily,
  familyOf,
  withoutContained,
  withoutLength,
} from '../../basics/addresses/ip-address.ts';
import { byName, distinct } from '../../basics/names/ordering.ts';
import { egressFilter } from '../../datapath/nftables/egress-filter.ts';
import type { FilterTable } from '../../snapshot/datapath.ts';
import type { Route } from '../../snapshot/node-snapshot.ts';
import { routesOut } from '../../snapshot/ways-out.ts';
import type { NetworkAddress } from './network-by-node.ts';

/** A network in the filter. */
export interface FilteredNetwork {
  /** The devices that its packets are seen on: its management port, and the VRF that this is in. */
  readonly devices: readonly string[];
  readonly networkAddresses: readonly NetworkAddress[];
}

/** The surroundings of networks in the filter. */
export interface FilterSurroundings {
  /** By address family: the devices that networks leave by. */
  readonly ways: Readonly<Record<AddressFamily, readonly string[]>>;
  /** CIDR: where networks may not go, and where nevertheless. */
  readonly denied: readonly string[];
  readonly allowed: readonly string[];
}

/** Whether the name of a device is syntax of nft: of the name of a set, or the beginning of names (nft(8), SETS; DATA TYPES). */
function isSyntax(name: string): boolean {
  return name.startsWith('@') || name.endsWith('*');
}

/** The devices of the default routes in force, or of both halves of one, by address family; and others. */
export function waysOf(routes: readonly Route[], others: readonly string[]): FilterSurroundings['ways'] {
  const ofFamily = (family: AddressFamily) => {
    const hops = routesOut(routes, family).flatMap(({ nextHops }) => nextHops);
    const devices = hops.flatMap(({ device }) => device ?? []);
    return distinct([...devices, ...others]).filter((name) => !isSyntax(name));
  };
  return { 4: ofFamily(4), 6: ofFamily(6) };
}

/** A subnet as nft prints it as an element: an address without length. */
function elementOf(cidr: string): string {
  return /\/(?:32|128)$/.test(cidr) && cidr.endsWith(familyOf(cidr) === 4 ? '/32' : '/128')
    ? withoutLength(cidr)
    : cidr;
}

/** The destinations that are denied in a filter as it is found, CIDR; none where there is none. */
export function deniedIn(filter: FilterTable | undefined): readonly string[] {
  const elements = addressFamilies.flatMap((family) => filter?.sets[`denied${family}`] ?? []);
  return elements.map((each) => (each.includes('/') ? each : `${each}/${familyOf(each) === 4 ? 32 : 128}`));
}

function subnetElements(subnets: readonly string[], family: AddressFamily): readonly string[] {
  // Elements of a set may not overlap (nft(8), flags interval).
  return withoutContained(subnets.filter((cidr) => familyOf(cidr) === family)).map(elementOf);
}

function elementsOfFamily(
  networks: readonly FilteredNetwork[],
  { ways, denied, allowed }: FilterSurroundings,
  family: AddressFamily,
): readonly (readonly [string, readonly string[]])[] {
  const addresses = networks.flatMap(({ devices, networkAddresses }) =>
    networkAddresses.filter((each) => each.family === family).map(({ address }) => ({ address, devices })),
  );
  return [
    [`sources${family}`, addresses.map(({ address }) => address)],
    [`owners${family}`, addresses.flatMap(({ address, devices }) => devices.map((device) => `${device} . ${address}`))],
    [`ways${family}`, ways[family]],
    [`denied${family}`, subnetElements(denied, family)],
    [`allowed${family}`, subnetElements(allowed, family)],
  ];
}

/** The filter for some networks. */
export function filterFor(networks: readonly FilteredNetwork[], surroundings: FilterSurroundings): FilterTable {
  const sets = [
    ['ports', networks.flatMap(({ devices }) => devices)] as const,
    ...addressFamilies.flatMap((family) => elementsOfFamily(networks, surroundings, family)),
  ];
  const elements = sets.map(([name, wanted]) => [name, distinct(wanted).toSorted(byName)] as const);
  return { name: egressFilter.table.name, sets: Object.fromEntries(elements), isIntact: true };
}
