import { networkOf } from '../../basics/addresses/ip-address.ts';
import type { NextHop, NodeSnapshot, Route } from '../../snapshot/node-snapshot.ts';
import { allValid, type Checked, invalid, valid } from '../checked.ts';
import { checkIpv4Hop, isIpv4Source } from './ipv4-next-hop.ts';
import { hopKey, withoutWeight } from '../next-hop.ts';
import { withObject } from '../object-route.ts';
import { isRefusing } from '../route-types.ts';
import { HOST_SCOPE, LINK_SCOPE, scopeNumber } from '../scopes.ts';

/** Least scope that routes of a type have (net/ipv4/fib_semantics.c, fib_props). */
const LEAST_SCOPES: ReadonlyMap<string, number> = new Map([
  ['local', HOST_SCOPE],
  ['broadcast', LINK_SCOPE],
  ['anycast', LINK_SCOPE],
]);

/** The route as the kernel stores it, or why it refuses it (net/ipv4/fib_semantics.c, fib_create_info). */
export function checkIpv4Route(node: NodeSnapshot, wanted: Route): Checked<Route> {
  const { preference: _preference, expiresSeconds: _expires, scope, ...route } = wanted;
  const number = scopeNumber(scope);
  if (networkOf(route.destination) !== route.destination) return invalid('Invalid prefix for given prefix length');
  if (number < (LEAST_SCOPES.get(route.type) ?? 0) || number > HOST_SCOPE) return invalid('Invalid scope');
  const checked = route.nextHopObject === undefined ? checkHops(node, route, number) : checkObject(node, route, number);
  if (!checked.valid) return checked;
  const { preferredSource: source, destination } = route;
  // The kernel does not check the source of a route that refuses packets, or of a local one to the source itself.
  const isFree = isRefusing(route) || (route.type === 'local' && destination === `${source ?? ''}/32`);
  if (source !== undefined && !isFree && !isIpv4Source(node, route.table, source)) {
    return invalid('Invalid prefsrc address');
  }
  return valid({ ...checked.value, ...(number !== 0 && scope !== undefined && { scope }) });
}

function checkHops(node: NodeSnapshot, route: Route, scope: number): Checked<Route> {
  const { nextHops, table } = route;
  const [only, ...others] = nextHops;
  if (isRefusing(route)) {
    return only === undefined
      ? valid(route)
      : invalid('Gateway, device and multipath can not be specified for this route type');
  }
  if (only === undefined) return invalid('No such device');
  if (others.length > 0 && scope === HOST_SCOPE) return invalid('Route with host scope can not have multiple nexthops');
  const legs = others.length === 0 ? [withoutWeight(only)] : nextHops;
  const checked = allValid(legs.map((hop) => checkIpv4Hop(node, { table, scope }, hop)));
  return checked.valid ? valid({ ...route, nextHops: checked.value }) : checked;
}

/** Whatever the object is, IPv4 routes can use it (net/ipv4/nexthop.c, fib_check_nexthop). */
function checkObject({ nextHopObjects }: NodeSnapshot, route: Route, scope: number): Checked<Route> {
  const object = nextHopObjects.find(({ id }) => id === route.nextHopObject);
  if (object === undefined) return invalid('Nexthop id does not exist');
  const used = withObject(route, nextHopObjects, object);
  const [first] = used.nextHops;
  if (scope === HOST_SCOPE && object.group !== undefined)
    return invalid('Route with host scope can not have multiple nexthops');
  if (scope === HOST_SCOPE && first?.gateway !== undefined)
    return invalid('Route with host scope can not have a gateway');
  return first?.onlink === true && scope >= LINK_SCOPE ? invalid('Scope mismatch with nexthop') : valid(used);
}

/** Whether the kernel deletes a route for a request: only given attributes are compared (net/ipv4/fib_trie.c, fib_table_delete). */
export function isDeletedIpv4(route: Route, named: Route): boolean {
  return (
    (named.metric === 0 || named.metric === route.metric) &&
    route.type === named.type &&
    scopeNumber(route.scope) === scopeNumber(named.scope) &&
    route.protocol === named.protocol &&
    (named.preferredSource === undefined || named.preferredSource === route.preferredSource) &&
    Object.entries(named.metrics ?? {}).every(([name, value]) => route.metrics?.[name] === value) &&
    hasNextHopsOf(route, named)
  );
}

/** (net/ipv4/fib_semantics.c, fib_nh_match) One next hop is compared with the first one only. */
function hasNextHopsOf(route: Route, named: Route): boolean {
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
