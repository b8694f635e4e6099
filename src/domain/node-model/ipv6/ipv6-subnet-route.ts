/**
 * The route to the subnet of an IPv6 address, which several addresses share and any program may have added: its changes when one of
 * them changes or is removed.
 */
import { MAIN_TABLE } from '../../basics/conventions.ts';
import { least } from '../../basics/names/ordering.ts';
import type { Address, Link, NodeSnapshot, Route } from '../../snapshot/node-snapshot.ts';
import { withDeviceRoutes } from '../added-routes.ts';
import { vrfTableOf } from '../device.ts';
import { subnetOf, subnetRoutes, SUBNET_METRIC } from './ipv6-device-routes.ts';

/** The best of the routes to the subnet out of the device without a gateway, of any origin (net/ipv6/addrconf.c, addrconf_get_prefix_route). */
function subnetRouteOf(node: NodeSnapshot, link: Link, address: Address): Route | undefined {
  const subnet = subnetOf(address);
  const table = vrfTableOf(node, link) ?? MAIN_TABLE;
  const found = node.routes.filter(
    (route) =>
      route.destination === subnet &&
      route.table === table &&
      route.nextHopObject === undefined &&
      route.nextHops.some(({ device, gateway }) => device === link.name && gateway === undefined),
  );
  return least(found, (left, right) => left.metric - right.metric);
}

/** Whether an address keeps its subnet's route permanently. */
function holdsRoute({ flags, validSeconds }: Address): boolean {
  return validSeconds === undefined && !flags.includes('noprefixroute');
}

function withRoute(node: NodeSnapshot, route: Route, changed: readonly Route[]): NodeSnapshot {
  return { ...node, routes: node.routes.flatMap((other) => (other === route ? changed : [other])) };
}

function withExpiry(route: Route, expiresSeconds: number | undefined): Route {
  const { expiresSeconds: _expires, ...rest } = route;
  return { ...rest, ...(expiresSeconds !== undefined && { expiresSeconds }) };
}

/**
 * The route takes the metric of an address that was changed. If the address gets a lifetime, the route expires at once: the kernel takes the
 * remaining seconds for a time in the past (net/ipv6/addrconf.c, modify_prefix_route).
 */
export function withSubnetRoute(node: NodeSnapshot, link: Link, before: Address, address: Address): NodeSnapshot {
  const route = holdsRoute(before) ? subnetRouteOf(node, link, address) : undefined;
  const wanted = subnetRoutes(node, link, address);
  if (route === undefined) return withDeviceRoutes(node, wanted);
  if (route.metric !== (address.metric ?? SUBNET_METRIC)) return withDeviceRoutes(withRoute(node, route, []), wanted);
  return withRoute(node, route, [withExpiry(route, address.validSeconds === undefined ? undefined : 0)]);
}

/**
 * The route is removed with the last address that needs it: it stays with another one that is permanent or has no subnet route of its own,
 * and expires with the last one that expires (net/ipv6/addrconf.c, check_cleanup_prefix_route). A route with an expiry stays.
 */
export function withoutSubnetRoute(node: NodeSnapshot, link: Link, gone: Address): NodeSnapshot {
  if (!holdsRoute(gone)) return node;
  const subnet = subnetOf(gone);
  const others = link.addresses.filter((address) => address.address !== gone.address && subnetOf(address) === subnet);
  if (others.some(({ flags, validSeconds }) => validSeconds === undefined || flags.includes('noprefixroute'))) {
    return node;
  }
  const route = subnetRouteOf(node, link, gone);
  if (route === undefined) return node;
  if (others.length === 0) return withRoute(node, route, []);
  const last = Math.max(...others.map(({ validSeconds = 0 }) => validSeconds));
  return withRoute(node, route, [withExpiry(route, route.expiresSeconds ?? last)]);
}
