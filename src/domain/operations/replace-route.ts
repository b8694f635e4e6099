import { replaceRoute as replaceRouteIn } from '../node-model/route.ts';
import type { Route } from '../snapshot/node-snapshot.ts';
import type { OperationBase, OperationKind } from './operation.ts';
import { foreignRouteObstacle, ownRouteDependencies, ownRouteInPlaceOf } from './own-route.ts';
import { routeCommand, routeText } from './route-words.ts';

/** Gives a route of ours other next hops or attributes, without a moment in which there is none. */
export interface ReplaceRoute extends OperationBase {
  readonly kind: 'replace-route';
  readonly route: Route;
}

export const replaceRoute: OperationKind<ReplaceRoute> = {
  mark: '~',
  dependencies: ({ route, networks }) => ownRouteDependencies(route, networks),
  obstacle: ({ route }, node) => foreignRouteObstacle(route, node),
  effect: ({ route }, node) => replaceRouteIn(node, route),
  inverse: ({ networks, route }, before) => {
    const replaced = ownRouteInPlaceOf(route, before);
    return replaced === undefined
      ? [{ kind: 'delete-route', networks, route }]
      : [{ kind: 'replace-route', networks, route: replaced }];
  },
  disruption: () => 'none',
  command: ({ route }) => routeCommand('replace', route),
  summary: ({ route }) => routeText(route),
};
