import { networkOf } from '../ip-address.ts';
import type { NextHop, NextHopObject, NodeSnapshot, Route } from '../snapshot/node-snapshot.ts';
import { allValid, type Checked, invalid, valid } from './checked.ts';
import { linkOf } from './device.ts';
import { checkIpv6Hop, isIpv6Source } from './ipv6-next-hop.ts';
import { hopsOf } from './next-hop-removal.ts';
import { hopKey, withoutWeight } from './next-hop.ts';
import { isRefusing } from './route-types.ts';

/** Metric that a route gets for 0 (include/net/ip6_route.h, IP6_RT_PRIO_USER). */
const USUAL_METRIC = 1024;

/** Device that routes which refuse packets are bound to. */
const LOOPBACK = 'lo';

/** The route as the kernel would have it, or why it would not (net/ipv6/route.c, ip6_route_info_create). */
export function checkIpv6Route(node: NodeSnapshot, wanted: Route): Checked<Route> {
  const { scope: _scope, ...route } = wanted;
  const destination = networkOf(route.destination);
  if (destination === undefined) return invalid('Invalid prefix length');
  if (route.typeOfService !== undefined) return invalid('Invalid dsfield (tos): option not available for IPv6');
  const hops = checkHops(node, route);
  if (!hops.valid) return hops;
  const { preferredSource: source } = route;
  if (source !== undefined && !isSourceOfAll(node, route, hops.value, source)) return invalid('Invalid source address');
  const protocol = route.protocol === 'unspec' ? 'boot' : route.protocol;
  return valid({ ...route, destination, protocol, metric: route.metric || USUAL_METRIC, nextHops: hops.value });
}

function checkHops(node: NodeSnapshot, route: Route): Checked<readonly NextHop[]> {
  const { nextHops, nextHopObject: id, table } = route;
  if (id !== undefined) return checkObject(node, id, route.source);
  if (isRefusing(route)) return valid([]);
  const [only, ...others] = nextHops;
  if (only === undefined) return invalid('No such device');
  if (others.length === 0) return allValid([checkIpv6Hop(node, table, withoutWeight(only))]);
  if (nextHops.some(({ gateway }) => gateway === undefined)) {
    return invalid('Device only routes can not be added for IPv6 using the multipath API');
  }
  const checked = allValid(nextHops.map((hop) => checkIpv6Hop(node, table, hop)));
  const isRepeated = checked.valid && new Set(checked.value.map(hopKey)).size < nextHops.length;
  return isRepeated ? invalid('the same next hop twice') : checked;
}

/** (net/ipv4/nexthop.c, fib6_check_nexthop) */
function checkObject(
  { nextHopObjects }: NodeSnapshot,
  id: number,
  source: string | undefined,
): Checked<readonly NextHop[]> {
  const object = nextHopObjects.find((other) => other.id === id);
  if (object === undefined) return invalid('Nexthop id does not exist');
  if (source !== undefined) return invalid('Nexthops can not be used with source routing');
  const members = (object.group ?? [object]).map((member) => nextHopObjects.find((other) => other.id === member.id));
  if (members.some(isIpv4)) return invalid('IPv6 routes can not use an IPv4 nexthop');
  return valid(hopsOf(nextHopObjects, object));
}

function isIpv4(object: NextHopObject | undefined): boolean {
  return object?.family === 4;
}

function isSourceOfAll(node: NodeSnapshot, route: Route, hops: readonly NextHop[], source: string): boolean {
  const devices = isRefusing(route) || hops.length === 0 ? [LOOPBACK] : hops.map(({ device = LOOPBACK }) => device);
  return devices.every((device) => {
    const link = linkOf(node, device);
    return link !== undefined && isIpv6Source(node, link, source);
  });
}

/** Whether a route can be one of the legs of another (net/ipv6/ip6_route.h, rt6_qualify_for_ecmp). */
export function canHaveSiblings({ nextHops, nextHopObject, protocol }: Route): boolean {
  return nextHopObject === undefined && protocol !== 'ra' && nextHops.some(({ gateway }) => gateway !== undefined);
}

/**
 * What is left of a route when another is named for deletion: absent where it is not meant, else nothing or a route (net/ipv6/route.c,
 * ip6_route_del). With a gateway only that leg is meant, without one any; the type does not count.
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
