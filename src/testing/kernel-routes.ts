import { withDeviceRoutes } from '../domain/node-model/added-routes.ts';
import { deviceRouteKey, ipv4DeviceRoutes } from '../domain/node-model/ipv4/ipv4-device-routes.ts';
import { ipv6DeviceRoutes, subnetRoutes } from '../domain/node-model/ipv6/ipv6-device-routes.ts';
import type { NodeSnapshot, Route } from '../domain/snapshot/node-snapshot.ts';

/** The routes that the kernel makes of a node's addresses. */
function routesOfAddresses(node: NodeSnapshot): readonly Route[] {
  const tables = new Map(node.links.map(({ name, vrfTable }) => [name, vrfTable]));
  return node.links.flatMap((link) => [
    ...ipv4DeviceRoutes(link, link.vrfTable ?? tables.get(link.master ?? '')),
    ...ipv6DeviceRoutes(node, link),
    // When a link comes up the kernel does not make these, but when the address is added.
    ...link.addresses
      .filter(({ address, validSeconds }) => address.includes(':') && validSeconds !== undefined)
      .flatMap((address) => subnetRoutes(node, link, address)),
  ]);
}

/** The node with the routes that the kernel makes of its addresses, after those that it has. */
export function withRoutesOfAddresses(node: NodeSnapshot): NodeSnapshot {
  return withDeviceRoutes(node, routesOfAddresses(node));
}

/** Returns whether the kernel adds a route of a node again by itself. Others may have protocol kernel too. */
export function kernelRouteFilter(node: NodeSnapshot): (route: Route) => boolean {
  const made = new Set(routesOfAddresses(node).map(deviceRouteKey));
  return (route) => route.protocol === 'kernel' && made.has(deviceRouteKey(route));
}
