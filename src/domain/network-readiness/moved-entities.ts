/**
 * The routes out of an interface, and out of interfaces stacked on it, that are lost or added where they are used when its membership changes.
 */
import { lazyByMove } from '../snapshot/lazy-by-move.ts';
import type { NodeView } from '../snapshot/node-view.ts';
import { groupBy } from '../basics/names/grouping.ts';
import { isPutBack } from '../entities/displaceable.ts';
import { linkCycleOf } from '../entities/ownership/link-cycle.ts';
import type { Route, RouteKey } from '../snapshot/node-snapshot.ts';
import { routeKey } from '../snapshot/route-key.ts';
import { lostOn } from './lost-entities.ts';

/** Routes on the move. */
export interface MovedEntities {
  /** Those that are restored, each where it belongs then. */
  readonly routes: readonly Route[];
  /** All routes of a route's key that will be there: those that stay and those that are restored. */
  routesLike(route: RouteKey): readonly Route[];
}

function foreseen(device: string, target: number | undefined, view: NodeView): MovedEntities {
  const leaving = new Set(
    linkCycleOf(device, target, view).lost.flatMap((entity) => (entity.kind === 'route' ? [entity.route] : [])),
  );
  const coming = lostOn(device, target, view).flatMap(({ place }) =>
    place.kind === 'route' && isPutBack(place, view.snapshot) ? [place.route] : [],
  );
  const comingByKey = groupBy(coming, routeKey);
  return {
    routes: coming,
    routesLike: (route) => [
      ...view.routesLike(route).filter((other) => !leaving.has(other)),
      ...(comingByKey.get(routeKey(route)) ?? []),
    ],
  };
}

/**
 * Foresees the routes of an interface.
 *
 * @param target table of the VRF that the interface is to be in; absent where it is to be in none
 */
export const movedEntities = lazyByMove(foreseen);
