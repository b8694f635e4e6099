import type { NodeSnapshot, Route } from '../snapshot/node-snapshot.ts';
import { type Change, done, refused, refusedAsExisting } from './change.ts';

/** Adds a route: `ip route add`. */
export function addRoute(node: NodeSnapshot, route: Route): Change {
  if (node.routes.some((other) => isSame(other, route))) return refusedAsExisting(`${route.destination}: File exists`);
  return done({ ...node, routes: [...node.routes, route] });
}

/** Adds a route, or puts it in the place of the one of its key: `ip route replace`. */
export function replaceRoute(node: NodeSnapshot, route: Route): Change {
  return done({ ...node, routes: [...node.routes.filter((other) => !isSame(other, route)), route] });
}

/** Removes a route: `ip route delete`. */
export function deleteRoute(node: NodeSnapshot, route: Route): Change {
  const routes = node.routes.filter((other) => !isSame(other, route));
  if (routes.length === node.routes.length) return refused(`${route.destination}: No such process`);
  return done({ ...node, routes });
}

function isSame(left: Route, right: Route): boolean {
  return (
    left.family === right.family &&
    left.table === right.table &&
    left.destination === right.destination &&
    left.metric === right.metric &&
    left.typeOfService === right.typeOfService &&
    left.source === right.source
  );
}
