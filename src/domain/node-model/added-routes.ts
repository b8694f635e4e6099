import type { NodeSnapshot, Route } from '../snapshot/node-snapshot.ts';
import { deviceRouteKey, hopsKey } from './ipv4/ipv4-device-routes.ts';

/**
 * The key by which the kernel keeps only one of its own routes: in IPv4 all attributes (net/ipv4/fib_trie.c,
 * fib_table_insert), in IPv6 the route key and next hops (net/ipv6/ip6_fib.c, fib6_add_rt2node).
 */
function duplicateKey(route: Route): string {
  if (route.family === 4) return deviceRouteKey(route);
  return `6 ${route.table} ${route.destination} ${route.metric}${hopsKey(route.nextHops)}`;
}

/**
 * The node with the routes that the kernel adds for addresses: beside others of the same key, but none twice. An existing IPv6 route
 * takes the expiry of the new one (fib6_add_rt2node).
 */
export function withDeviceRoutes(node: NodeSnapshot, routes: readonly Route[]): NodeSnapshot {
  const missing = new Map(routes.map((route) => [duplicateKey(route), route]));
  const devices = new Set(routes.flatMap(({ nextHops }) => nextHops.map(({ device }) => device)));
  const kept = node.routes.map((route) => {
    if (!route.nextHops.some(({ device }) => devices.has(device))) return route;
    const key = duplicateKey(route);
    const again = missing.get(key);
    missing.delete(key);
    return again === undefined || route.expiresSeconds === undefined ? route : withExpiryOf(route, again);
  });
  return { ...node, routes: [...kept, ...missing.values()] };
}

function withExpiryOf({ expiresSeconds: _old, ...route }: Route, { expiresSeconds }: Route): Route {
  return { ...route, ...(expiresSeconds !== undefined && { expiresSeconds }) };
}

/** The node without routes that the kernel removed, compared by all their attributes. */
export function withoutDeviceRoutes(node: NodeSnapshot, routes: readonly Route[]): NodeSnapshot {
  if (routes.length === 0) return node;
  const gone = new Set(routes.map(deviceRouteKey));
  return { ...node, routes: node.routes.filter((route) => !gone.has(deviceRouteKey(route))) };
}
