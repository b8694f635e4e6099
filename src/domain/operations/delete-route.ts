import { deleteRoute as deleteRouteFrom } from '../node-model/route.ts';
import { routeKey } from '../ownership/displaced-things.ts';
import type { Route } from '../snapshot/node-snapshot.ts';
import type { OperationBase, OperationKind } from './operation.ts';
import { foreignRouteObstacle, ownRouteInPlaceOf } from './own-route.ts';
import { routeCommand, routeText } from './route-words.ts';

/** Withdraws a route of ours. */
export interface DeleteRoute extends OperationBase {
  readonly kind: 'delete-route';
  readonly route: Route;
}

export const deleteRoute: OperationKind<DeleteRoute> = {
  mark: '-',
  dependencies: ({ route, networks }) => ({
    uses: [
      ...route.nextHops.flatMap(({ device }) => (device === undefined ? [] : [`uncycled ${device}`])),
      ...(route.preferredSource === undefined
        ? []
        : networks.map((name) => `address ${route.preferredSource ?? ''} of ${name}`)),
    ],
    ends: [`route ${routeKey(route)}`, `routes in ${route.table}`, ...networks.map((name) => `mapped ${name}`)],
  }),
  // The kernel looks at the protocol too, so that one of ours is found beside somebody else's.
  obstacle: ({ route }, node) =>
    ownRouteInPlaceOf(route, node) === undefined ? foreignRouteObstacle(route, node) : undefined,
  effect: ({ route }, node) => deleteRouteFrom(node, route),
  inverse: ({ networks, route }) => [{ kind: 'add-route', networks, route }],
  disruption: () => 'none',
  command: ({ route }) => routeCommand('delete', route),
  summary: ({ route }) => routeText(route),
};
