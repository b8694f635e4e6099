import { withDeviceRoutes } from '../domain/node-model/added-routes.ts';
import { ipv4DeviceRoutes } from '../domain/node-model/ipv4-device-routes.ts';
import { ipv6DeviceRoutes, subnetRoutes } from '../domain/node-model/ipv6-device-routes.ts';
import type { NodeSnapshot } from '../domain/snapshot/node-snapshot.ts';

/** The node with the routes that the kernel makes of its addresses, after those that it has. */
export function withKernelRoutes(node: NodeSnapshot): NodeSnapshot {
  const tables = new Map(node.links.map(({ name, vrfTable }) => [name, vrfTable]));
  const made = node.links.flatMap((link) => [
    ...ipv4DeviceRoutes(link, link.vrfTable ?? tables.get(link.master ?? '')),
    ...ipv6DeviceRoutes(node, link),
    // When a link comes up the kernel leaves these to whoever gives the address; here somebody gave it.
    ...link.addresses
      .filter(({ address, validSeconds }) => address.includes(':') && validSeconds !== undefined)
      .flatMap((address) => subnetRoutes(node, link, address)),
  ]);
  return withDeviceRoutes(node, made);
}
