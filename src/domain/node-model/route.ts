import { canonicalAddress, networkOf } from '../basics/addresses/ip-address.ts';
import type { NextHop, NodeSnapshot, Route } from '../snapshot/node-snapshot.ts';
import { type Change, done, refused, refusedAsExisting } from './change.ts';
import type { Checked } from './checked.ts';
import { checkIpv4Route, isDeletedIpv4 } from './ipv4/ipv4-route.ts';
import { canHaveSiblings, checkIpv6Route, remainderIpv6 } from './ipv6/ipv6-route.ts';

/** Adds a route: `ip route add`. */
export function addRoute(node: NodeSnapshot, route: Route): Change {
  const checked = check(node, route);
  if (!checked.valid) return refusedFor(route, checked);
  if (node.routes.some((other) => hasKey(other, checked.value))) return refusedAsExisting(routeKeyText(route));
  return done({ ...node, routes: [...node.routes, checked.value] });
}

/**
 * Adds a route, or replaces one of its key: `ip route replace`. In IPv6 first one that equally has a gateway
 * or not (net/ipv6/ip6_fib.c, fib6_add_rt2node).
 */
export function replaceRoute(node: NodeSnapshot, route: Route): Change {
  const checked = check(node, route);
  if (!checked.valid) return refusedFor(route, checked);
  const { value } = checked;
  const rivals = node.routes.filter((other) => hasKey(other, value));
  const alike = rivals.find((other) => route.family === 4 || canHaveSiblings(other) === canHaveSiblings(value));
  const old = alike ?? rivals[0];
  if (old === undefined) return done({ ...node, routes: [...node.routes, value] });
  return done({ ...node, routes: node.routes.map((other) => (other === old ? value : other)) });
}

/** Removes a route: `ip route delete`, with all its attributes. */
export function deleteRoute(node: NodeSnapshot, route: Route): Change {
  const named = canonical(route);
  for (const other of node.routes) {
    const remainder = isCandidate(other, named) ? remainderOf(other, named) : undefined;
    if (remainder !== undefined) {
      return done({ ...node, routes: node.routes.flatMap((kept) => (kept === other ? remainder : [kept])) });
    }
  }
  return refused('No such process', routeKeyText(route));
}

function refusedFor(route: Route, { refusal, exists }: Extract<Checked<Route>, { valid: false }>): Change {
  return exists === true ? refusedAsExisting(routeKeyText(route)) : refused(refusal, routeKeyText(route));
}

function check(node: NodeSnapshot, route: Route): Checked<Route> {
  const wanted = canonical(route);
  return route.family === 4 ? checkIpv4Route(node, wanted) : checkIpv6Route(node, wanted);
}

/** The route with its addresses as ip prints them. IPv6 ignores host bits. */
function canonical(route: Route): Route {
  const { family, destination, preferredSource } = route;
  return {
    ...route,
    destination: family === 6 ? (networkOf(destination) ?? destination) : destination,
    ...(preferredSource !== undefined && { preferredSource: canonicalAddress(preferredSource) }),
    nextHops: route.nextHops.map(canonicalHop),
  };
}

function canonicalHop(hop: NextHop): NextHop {
  const { weight, gateway, ...rest } = hop;
  return {
    ...rest,
    ...(gateway !== undefined && { gateway: canonicalAddress(gateway) }),
    ...(weight !== undefined && weight !== 1 && { weight }),
  };
}

/** Whether two routes of a node have the same key (`RouteKey`). */
function hasKey(other: Route, route: Route): boolean {
  return isCandidate(other, route) && other.metric === route.metric;
}

function isCandidate(other: Route, { family, table, destination, source, typeOfService }: Route): boolean {
  return (
    other.destination === destination &&
    other.table === table &&
    other.family === family &&
    other.source === source &&
    other.typeOfService === typeOfService
  );
}

function remainderOf(route: Route, named: Route): readonly Route[] | undefined {
  if (route.family === 6) return remainderIpv6(route, named);
  return isDeletedIpv4(route, named) ? [] : undefined;
}

function routeKeyText({ destination, table, metric }: Route): string {
  return `route ${destination}${metric === 0 ? '' : ` metric ${metric}`} in table ${table}`;
}
