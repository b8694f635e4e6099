/**
 * What becomes of the routes out of an interface, and of what is stacked on it, when its membership changes: those that go from where they are,
 * and those that come to where they belong then.
 */
import type { NodeView } from '../discovery/node-view.ts';
import { groupBy } from '../grouping.ts';
import { lazyByKey, lazyByObject } from '../lazy.ts';
import { isPutBack, routeKey, thingKey } from '../ownership/displaced-things.ts';
import type { Route, RouteKey } from '../snapshot/node-snapshot.ts';
import { lostOn } from './lost-things.ts';

/** Routes on the move. */
export interface Arrivals {
  /** Those that are put back, each where it belongs then. */
  readonly routes: readonly Route[];
  /** All routes of a route's key that will be there: those that stay and those that are put back. */
  routesLike(route: RouteKey): readonly Route[];
}

/** A text that tells a route from all that are not the same to the kernel or lead elsewhere. */
export const contentKey = lazyByObject((route: Route) => thingKey({ type: 'route', route }));

function foreseen(device: string, target: number | undefined, view: NodeView): Arrivals {
  const leaving = new Set(
    view.linkCycleOf(device).lost.flatMap((thing) => (thing.type === 'route' ? [thing.route] : [])),
  );
  const coming = lostOn(device, target, view).flatMap(({ place }) =>
    place.type === 'route' && isPutBack(place) ? [place.route] : [],
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

const foreseenOn = lazyByObject((view: NodeView) => {
  const byTarget = lazyByKey((target: number | undefined) =>
    lazyByKey((device: string) => foreseen(device, target, view)),
  );
  return (device: string, target: number | undefined) => byTarget(target)(device);
});

/**
 * Foresees the routes of an interface.
 *
 * @param target table of the VRF that the interface is to be in; absent where it is to be in none
 */
export function arrivals(device: string, target: number | undefined, view: NodeView): Arrivals {
  return foreseenOn(view)(device, target);
}
