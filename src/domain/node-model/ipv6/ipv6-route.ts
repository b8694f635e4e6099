import { isCidr } from '../../basics/addresses/ip-address.ts';
import type { NextHop, NodeSnapshot, Route } from '../../snapshot/node-snapshot.ts';
import { allValid, type Checked, invalid, invalidAsExisting, valid } from '../checked.ts';
import { linkOf, LOOPBACK } from '../device.ts';
import { checkIpv6Hop, isIpv6Source } from './ipv6-next-hop.ts';
import { hopKey, withoutWeight } from '../next-hop.ts';
import { isIpv4, withObject } from '../object-route.ts';
import { isRefusing } from '../route-types.ts';

/** Metric that a route gets for 0 (include/net/ip6_route.h, IP6_RT_PRIO_USER). */
const USUAL_METRIC = 1024;

/** The route as the kernel stores it, or why it refuses it (net/ipv6/route.c, ip6_route_info_create). */
export function checkIpv6Route(node: NodeSnapshot, wanted: Route): Checked<Route> {
  const route = withoutUnsupportedAttributes(wanted);
  if (!isCidr(route.destination)) return invalid('Invalid prefix length');
  if (route.typeOfService !== undefined) return invalid('Invalid dsfield (tos): option not available for IPv6');
  const checked = route.nextHopObject === undefined ? checkHops(node, route) : checkObject(node, route);
  if (!checked.valid) return checked;
  const { preferredSource: source } = route;
  if (source !== undefined && !isSourceOfAll(node, checked.value, source)) return invalid('Invalid source address');
  const protocol = route.protocol === 'unspec' ? 'boot' : route.protocol;
  return valid({ ...checked.value, protocol, metric: route.metric || USUAL_METRIC });
}

/** IPv6 routes have no scope; one that refuses packets has neither preference nor lifetime. */
function withoutUnsupportedAttributes({ scope: _scope, ...route }: Route): Route {
  if (!isRefusing(route)) return route;
  const { preference: _preference, expiresSeconds: _expires, ...lasting } = route;
  return lasting;
}

function checkHops(node: NodeSnapshot, route: Route): Checked<Route> {
  const { nextHops, table } = route;
  if (isRefusing(route)) return valid({ ...route, nextHops: [] });
  const [only, ...others] = nextHops;
  if (only === undefined) return invalid('No such device');
  if (others.length > 0 && nextHops.some(({ gateway }) => gateway === undefined)) {
    return invalid('Device only routes can not be added for IPv6 using the multipath API');
  }
  const legs = others.length === 0 ? [withoutWeight(only)] : nextHops;
  const checked = allValid(legs.map((hop) => checkIpv6Hop(node, table, hop)));
  if (!checked.valid) return checked;
  const isRepeated = new Set(checked.value.map(hopKey)).size < legs.length;
  return isRepeated ? invalidAsExisting('File exists') : valid({ ...route, nextHops: checked.value });
}

/** (net/ipv4/nexthop.c, fib6_check_nexthop) */
function checkObject({ nextHopObjects }: NodeSnapshot, route: Route): Checked<Route> {
  const object = nextHopObjects.find(({ id }) => id === route.nextHopObject);
  if (object === undefined) return invalid('Nexthop id does not exist');
  if (route.source !== undefined) return invalid('Nexthops can not be used with source routing');
  if (isIpv4(nextHopObjects, object)) return invalid('IPv6 routes can not use an IPv4 nexthop');
  return valid(withObject(route, nextHopObjects, object));
}

function isSourceOfAll(node: NodeSnapshot, { nextHops }: Route, source: string): boolean {
  // Routes that refuse packets are bound to the loopback device.
  const devices = nextHops.length === 0 ? [LOOPBACK] : nextHops.map(({ device = LOOPBACK }) => device);
  return devices.every((device) => {
    const link = linkOf(node, device);
    return link !== undefined && isIpv6Source(node, link, source);
  });
}

/** Whether a route can be a next hop of another (net/ipv6/ip6_route.h, rt6_qualify_for_ecmp). */
export function canHaveSiblings({ nextHops, nextHopObject, protocol }: Route): boolean {
  return nextHopObject === undefined && protocol !== 'ra' && nextHops.some(({ gateway }) => gateway !== undefined);
}

/**
 * The rest of a route after a deletion request: absent where it does not match, else nothing or a route (net/ipv6/route.c,
 * ip6_route_del). A request with a gateway matches that next hop only, one without a gateway any; the type does not count.
 *
 * If one of several next hops is missing, the kernel fails but removes the others (ip6_route_multipath_del). This is not modelled: after a
 * refusal the node is observed again.
 */
export function remainderIpv6(route: Route, named: Route): readonly Route[] | undefined {
  const { metric, protocol, nextHopObject: id, nextHops } = named;
  if ((metric !== 0 && metric !== route.metric) || protocol !== route.protocol) return undefined;
  if (route.nextHopObject !== undefined) return id === undefined || id === route.nextHopObject ? [] : undefined;
  if (id !== undefined) return undefined;
  const [only, ...others] = nextHops;
  if (only === undefined) return [];
  const isMeant = (hop: NextHop): boolean => nextHops.some((leg) => hopKey({ ...hop, ...leg }) === hopKey(hop));
  if (others.length === 0 && only.gateway === undefined) return route.nextHops.some(isMeant) ? [] : undefined;
  const left = route.nextHops.filter((hop) => !isMeant(hop));
  if (route.nextHops.length - left.length < nextHops.length) return undefined;
  return left.length === 0 ? [] : [{ ...route, nextHops: left.length === 1 ? left.map(withoutWeight) : left }];
}
