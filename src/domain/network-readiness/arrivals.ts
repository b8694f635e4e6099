/**
 * What becomes of the routes out of an interface, and of what is stacked on it, when its membership changes: those that go from where they are,
 * and those that come to where they belong then.
 */
import type { NodeView } from '../discovery/node-view.ts';
import { groupBy } from '../grouping.ts';
import { lazyByKey, lazyByObject } from '../lazy.ts';
import {
  isPlaced,
  isPutBack,
  originsOn,
  placeIn,
  routeKey,
  thingKey,
  vrfTableOf,
} from '../ownership/displaced-things.ts';
import type { Route, RouteKey } from '../snapshot/node-snapshot.ts';

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
  const { around, lost } = view.linkCycleOf(device);
  const table = vrfTableOf(view.link(device), (name) => view.link(name));
  const placed = around.ledger.entries.filter(isPlaced);
  const routes = lost.flatMap((thing) => (thing.type === 'route' ? [thing] : []));
  const leaving = new Set(routes.map(({ route }) => route));
  const coming = routes
    .filter(isPutBack)
    .flatMap(originsOn(device, table, placed))
    .map((origin) => placeIn(origin, device, target))
    .flatMap((place) => (place.type === 'route' ? [place.route] : []));
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
