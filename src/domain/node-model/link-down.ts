import { familyOf, isLinkLocal } from '../basics/addresses/ip-address.ts';
import type { Address, Link, NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { settingOf } from './device.ts';
import { routesLeft } from './dropped-routes.ts';
import { withoutNextHopObjects } from './next-hop-removal.ts';

/** Devices that go down together. */
export interface LinksGoingDown {
  /** Devices whose link goes down. */
  readonly down: ReadonlySet<string>;
  /** The device that changes its VRF: no route out of it stays in any table. */
  readonly moving?: string;
}

/**
 * The node after links went down.
 *
 * The kernel drops IPv6 addresses that are not kept; neighbours, permanent ones too; proxy entries; nexthop objects; and routes in
 * every table. The devices stay administratively up.
 */
export function takeDown(node: NodeSnapshot, { down, moving }: LinksGoingDown): NodeSnapshot {
  const devices = moving === undefined ? down : new Set([...down, moving]);
  const links = node.links.map((link) => (devices.has(link.name) ? withoutFlushedAddresses(node, link) : link));
  const neighbours = node.neighbours.filter(({ device }) => !devices.has(device));
  const neighbourProxies = node.neighbourProxies.filter(({ device }) => !devices.has(device));
  const routes = routesLeft(node, { devices, emptied: moving });
  return withoutNextHopObjects(
    { ...node, links, neighbours, neighbourProxies, routes },
    ({ device }) => device !== undefined && down.has(device),
  );
}

function withoutFlushedAddresses(node: NodeSnapshot, link: Link): Link {
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

/** The setting of `all` overrides the device's own unless it is 0; a negative one keeps none on any device (ip-sysctl, keep_addr_on_down). */
function keepsAddresses(node: NodeSnapshot, { name }: Link): boolean {
  if (settingOf(node, [6, name, 'disable_ipv6'], 0) !== 0) return false;
  const ofAll = settingOf(node, [6, 'all', 'keep_addr_on_down'], 0);
  return (ofAll === 0 ? settingOf(node, [6, name, 'keep_addr_on_down'], 0) : ofAll) > 0;
}
