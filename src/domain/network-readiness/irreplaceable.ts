/**
 * Entities that the kernel would change or drop in a membership change, and that could not be restored.
 */
import { MAIN_TABLE } from '../basics/conventions.ts';
import type { NodeView } from '../snapshot/node-view.ts';
import { vlansOn } from '../node-model/stacked-devices.ts';
import { by, byName, canonical } from '../basics/names/ordering.ts';
import { displaceableKindOf, displacedKey, isPutBack } from '../entities/displaceable.ts';
import { conflictAmong } from '../entities/conflict.ts';
import { isOwnRoute, routeContentKey, routeEntity } from '../entities/kernel/route.ts';
import { linkCycleOf } from '../entities/ownership/link-cycle.ts';
import type { DisplacedEntity } from '../snapshot/ledger.ts';
import type { Route } from '../snapshot/node-snapshot.ts';
import { isDefaultRoute } from '../snapshot/route-key.ts';
import { surroundings } from '../snapshot/surroundings.ts';
import { movedEntities } from './moved-entities.ts';
import type { NetworkFailure } from './network-check.ts';
import { refusedPutBacks } from './refused-put-back.ts';

const reason = 'UplinkVRFAttachmentFailed' as const;

/** Why an interface stays where it is. */
export type Irreplaceable =
  | (NetworkFailure & { readonly cause: 'cannot-be-put-back' | 'takes-up' })
  | (NetworkFailure & { readonly reason: typeof reason; readonly cause: 'in-the-way' });

function unknownAttributesOf(entity: DisplacedEntity): readonly string[] {
  return displaceableKindOf(entity).displaced.unknownAttributes?.(entity) ?? [];
}

function takenUp(device: string, view: NodeView): Irreplaceable | undefined {
  const [stacked] = vlansOn(surroundings(view, [device]), device)
    .filter(({ up }) => !up)
    .map(({ name }) => name)
    .sort(byName);
  if (stacked === undefined || view.link(device)?.up !== true) return undefined;
  return { reason, cause: 'takes-up', device, stacked };
}

function notUnderstood(device: string, target: number | undefined, view: NodeView): Irreplaceable | undefined {
  const [entity] = linkCycleOf(device, target, view)
    .lost.filter((each) => isPutBack(each, view.snapshot) && unknownAttributesOf(each).length > 0)
    .map(canonical)
    .sort(by(displacedKey));
  if (entity === undefined) return undefined;
  const attributes = unknownAttributesOf(entity);
  return { reason, cause: 'cannot-be-put-back', device, entity, by: { attributes } };
}

function unplaceable(device: string, target: number | undefined, view: NodeView): Irreplaceable | undefined {
  const moving = movedEntities(device, target, view);
  // A default route that cannot go back to the main table is kept in the ledger until it can: the interface leaves the VRF without it.
  const isKept = (route: Route) => target === undefined && route.table === MAIN_TABLE && isDefaultRoute(route);
  const inTheWay = moving.routes
    .filter((route) => !isKept(route))
    .flatMap((route) => {
      const content = routeContentKey(route);
      const others = moving.routesLike(route).filter((other) => !isOwnRoute(other));
      const conflict = conflictAmong(
        routeEntity(route),
        others.map(routeEntity),
        (other) => routeContentKey(other.route) === content,
      );
      return conflict === undefined ? [] : [{ content, conflict: { reason, ...conflict } }];
    });
  const [first] = inTheWay.sort(by(({ content }) => content));
  if (first !== undefined) return first.conflict;
  const [refused] = refusedPutBacks([device, target], view);
  if (refused === undefined) return undefined;
  const { entity, refusal } = refused;
  return { reason, cause: 'cannot-be-put-back', device, entity: canonical(entity), by: { refusal } };
}

/**
 * The obstacles to changing the membership of an interface without harm; none where it can.
 *
 * @param target table of the VRF that it would be in; absent where it would be in none
 */
export function irreplaceableOn(device: string, target: number | undefined, view: NodeView): Irreplaceable | undefined {
  return takenUp(device, view) ?? notUnderstood(device, target, view) ?? unplaceable(device, target, view);
}
