import { familyOf } from '../basics/addresses/ip-address.ts';
import type { Link, NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { withDeviceRoutes } from './added-routes.ts';
import { vrfTableOf } from './device.ts';
import { ipv4DeviceRoutes } from './ipv4/ipv4-device-routes.ts';
import { ipv6DeviceRoutes, settled } from './ipv6/ipv6-device-routes.ts';
import { linkLocalAddresses } from './ipv6/link-local.ts';

/**
 * A node with everything that a kernel creates by itself: link-local addresses and its own routes. This completes a node written by hand.
 */
export function withKernelAddressesAndRoutes(node: NodeSnapshot): NodeSnapshot {
  const links = node.links.map((link) => withLinkLocalAddresses(node, link));
  const complete = { ...node, links };
  const routes = links.flatMap((link) => [
    ...ipv4DeviceRoutes(link, vrfTableOf(complete, link)),
    ...ipv6DeviceRoutes(complete, link),
  ]);
  return withDeviceRoutes(complete, routes);
}

function withLinkLocalAddresses(node: NodeSnapshot, link: Link): Link {
  const made = link.up ? linkLocalAddresses(node, link, { ...link, up: false }) : [];
  const present = new Set(link.addresses.map(({ address }) => address));
  const addresses = [...link.addresses, ...made.filter(({ address }) => !present.has(address))];
  return {
    ...link,
    addresses: addresses.map((address) => (familyOf(address.address) === 6 ? settled(node, link, address) : address)),
  };
}
