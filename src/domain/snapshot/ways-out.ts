/**
 * The routes by which a node reaches every destination.
 */
import { MAIN_TABLE } from '../basics/conventions.ts';
import type { Route } from './node-parts.ts';

/**
 * The destinations that are everything together: that of a default route, or of its halves, which VPN clients and scripts add beside a default route
 * that they leave alone (openvpn(8), `--redirect-gateway def1`). For IPv6, OpenVPN adds ::/3, 2000::/4, 3000::/4 and fc00::/7 instead, which are not
 * everything and so no way out, nor is 2000::/3: a Node may have a unique local address (RFC 4193).
 */
export const waysOut: Readonly<Record<4 | 6, readonly (readonly string[])[]>> = {
  4: [['0.0.0.0/0'], ['0.0.0.0/1', '128.0.0.0/1']],
  6: [['::/0'], ['::/1', '8000::/1']],
};

/** The destinations of the ways out that are complete with some routes of a family. */
export function reached(family: 4 | 6, routes: readonly Route[]): ReadonlySet<string> {
  const destinations = new Set(routes.map(({ destination }) => destination));
  return new Set(waysOut[family].filter((way) => way.every((part) => destinations.has(part))).flat());
}

/** The routes of a family by which a node reaches every destination: its default routes in the main table, or both halves of one. */
export function routesOut(routes: readonly Route[], family: 4 | 6): readonly Route[] {
  const ways = routes.filter((route) => route.family === family && isWayOut(route));
  const complete = reached(family, ways);
  return ways.filter(({ destination }) => complete.has(destination));
}

/** Whether a route of the main table is a default route or half of one. One for some packets only is not. */
export function isWayOut({ family, table, destination, type, source, typeOfService }: Route): boolean {
  return (
    table === MAIN_TABLE &&
    type === 'unicast' &&
    source === undefined &&
    typeOfService === undefined &&
    waysOut[family].some((way) => way.includes(destination))
  );
}
