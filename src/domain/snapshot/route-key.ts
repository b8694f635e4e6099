/**
 * Texts by which routes are compared.
 */
import { byName } from '../ordering.ts';
import type { Route, RouteKey } from './node-snapshot.ts';

/** A text that is the same for two routes exactly if the kernel takes them for the same route. */
export function routeKey({ family, table, destination, metric, source = '', typeOfService = '' }: RouteKey): string {
  return `${family} ${table} ${destination} ${metric} ${source} ${typeOfService}`;
}

/** A text that is the same for two lists of next hops exactly if packets go the same ways: the order of the legs means nothing. */
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
