import type { NodeSnapshot, Route } from '../snapshot/node-snapshot.ts';
import { deviceRouteKey } from './ipv4-device-routes.ts';

/**
 * A text that two routes of the kernel's making share exactly if it keeps only one of them: in IPv4 all of it counts (net/ipv4/fib_trie.c,
 * fib_table_insert), in IPv6 the key and the way out alone, whoever made it (net/ipv6/ip6_fib.c, fib6_add_rt2node).
 */
function sameness(route: Route): string {
  if (route.family === 4) return deviceRouteKey(route);
  const hops = route.nextHops.map(({ device = '', gateway = '' }) => `${device} ${gateway}`);
  return [6, route.table, route.destination, route.metric, ...hops].join(' ');
}

/** The node with routes that the kernel makes of addresses: beside others of the same key, but none twice. */
export function withDeviceRoutes(node: NodeSnapshot, routes: readonly Route[]): NodeSnapshot {
  const devices = new Set(routes.flatMap(({ nextHops }) => nextHops.map(({ device }) => device)));
  const present = new Set(
    node.routes.filter(({ nextHops }) => nextHops.some(({ device }) => devices.has(device))).map(sameness),
  );
  const missing = new Map(routes.map((route) => [sameness(route), route]));
  for (const key of present) missing.delete(key);
  return missing.size === 0 ? node : { ...node, routes: [...node.routes, ...missing.values()] };
}

/** The node without routes that the kernel took back, told by all that it knows of them. */
export function withoutDeviceRoutes(node: NodeSnapshot, routes: readonly Route[]): NodeSnapshot {
  if (routes.length === 0) return node;
  const gone = new Set(routes.map(deviceRouteKey));
  return { ...node, routes: node.routes.filter((route) => !gone.has(deviceRouteKey(route))) };
}
