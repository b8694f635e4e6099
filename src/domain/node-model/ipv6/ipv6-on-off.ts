/**
 * Models the kernel when IPv6 is enabled or disabled on one device: as when its link comes up or goes down, for IPv6 alone (net/ipv6/addrconf.c,
 * dev_disable_change).
 */
import { familyOf } from '../../basics/addresses/ip-address.ts';
import type { Link, NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { withDeviceRoutes } from '../added-routes.ts';
import { withLink } from '../device.ts';
import { routesLeft } from '../dropped-routes.ts';
import { ipv6DeviceRoutes, settled } from './ipv6-device-routes.ts';
import { linkLocalAddresses } from './link-local.ts';

/** The node after IPv6 was enabled on a device: one that is up gets its link-local addresses, and the routes of its addresses. */
export function enableIpv6(node: NodeSnapshot, link: Link): NodeSnapshot {
  if (!link.up) return node;
  // There were none before, as of a device that comes up for the first time.
  const made = linkLocalAddresses(node, link, { ...link, up: false });
  const enabled = { ...link, addresses: [...link.addresses, ...made.map((address) => settled(node, link, address))] };
  return withDeviceRoutes(
    withLink(node, link.name, () => enabled),
    ipv6DeviceRoutes(node, enabled),
  );
}

/** The node after IPv6 was disabled on a device: without its IPv6 addresses, whatever is kept otherwise, its neighbours, and the routes out of it. */
export function disableIpv6(node: NodeSnapshot, { name }: Link): NodeSnapshot {
  const isLeft = (each: { readonly device: string; readonly address: string }) =>
    each.device !== name || familyOf(each.address) !== 6;
  return {
    ...withLink(node, name, (link) => ({
      ...link,
      addresses: link.addresses.filter(({ address }) => familyOf(address) !== 6),
    })),
    neighbours: node.neighbours.filter(isLeft),
    neighbourProxies: node.neighbourProxies.filter(isLeft),
    routes: routesLeft(node, { devices: new Set([name]), family: 6 }),
  };
}
