/** Whose is a managed entity? An index of a node says it, from what the node shows and from what is decided about its networks. */
import type { Anchor } from '../entities/entity-kind.ts';
import type { NetworkOwner } from '../network/part.ts';
import { isManagementPortIn } from '../allocation/numbers.ts';
import { isOwnRoute } from '../entities/route.ts';
import { groupBy } from '../names/grouping.ts';
import { entryOf } from '../snapshot/ledger.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { foundPlaces } from './found-places.ts';
import { nowhere, type OwnerPlaces } from './places.ts';

/** A text that is the same for the same part of the same network. */
export function ownerKey({ part, networkName }: NetworkOwner): string {
  return `${part} ${networkName}`;
}

function distinctOwners(owners: readonly NetworkOwner[]): readonly NetworkOwner[] {
  return [...new Map(owners.map((owner) => [ownerKey(owner), owner])).values()];
}

/** Parts of networks by the place where they are. */
type OwnersByPlace = ReadonlyMap<string, readonly NetworkOwner[]>;

type PlacesOf = (owner: OwnerPlaces) => readonly (string | number)[];

function byPlace(owners: readonly OwnerPlaces[], placesOf: PlacesOf): OwnersByPlace {
  const pairs = owners.flatMap((owner) => placesOf(owner).map((place) => ({ place: `${place}`, owner })));
  return new Map(
    [...groupBy(pairs, ({ place }) => place)].map(([place, all]) => [
      place,
      distinctOwners(all.map(({ owner: { networkName, part } }) => ({ networkName, part }))),
    ]),
  );
}

/** The interfaces by which managed routes in the table of a network lead: it was on them, if no other network is now. */
function behind(tables: OwnersByPlace, { routes, ledger }: NodeSnapshot): readonly OwnerPlaces[] {
  return routes.filter(isOwnRoute).flatMap(({ nextHops, table }) => {
    const owners = (tables.get(`${table}`) ?? []).filter(({ part }) => part === 'uplink');
    const devices = nextHops.flatMap(({ device }) =>
      device === undefined || isManagementPortIn(table, device) ? [] : [device],
    );
    const isOf = ({ networkName }: NetworkOwner, device: string) =>
      (entryOf(ledger, 'membership', device)?.network ?? networkName) === networkName;
    return owners.map((owner) => ({ ...nowhere, ...owner, devices: devices.filter((device) => isOf(owner, device)) }));
  });
}

/** Returns the parts of networks that an entity is there for, by its anchor; none where none is known. */
export type Owners = (anchor: Anchor) => readonly NetworkOwner[];

/**
 * The owners of the entities of a node.
 *
 * @param decided where networks are, or are to be, by the plan: beside what the node itself shows
 */
export function ownersOn(node: NodeSnapshot, decided: readonly OwnerPlaces[]): Owners {
  const owners = [...foundPlaces(node), ...decided];
  const vrfs = byPlace(owners, (each) => each.vrfs);
  const tables = byPlace(owners, (each) => each.tables);
  // Addresses on a VRF itself are for the uplink.
  const devices = byPlace([...owners, ...behind(tables, node)], (each) =>
    each.part === 'uplink' ? [...each.devices, ...each.vrfs] : each.devices,
  );
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
    if ('node' in anchor || anchor.networkName === '') return [];
    return [anchor];
  };
}
