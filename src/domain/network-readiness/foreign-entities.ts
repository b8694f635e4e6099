/**
 * Entities of other programs, or of other networks, at the places of those that networks need (docs/design/ownership.md, "Three rules"). They are
 * never replaced: one with the same content is used, and any other is a reason not to program the network. This holds for every kind in the table.
 */
import { entitiesByKind, type NetworkDataplane } from '../dataplane/network-dataplane.ts';
import type { Owner } from '../dataplane/owner.ts';
import { conflictWith, type EntityConflict } from '../entities/conflict.ts';
import type { EntityKind } from '../entities/entity-kind.ts';
import {
  type Entity,
  type EntityKindName,
  entityKinds,
  foreignAtPlaces,
  foreignOn,
  kindOf,
} from '../entities/entity-kinds.ts';
import { isOwnRoute, routeEntity } from '../entities/kernel/route.ts';
import { lazy } from '../basics/incremental/lazy.ts';
import type { NodeView } from '../snapshot/node-view.ts';
import { lastByReadParts } from '../snapshot/read-parts.ts';
import { movedEntities } from './moved-entities.ts';
import { conflictFailure, type NetworkCheck, type UplinkFailureReason } from './network-check.ts';

/** Finds the entities of other programs, or of other networks, at the place of a desired one. */
type ForeignAtPlace = (desired: Entity) => readonly Entity[];

/** Finds routes of other programs that have the key of a route when the network is programmed: they go with the interface. */
function foreignRoutes({ device, vrf }: NetworkDataplane, node: NodeView): ForeignAtPlace {
  const coming = lazy(() => {
    const isThere = node.link(device)?.master === (vrf.enslaves ? vrf.name : undefined);
    return isThere ? node : movedEntities(device, vrf.enslaves ? vrf.table : undefined, node);
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
    const foreign = foreignTo(entity);
    const conflict = foreign.length === 0 ? undefined : conflictWith(entity, foreign, snapshot.ledger);
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

/**
 * Every entity that the network needs, and that fails with a reason, can be added, or is on the node as it is needed.
 *
 * @param reasonOf the reason by kind of entity
 */
export function foreignEntities(
  reason: UplinkFailureReason,
  reasonOf: (kind: EntityKindName) => UplinkFailureReason,
): NetworkCheck {
  return ({ dataplane, node }) => {
    if (dataplane === undefined) return undefined;
    for (const entities of entitiesByKind(dataplane.entities).values()) {
      const [first] = entities;
      if (first === undefined) continue;
      const kind = kindOf<Entity>(first);
      if (reasonOf(first.kind) !== reason) continue;
      const conflict = conflictOfKind(entities, kind, dataplane, node);
      if (conflict !== undefined) return conflictFailure(reason, conflict);
    }
    return undefined;
  };
}

/** Conflicts of entities that networks need together, each with their owners. */
type SharedConflicts = readonly (readonly [conflict: EntityConflict, owners: readonly Owner[]])[];

const lastShared = lastByReadParts<SharedConflicts>();

/** The conflicts of entities that networks need together, each with their owners: looked for again when something of their kinds may have changed. */
export function conflictsOf(
  entities: readonly { readonly entity: Entity; readonly owners: readonly Owner[] }[],
  node: NodeView,
): SharedConflicts {
  return lastShared(entityKinds, entities, node, (present) => {
    const foreignTo = foreignOn(present.snapshot);
    return entities.flatMap(({ entity, owners }) => {
      const conflict = firstConflict([entity], foreignTo, present);
      return conflict === undefined ? [] : [[conflict, owners] as const];
    });
  });
}
