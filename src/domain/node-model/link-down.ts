import { familyOf, isLinkLocal } from '../ip-address.ts';
import type { Address, Link, NodeSnapshot, Route } from '../snapshot/node-snapshot.ts';
import { settingOf } from './device.ts';
import { withoutNextHopObjects } from './next-hop-removal.ts';

/** What happens to devices at once. */
export interface Descent {
  /** Devices whose link goes down. */
  readonly down: ReadonlySet<string>;
  /** The device among them, or beside them, that changes its VRF, which leaves nothing of it in any table. */
  readonly moving?: string;
}

/**
 * The node after links went down.
 *
 * What the kernel drops then: IPv6 addresses that are not kept; neighbours, permanent ones too; next hop objects; and routes in every
 * table. Administratively the devices are still up here, as they come up again in the same breath.
 */
export function takeDown(node: NodeSnapshot, descent: Descent): NodeSnapshot {
  const touched = new Set([...descent.down, ...(descent.moving === undefined ? [] : [descent.moving])]);
  const links = node.links.map((link) => (touched.has(link.name) ? withoutFleetingAddresses(node, link) : link));
  const neighbours = node.neighbours.filter(({ device }) => !touched.has(device));
  const flushed = { ...node, links, neighbours, routes: routesLeft(node, descent, touched) };
  return withoutNextHopObjects(flushed, ({ device }) => device !== undefined && descent.down.has(device));
}

function withoutFleetingAddresses(node: NodeSnapshot, link: Link): Link {
  const keeps = keepsAddresses(node, link);
  const addresses = link.addresses.filter(
    (address) => familyOf(address.address) === 4 || (keeps && isLasting(address)),
  );
  return addresses.length === link.addresses.length ? link : { ...link, addresses };
}

/** Link-local addresses and those with a lifetime are never kept (net/ipv6/addrconf.c, addrconf_ifdown). */
function isLasting({ address, validSeconds }: Address): boolean {
  return validSeconds === undefined && !isLinkLocal(address) && address !== '::1';
}

/** The setting of `all` outweighs the device's own unless it is 0; below 0 it says no for every device (ip-sysctl, keep_addr_on_down). */
function keepsAddresses(node: NodeSnapshot, { name }: Link): boolean {
  if (settingOf(node, [6, name, 'disable_ipv6'], 0) !== 0) return false;
  const ofAll = settingOf(node, [6, 'all', 'keep_addr_on_down'], 0);
  return (ofAll === 0 ? settingOf(node, [6, name, 'keep_addr_on_down'], 0) : ofAll) > 0;
}

/**
 * The routes that are left. A route with several next hops stays as long as one of them is alive, with all of them
 * (net/ipv4/fib_semantics.c, fib_sync_down_dev; net/ipv6/route.c, fib6_ifdown).
 *
 * IPv4 routes of scope host, which the device's local addresses have, outlive a link that goes down, but not a change of the VRF
 * (net/ipv4/fib_frontend.c, fib_netdev_event).
 */
function routesLeft(node: NodeSnapshot, { moving }: Descent, touched: ReadonlySet<string>): readonly Route[] {
  const wasDown = new Set(node.links.filter(({ up }) => !up).map(({ name }) => name));
  const isDead = (device = ''): boolean => touched.has(device) || wasDown.has(device);
  return node.routes.filter(({ family, scope, nextHops, nextHopObject }) => {
    if (nextHopObject !== undefined || !nextHops.some(({ device = '' }) => touched.has(device))) return true;
    if (family === 4 && scope === 'host') return !nextHops.some(({ device }) => device === moving);
    return nextHops.some(({ device }) => !isDead(device));
  });
}
