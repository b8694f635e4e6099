/**
 * What the operations on routes of our own have in common.
 */
import { routeKey } from '../ownership/displaced-things.ts';
import { isOurs } from '../ownership/is-ours.ts';
import type { NodeSnapshot, Route } from '../snapshot/node-snapshot.ts';
import { routeDependencies } from './displaced-thing-change.ts';
import type { Dependencies } from './operation.ts';
import { routeText } from './route-words.ts';

/** The route of the node that the kernel would take for the same one. */
export function routeInPlaceOf(
  { family, table, destination, metric, source, typeOfService }: Route,
  { routes }: NodeSnapshot,
): Route | undefined {
  // Not by the texts of their keys: those of thousands of routes, made anew for each operation, would cost more than all else of it.
  return routes.find(
    (other) =>
      other.destination === destination &&
      other.table === table &&
      other.family === family &&
      other.metric === metric &&
      other.source === source &&
      other.typeOfService === typeOfService,
  );
}

/** Somebody else's route of the same key would be hit instead. */
export function foreignRouteObstacle(route: Route, node: NodeSnapshot): string | undefined {
  const other = routeInPlaceOf(route, node);
  if (other === undefined || isOurs({ kind: 'route', route: other }, node.ledger)) return undefined;
  return `${routeText(other)} of protocol ${other.protocol} is not ours`;
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
