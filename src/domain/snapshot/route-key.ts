/**
 * Texts by which routes are compared.
 */
import { byName } from '../basics/names/ordering.ts';
import type { Route, RouteKey } from './node-snapshot.ts';

/** Equal for two routes if and only if the kernel takes them for the same one. */
export function routeKey({ family, table, destination, metric, source = '', typeOfService = '' }: RouteKey): string {
  return `${family} ${table} ${destination} ${metric} ${source} ${typeOfService}`;
}

/** Equal for two lists of next hops if and only if they are the same in any order. */
export function nextHopsKey({ nextHops, nextHopObject }: Pick<Route, 'nextHops' | 'nextHopObject'>): string {
  if (nextHopObject !== undefined) return `object ${nextHopObject}`;
  return nextHops
    .map(({ device = '', gateway = '', weight = 1, onlink = false }) => `${device} ${gateway} ${weight} ${onlink}`)
    .sort(byName)
    .join(', ');
}

/** Whether a route is a default route. */
export function isDefaultRoute({ destination }: Pick<RouteKey, 'destination'>): boolean {
  return destination === '0.0.0.0/0' || destination === '::/0';
}
