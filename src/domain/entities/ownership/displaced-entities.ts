/**
 * Where displaced entities belong: in a VRF's table while their interface is a member of the VRF, and where they were outside of it
 * (docs/design/enslaving.md).
 */
import { MAIN_TABLE } from '../../basics/conventions.ts';
import { entitiesLike } from '../entity-kinds.ts';
import { displaceableKindOf, displacedKey } from '../displaceable.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { lazy } from '../../basics/incremental/lazy.ts';
import type { Displaced, DisplacedEntity, LedgerEntry } from '../../snapshot/ledger.ts';
import type { Link, NodeSnapshot, Route, Table } from '../../snapshot/node-snapshot.ts';

/** Whether an entry records the origin of an entity that has been restored. */
export function isPlaced(entry: LedgerEntry): entry is Displaced {
  return entry.kind === 'displaced' && entry.state === 'placed';
}

function withTable(entity: DisplacedEntity, table: Table): DisplacedEntity {
  return entity.kind === 'route' ? { ...entity, route: { ...entity.route, table } } : entity;
}

/** Whether a route is out of one device. One out of several belongs to the routing domain of none of them. */
function usesOnlyDevice(device: string, { nextHops }: Route): boolean {
  return nextHops.every((hop) => hop.device === device);
}

/**
 * Where an entity belongs while the device is in a VRF: its routes of the main table are in the VRF's, everything else is where it was.
 *
 * VRF devices have a device's own routes alone: a VLAN device that is stacked on it stays in the routing domain where it was.
 */
export function placeIn(entity: DisplacedEntity, device: string, vrfTable: number | undefined): DisplacedEntity {
  if (entity.kind !== 'route' || vrfTable === undefined || entity.route.table !== MAIN_TABLE) return entity;
  return usesOnlyDevice(device, entity.route) ? withTable(entity, vrfTable) : entity;
}

/**
 * Where entities that are found on a device in a VRF belong outside of it. Restored ones belong in their former places, also in several tables whose
 * equal routes were merged in the VRF's; what was added to the VRF's table since then belongs where the device's routes are, which is the main table.
 *
 * @param known what earlier changes of the device displaced. What is awaiting and present is in its place.
 * @returns the places of an entity, at a constant cost
 */
export function originsOn(
  device: string,
  vrfTable: number | undefined,
  known: readonly Displaced[],
): (entity: DisplacedEntity) => readonly DisplacedEntity[] {
  const tables = lazy(() => {
    const moved = known.flatMap(({ entity }) => (entity.kind === 'route' ? [entity] : []));
    return groupBy(moved, (entity) => displacedKey(placeIn(entity, device, vrfTable)));
  });
  return (entity) => {
    if (entity.kind !== 'route' || vrfTable === undefined || entity.route.table !== vrfTable) return [entity];
    const origins = tables().get(displacedKey(entity)) ?? [];
    if (origins.length > 0) return origins.map(({ route }) => withTable(entity, route.table));
    return [usesOnlyDevice(device, entity.route) ? withTable(entity, MAIN_TABLE) : entity];
  };
}

/** The table of the VRF that a device is in; absent where it is in none. */
export function tableOfMaster(
  device: Link | undefined,
  linkOf: (name: string) => Link | undefined,
): number | undefined {
  return device?.master === undefined ? undefined : linkOf(device.master)?.vrfTable;
}

/** Returns a predicate for entities that a node has; each call has a constant cost. */
export function presenceIn(node: NodeSnapshot): (entity: DisplacedEntity) => boolean {
  return (entity) => {
    const alike = entitiesLike(entity, node);
    // They are of the entity's kind, which the compiler does not see.
    return alike.some((other) => displacedKey(other as DisplacedEntity) === displacedKey(entity));
  };
}

/**
 * Whether an entity is kept in the ledger while it is in its place. One that leads out of several devices is no one device's: it may be lost, and
 * put back, with any of them.
 */
export function isKeptInPlace(entity: DisplacedEntity): boolean {
  switch (entity.kind) {
    case 'next-hop-object':
      return entity.object.group === undefined;
    case 'route':
      return new Set(entity.route.nextHops.map(({ device }) => device)).size === 1;
    case 'address':
    case 'neighbour':
    case 'neighbour-proxy':
      return true;
  }
}

/** Seconds until an entity ends by itself; absent where it does not. */
export function lifetimeOf(entity: DisplacedEntity): number | undefined {
  return displaceableKindOf(entity).displaced.lifetime?.(entity);
}

/** The ledger's entry of an entity that has to be restored; the time matters only for entities with a lifetime. */
export function awaiting(device: string, entity: DisplacedEntity, { uptimeSeconds }: NodeSnapshot): Displaced {
  const isTimed = uptimeSeconds !== undefined && lifetimeOf(entity) !== undefined;
  return {
    kind: 'displaced',
    device,
    entity,
    state: 'awaiting',
    ...(isTimed && { takenAt: Math.floor(uptimeSeconds) }),
  };
}
