import { MAIN_TABLE } from '../../basics/conventions.ts';
import { familyOf } from '../../basics/addresses/ip-address.ts';
import type { Address, Link, NodeSnapshot, Route } from '../../snapshot/node-snapshot.ts';
import { withDeviceRoutes, withoutDeviceRoutes } from '../added-routes.ts';
import { LOCAL_TABLE, vrfTableOf, withLink } from '../device.ts';
import { routesLeft, routesWithoutSources } from '../dropped-routes.ts';
import { deviceRouteKey, ipv4DeviceRoutes } from './ipv4-device-routes.ts';

/**
 * The node with other IPv4 addresses on a device, and all that follows (net/ipv4/fib_frontend.c, fib_inetaddr_event).
 *
 * Routes with a removed address as their source are removed, unless another device has it. With its last address the device
 * loses all of its IPv4 routes, in every table, and its IPv4 neighbours.
 */
export function withIpv4Addresses(node: NodeSnapshot, link: Link, addresses: readonly Address[]): NodeSnapshot {
  const vrfTable = vrfTableOf(node, link);
  const before = ipv4DeviceRoutes(link, vrfTable);
  const after = ipv4DeviceRoutes({ ...link, addresses }, vrfTable);
  const changed = withLink(node, link.name, (old) => ({ ...old, addresses }));
  const current = withDeviceRoutes(
    withoutDeviceRoutes(changed, routesNotIn(before, after)),
    routesNotIn(after, before),
  );
  const gone = addressesNotIn(link.addresses, addresses).filter((address) => !isLocal(current, address, vrfTable));
  const flushed = { ...current, routes: routesWithoutSources(current, new Set(gone), vrfTable ?? MAIN_TABLE) };
  const hadSome = ipv4Addresses(link.addresses).length > 0;
  return hadSome && ipv4Addresses(addresses).length === 0 ? withoutIpv4(flushed, link.name) : flushed;
}

function routesNotIn(routes: readonly Route[], others: readonly Route[]): readonly Route[] {
  const keys = new Set(others.map(deviceRouteKey));
  return routes.filter((route) => !keys.has(deviceRouteKey(route)));
}

function ipv4Addresses(addresses: readonly Address[]): readonly string[] {
  return addresses.map(({ address }) => address).filter((address) => familyOf(address) === 4);
}

function addressesNotIn(addresses: readonly Address[], others: readonly Address[]): readonly string[] {
  const left = new Set(ipv4Addresses(others));
  return ipv4Addresses(addresses).filter((address) => !left.has(address));
}

/** Whether an IPv4 address is local to a routing domain. */
function isLocal({ routes }: NodeSnapshot, address: string, vrfTable: number | undefined): boolean {
  const table = vrfTable ?? LOCAL_TABLE;
  return routes.some(
    ({ type, table: other, destination }) => type === 'local' && other === table && destination === `${address}/32`,
  );
}

/** A device without an address does not run IPv4 (net/ipv4/fib_frontend.c, fib_disable_ip). */
function withoutIpv4(node: NodeSnapshot, device: string): NodeSnapshot {
  const stays = (entry: { readonly device: string; readonly address: string }) =>
    entry.device !== device || familyOf(entry.address) !== 4;
  return {
    ...node,
    routes: routesLeft(node, { devices: new Set([device]), emptied: device, family: 4 }),
    neighbours: node.neighbours.filter(stays),
    neighbourProxies: node.neighbourProxies.filter(stays),
  };
}
