/**
 * What the operations on routes of our own have in common.
 */
import { routeKey } from '../ownership/displaced-things.ts';
import { isOurs } from '../ownership/is-ours.ts';
import type { NodeSnapshot, Route } from '../snapshot/node-snapshot.ts';
import { routeDependencies } from './displaced-thing-change.ts';
import type { Dependencies } from './operation.ts';
import { routeText } from './route-words.ts';

/** The routes of the node that have the key of a route: several only where somebody appended one. */
function routesInPlaceOf(
  { family, table, destination, metric, source, typeOfService }: Route,
  { routes }: NodeSnapshot,
): readonly Route[] {
  // Not by the texts of their keys: those of thousands of routes, made anew for each operation, would cost more than all else of it.
  return routes.filter(
    (other) =>
      other.destination === destination &&
      other.table === table &&
      other.family === family &&
      other.metric === metric &&
      other.source === source &&
      other.typeOfService === typeOfService,
  );
}

/** The route of ours of a route's key. */
export function ownRouteInPlaceOf(route: Route, node: NodeSnapshot): Route | undefined {
  return routesInPlaceOf(route, node).find((other) => isOurs({ kind: 'route', route: other }, node.ledger));
}

/** Somebody else's route of the same key would be hit instead. */
export function foreignRouteObstacle(route: Route, node: NodeSnapshot): string | undefined {
  const other = routesInPlaceOf(route, node).find((each) => !isOurs({ kind: 'route', route: each }, node.ledger));
  return other && `${routeText(other)} of protocol ${other.protocol} is not ours`;
}

/** What making a route of ours has to do with other operations. */
export function ownRouteDependencies(route: Route, networks: readonly string[]): Dependencies {
  const { makes = [], needs = [] } = routeDependencies(route);
  return {
    makes: [
      ...makes,
      `route ${routeKey(route)}`,
      `routes in ${route.table}`,
      ...networks.map((name) => `network ${name}`),
    ],
    needs: [
      ...needs,
      ...route.nextHops.flatMap(({ device }) =>
        device === undefined ? [] : [`cycled ${device}`, `put back ${device}`],
      ),
      ...(route.preferredSource === undefined
        ? []
        : networks.map((name) => `address ${route.preferredSource ?? ''} of ${name}`)),
    ],
  };
}
