import { networkOf } from '../ip-address.ts';
import type { NextHop, NodeSnapshot, Route } from '../snapshot/node-snapshot.ts';
import { allValid, type Checked, invalid, valid } from './checked.ts';
import { checkIpv4Hop, isIpv4Source } from './ipv4-next-hop.ts';
import { hopsOf } from './next-hop-removal.ts';
import { hopKey, withoutWeight } from './next-hop.ts';
import { isRefusing } from './route-types.ts';
import { HOST_SCOPE, LINK_SCOPE, scopeNumber } from './scopes.ts';

/** Least scope that routes of a type have (net/ipv4/fib_semantics.c, fib_props). */
const LEAST_SCOPES: ReadonlyMap<string, number> = new Map([
  ['local', HOST_SCOPE],
  ['broadcast', LINK_SCOPE],
  ['anycast', LINK_SCOPE],
]);

/** The route as the kernel would have it, or why it would not (net/ipv4/fib_semantics.c, fib_create_info). */
export function checkIpv4Route(node: NodeSnapshot, wanted: Route): Checked<Route> {
  const { preference: _preference, expiresSeconds: _expires, scope, ...route } = wanted;
  const number = scopeNumber(scope);
  if (networkOf(route.destination) !== route.destination) return invalid('Invalid prefix for given prefix length');
  if (number < (LEAST_SCOPES.get(route.type) ?? 0) || number > HOST_SCOPE) return invalid('Invalid scope');
  const hops = checkHops(node, route, number);
  if (!hops.valid) return hops;
  const { preferredSource: source, destination } = route;
  const isOwn = route.type === 'local' && destination === `${source ?? ''}/32`;
  if (source !== undefined && !isOwn && !isIpv4Source(node, route.table, source)) {
    return invalid('Invalid prefsrc address');
  }
  return valid({ ...route, ...(number !== 0 && scope !== undefined && { scope }), nextHops: hops.value });
}

function checkHops(node: NodeSnapshot, route: Route, scope: number): Checked<readonly NextHop[]> {
  const { nextHops, nextHopObject: id, table } = route;
  if (id !== undefined) return checkObject(node, id, scope);
  if (isRefusing(route)) {
    return nextHops.length === 0
      ? valid([])
      : invalid('Gateway, device and multipath can not be specified for this route type');
  }
  const [only, ...others] = nextHops;
  if (only === undefined) return invalid('No such device');
  if (others.length === 0) return allValid([checkIpv4Hop(node, { table, scope }, withoutWeight(only))]);
  if (scope === HOST_SCOPE) return invalid('Route with host scope can not have multiple nexthops');
  return allValid(nextHops.map((hop) => checkIpv4Hop(node, { table, scope }, hop)));
}

/** Whatever the object is, IPv4 routes can use it (net/ipv4/nexthop.c, fib_check_nexthop). */
function checkObject({ nextHopObjects }: NodeSnapshot, id: number, scope: number): Checked<readonly NextHop[]> {
  const object = nextHopObjects.find((other) => other.id === id);
  if (object === undefined) return invalid('Nexthop id does not exist');
  if (scope === HOST_SCOPE && object.group !== undefined)
    return invalid('Route with host scope can not have multiple nexthops');
  const hops = hopsOf(nextHopObjects, object);
  const [first] = hops;
  if (scope === HOST_SCOPE && first?.gateway !== undefined)
    return invalid('Route with host scope can not have a gateway');
  return first?.onlink === true && scope >= LINK_SCOPE ? invalid('Scope mismatch with nexthop') : valid(hops);
}

/** Whether the kernel deletes a route when another is named: what is said of that one counts (net/ipv4/fib_trie.c, fib_table_delete). */
export function isMeantIpv4(route: Route, named: Route): boolean {
  return (
    (named.metric === 0 || named.metric === route.metric) &&
    route.type === named.type &&
    scopeNumber(route.scope) === scopeNumber(named.scope) &&
    route.protocol === named.protocol &&
    (named.preferredSource === undefined || named.preferredSource === route.preferredSource) &&
    Object.entries(named.metrics ?? {}).every(([name, value]) => route.metrics?.[name] === value) &&
    leadsThere(route, named)
  );
}

/** (net/ipv4/fib_semantics.c, fib_nh_match) One next hop is compared with the first one only. */
function leadsThere(route: Route, named: Route): boolean {
  if (named.nextHopObject !== undefined || route.nextHopObject !== undefined) {
    return (
      route.nextHopObject === named.nextHopObject || (named.nextHopObject === undefined && named.nextHops.length === 0)
    );
  }
  const [only, ...others] = named.nextHops;
  if (only === undefined) return true;
  if (others.length === 0) return isSameHop(route.nextHops[0], only);
  return (
    route.nextHops.length === named.nextHops.length &&
    named.nextHops.every((hop, index) => {
      const other = route.nextHops[index];
      return isSameHop(other, hop) && (hop.weight === undefined || hop.weight === other?.weight);
    })
  );
}

function isSameHop(hop: NextHop | undefined, named: NextHop): boolean {
  if (hop === undefined) return false;
  return hopKey({ ...hop, ...named }) === hopKey(hop);
}
