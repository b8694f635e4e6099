/**
 * Entities of other programs, or of other networks, at the places of those that networks need (docs/design/ownership.md, "Three rules"). They are
 * never replaced: one with the same content is used, and any other is a reason not to program the network. This holds for every kind in the table.
 */
import type { BridgeEntity } from '../dataplane/bridge-dataplane.ts';
import type { NetworkDataplane } from '../dataplane/network-dataplane.ts';
import { conflictWith, type EntityConflict } from '../entities/conflict.ts';
import type { EntityFailureReason } from '../entities/entity-kind.ts';
import { type Entity, foreignAtPlaceOf, kindOf } from '../entities/entity-kinds.ts';
import { isOwnRoute, routeEntity } from '../entities/route.ts';
import { lazy } from '../lazy.ts';
import type { NodeView } from '../snapshot/node-view.ts';
import { arrivals } from './arrivals.ts';
import type { NetworkCheck } from './network-check.ts';

/** Returns the entities of other programs that are at a place when the network is programmed: routes go with the interface. */
function foreignFor(dataplane: NetworkDataplane, node: NodeView): (desired: Entity) => readonly Entity[] {
  const { device, vrf } = dataplane;
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
      : foreignAtPlaceOf(desired, node.snapshot);
}

/** Every entity that the network needs, and that fails with a reason, can be added, or is on the node as it is needed. */
export function foreignEntities(reason: EntityFailureReason): NetworkCheck {
  return ({ dataplane, node }) => {
    if (dataplane === undefined) return undefined;
    const foreignTo = foreignFor(dataplane, node);
    for (const entity of dataplane.entities) {
      if (kindOf<Entity>(entity).failureReason !== reason) continue;
      const conflict = conflictWith(entity, foreignTo(entity), node.snapshot.ledger);
      if (conflict !== undefined) return conflict;
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
): readonly (readonly [conflict: EntityConflict, owners: BridgeEntity['owners']])[] {
  return entities.flatMap(({ entity, owners }) => {
    const conflict = conflictWith(entity, foreignAtPlaceOf(entity, snapshot), snapshot.ledger);
    return conflict === undefined ? [] : [[conflict, owners] as const];
  });
}
