/** Whose is a managed entity? An index of a node says it, from what the node shows and from what is decided about its networks. */
import type { Anchor } from '../entity-kind.ts';
import { keyOfNetworkName, type NetworkKey } from '../../network/key.ts';
import { type NetworkOwner, partKey } from '../../network/part.ts';
import { isManagementPortIn } from '../../network/names/numbers.ts';
import { isOwnRoute } from '../kernel/route.ts';
import { isShortened, signedName, vrfSignature } from '../../network/names/vrf-signature.ts';
import { isOwnRule } from '../kernel/rule.ts';
import { selectedText } from '../../node-model/rules/rule-match.ts';
import { withoutLength } from '../../basics/addresses/ip-address.ts';
import { lazy } from '../../basics/incremental/lazy.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { entryOf } from '../../snapshot/ledger.ts';
import type { NodeSnapshot, Table } from '../../snapshot/node-snapshot.ts';
import { foundPlaces } from './found-places.ts';
import { nowhere, type OwnerPlaces, type Places } from './places.ts';

function distinctOwners(owners: readonly NetworkOwner[]): readonly NetworkOwner[] {
  return [...new Map(owners.map((owner) => [partKey(owner), owner])).values()];
}

/** A part of a network with its places. */
type Placed = NetworkOwner & Places;

/** Parts of networks by the place where they are. */
type OwnersByPlace = ReadonlyMap<string, readonly NetworkOwner[]>;

function byPlace(all: readonly Placed[], placesOf: (placed: Placed) => readonly (string | number)[]): OwnersByPlace {
  const pairs = all.flatMap((placed) => placesOf(placed).map((place) => ({ place: `${place}`, placed })));
  return new Map(
    [...groupBy(pairs, ({ place }) => place)].map(([place, found]) => [
      place,
      distinctOwners(found.map(({ placed: { network, part } }) => ({ network, part }))),
    ]),
  );
}

/** Returns the key of a network by its name, or by the shortened one in the signature of its VRF if one of some names is shortened to that. */
function keysOf(all: readonly OwnerPlaces[]): (networkName: string) => NetworkKey | undefined {
  const names = new Map(all.map(({ networkName }) => [signedName(vrfSignature(networkName)), networkName]));
  return (networkName) => {
    const name = names.get(networkName) ?? networkName;
    return isShortened(name) ? undefined : keyOfNetworkName(name);
  };
}

/** The interfaces by which managed routes in the table of a network lead: it was on them, if no other network is now. */
function behind(tables: OwnersByPlace, { routes, ledger }: NodeSnapshot): readonly Placed[] {
  return routes.filter(isOwnRoute).flatMap(({ nextHops, table }) => {
    const owners = (tables.get(`${table}`) ?? []).filter(({ part }) => part === 'uplink');
    const devices = nextHops.flatMap(({ device }) =>
      device === undefined || isManagementPortIn(table, device) ? [] : [device],
    );
    const isOf = ({ network }: NetworkOwner, device: string) => {
      const entry = entryOf(ledger, 'membership', device);
      return entry === undefined || keyOfNetworkName(entry.network) === network;
    };
    return owners.map((owner) => ({ ...nowhere, ...owner, devices: devices.filter((device) => isOf(owner, device)) }));
  });
}

/** The tables of networks by their addresses on the node: managed rules and routes tell them. */
function tablesOfAddresses({ rules, routes }: NodeSnapshot): ReadonlyMap<string, readonly Table[]> {
  const byRules = rules.filter(isOwnRule).flatMap(({ table, others: { dst } }) => {
    const address = selectedText(dst);
    return address === undefined || table === undefined ? [] : [{ address, table }];
  });
  const byRoutes = routes
    .filter(isOwnRoute)
    .map(({ destination, table }) => ({ address: withoutLength(destination), table }));
  return new Map(
    [...groupBy([...byRules, ...byRoutes], ({ address }) => address)].map(([address, found]) => [
      address,
      found.map(({ table }) => table),
    ]),
  );
}

/** Returns the parts of networks that an entity is there for, by its anchor; none where none is known. */
export type Owners = (anchor: Anchor) => readonly NetworkOwner[];

/**
 * The owners of the entities of a node.
 *
 * @param decided where networks are, or are to be, by the plan: beside what the node itself shows
 */
export function ownersOn(node: NodeSnapshot, decided: readonly OwnerPlaces[]): Owners {
  const all = [...foundPlaces(node), ...decided];
  const keyOf = keysOf(all.filter(({ networkName }) => !isShortened(networkName)));
  const owners = all.flatMap(({ networkName, ...places }): readonly Placed[] => {
    const network = keyOf(networkName);
    return network === undefined ? [] : [{ ...places, network }];
  });
  const vrfs = byPlace(owners, (each) => each.vrfs);
  const tables = byPlace(owners, (each) => each.tables);
  // Addresses on a VRF itself are for the uplink.
  const devices = byPlace([...owners, ...behind(tables, node)], (each) =>
    each.part === 'uplink' ? [...each.devices, ...each.vrfs] : each.devices,
  );
  const tablesOf = lazy(() => tablesOfAddresses(node));
  const bridges = byPlace(owners, (each) => each.bridges);
  const patchPorts = byPlace(owners, (each) => each.patchPorts);
  const at = (places: OwnersByPlace, place: string) => places.get(place) ?? [];
  return (anchor) => {
    if ('vrf' in anchor) return distinctOwners([...at(vrfs, anchor.vrf), ...at(devices, anchor.vrf)]);
    if ('table' in anchor) {
      return at(tables, `${anchor.table}`).filter(({ part }) => anchor.part === undefined || part === anchor.part);
    }
    if ('device' in anchor) return at(devices, anchor.device);
    if ('bridge' in anchor) {
      return anchor.patchPort === undefined ? at(bridges, anchor.bridge) : at(patchPorts, anchor.patchPort);
    }
    if ('node' in anchor || 'way' in anchor) return [];
    if ('networkAddress' in anchor) {
      const found = (tablesOf().get(anchor.networkAddress) ?? []).flatMap((table) => at(tables, `${table}`));
      return distinctOwners(found.filter(({ part }) => part === 'network'));
    }
    const network = keyOfNetworkName(anchor.networkName);
    return network === undefined ? [] : [{ network, part: anchor.part }];
  };
}
