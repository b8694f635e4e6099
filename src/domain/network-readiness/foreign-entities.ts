/**
 * Entities of other programs, or of other networks, at the places of those that networks need (docs/design/ownership.md, "Three rules"). They are
 * never replaced: one with the same content is used, and any other is a reason not to program the network. This holds for every kind in the table.
 */
import type { BridgeEntity } from '../dataplane/bridge-dataplane.ts';
import { entitiesByKind, type NetworkDataplane } from '../dataplane/network-dataplane.ts';
import { conflictWith, type EntityConflict, isUplinkConflict } from '../entities/conflict.ts';
import type { EntityKind, UplinkFailureReason } from '../entities/entity-kind.ts';
import { type Entity, type ForeignAtPlace, foreignAtPlaces, kindOf } from '../entities/entity-kinds.ts';
import { isOwnRoute, routeEntity } from '../entities/route.ts';
import { lazyByObject } from '../basics/incremental/by-identity.ts';
import { lazy } from '../basics/incremental/lazy.ts';
import type { NodeView } from '../snapshot/node-view.ts';
import { lastByReadParts } from '../snapshot/read-parts.ts';
import { arrivals } from './arrivals.ts';
import type { NetworkCheck } from './network-check.ts';

/** Finds routes of other programs that have the key of a route when the network is programmed: they go with the interface. */
function foreignRoutes({ device, vrf }: NetworkDataplane, node: NodeView): ForeignAtPlace {
  const coming = lazy(() => {
    const isThere = node.link(device)?.master === (vrf.enslaves ? vrf.name : undefined);
    return isThere ? node : arrivals(device, vrf.enslaves ? vrf.table : undefined, node);
  });
  return (desired) =>
    desired.kind === 'route'
      ? coming()
          .routesLike(desired.route)
          .filter((route) => !isOwnRoute(route))
          .map(routeEntity)
      : [];
}

function firstConflict(
  entities: readonly Entity[],
  foreignTo: ForeignAtPlace,
  { snapshot }: NodeView,
): EntityConflict | undefined {
  for (const entity of entities) {
    const conflict = conflictWith(entity, foreignTo(entity), snapshot.ledger);
    if (conflict !== undefined) return conflict;
  }
  return undefined;
}

const lastConflict = lastByReadParts<EntityConflict | undefined>();

/** The first conflict of entities of one kind, looked for again when something of the kind may have changed. */
function conflictOfKind(
  entities: readonly Entity[],
  kind: EntityKind<Entity>,
  dataplane: NetworkDataplane,
  node: NodeView,
): EntityConflict | undefined {
  // What comes with an interface is found out once for everybody who asks.
  if (kind.kind === 'route') return firstConflict(entities, foreignRoutes(dataplane, node), node);
  return lastConflict(entities, [], node, (present) => {
    const foreignTo = foreignAtPlaces(kind, present.snapshot);
    return foreignTo === undefined ? undefined : firstConflict(entities, foreignTo, present);
  });
}

/** Every entity that the network needs, and that fails with a reason, can be added, or is on the node as it is needed. */
export function foreignEntities(reason: UplinkFailureReason): NetworkCheck {
  return ({ dataplane, node }) => {
    if (dataplane === undefined) return undefined;
    for (const entities of entitiesByKind(dataplane).values()) {
      const [first] = entities;
      if (first === undefined) continue;
      const kind = kindOf<Entity>(first);
      if (kind.failureReason(first) !== reason) continue;
      const conflict = conflictOfKind(entities, kind, dataplane, node);
      if (conflict !== undefined && isUplinkConflict(conflict)) return conflict;
    }
    return undefined;
  };
}

/**
 * Why networks cannot be programmed on their bridges.
 *
 * @param entities that networks share on their bridges
 */
export function conflictsOnBridges(
  entities: readonly BridgeEntity[],
  { snapshot }: NodeView,
): readonly (readonly [conflict: EntityConflict<UplinkFailureReason>, owners: BridgeEntity['owners']])[] {
  const foreignOf = lazyByObject((kind: EntityKind<Entity>) => foreignAtPlaces(kind, snapshot));
  return entities.flatMap(({ entity, owners }) => {
    const foreign = foreignOf(kindOf<Entity>(entity))?.(entity) ?? [];
    const conflict = conflictWith(entity, foreign, snapshot.ledger);
    return conflict !== undefined && isUplinkConflict(conflict) ? [[conflict, owners] as const] : [];
  });
}
