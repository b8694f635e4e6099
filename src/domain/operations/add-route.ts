import { addRoute as addRouteTo } from '../node-model/route.ts';
import type { Route } from '../snapshot/node-snapshot.ts';
import type { OperationBase, OperationKind } from './operation.ts';
import { foreignRouteObstacle, ownRouteDependencies } from './own-route.ts';
import { routeCommand, routeText } from './route-words.ts';

/** Adds a route of ours, signed by its protocol. */
export interface AddRoute extends OperationBase {
  readonly kind: 'add-route';
  readonly route: Route;
}

export const addRoute: OperationKind<AddRoute> = {
  mark: '+',
  dependencies: ({ route, networks }) => ownRouteDependencies(route, networks),
  obstacle: ({ route }, node) => foreignRouteObstacle(route, node),
  effect: ({ route }, node) => addRouteTo(node, route),
  inverse: ({ networks, route }) => [{ kind: 'delete-route', networks, route }],
  disruption: () => 'none',
  command: ({ route }) => routeCommand('add', route),
  summary: ({ route }) => routeText(route),
};
