import { subnetContains } from '../../basics/addresses/ip-address.ts';
import type { Address, Link, NodeSnapshot, Route } from '../../snapshot/node-snapshot.ts';
import { withDeviceRoutes, withoutDeviceRoutes } from '../added-routes.ts';
import { type Change, done, refused } from '../change.ts';
import { isVrf, withLink } from '../device.ts';
import {
  anycastRoutes,
  multicastRoutes,
  runsIpv6,
  settled,
  settledRoutes,
  subnetRoutes,
} from './ipv6-device-routes.ts';
import { withoutSubnetRoute, withSubnetRoute } from './ipv6-subnet-route.ts';
import { withLifetimes } from '../lifetime.ts';

/** Flags of an IPv6 address that can be set; the kernel sets the others (net/ipv6/addrconf.c, inet6_rtm_newaddr). */
const REQUESTED_FLAGS = ['autojoin', 'home', 'mngtmpaddr', 'nodad', 'noprefixroute', 'optimistic'];

/** The scope that an IPv6 address has by itself (RFC 4007; net/ipv6/addrconf_core.c, ipv6_addr_type). */
function scopeOf(address: string): string {
  if (subnetContains('fe80::/10', address)) return 'link';
  if (subnetContains('fec0::/10', address)) return 'site';
  return address === '::1' ? 'host' : 'global';
}

/**
 * Adds an IPv6 address to a device. Of an existing one, of any prefix length, flags, metric, protocol and lifetimes change
 * (net/ipv6/addrconf.c, inet6_rtm_newaddr).
 */
export function putIpv6Address(node: NodeSnapshot, link: Link, wanted: Address): Change {
  const existing = link.addresses.find(({ address }) => address === wanted.address);
  if (existing !== undefined) return done(withChanged(node, link, existing, wanted));
  if (!runsIpv6(node, link)) return refused('IPv6 is disabled', `${wanted.address} on ${link.name}`);
  const isLoopback = wanted.address === '::1' && link.type !== 'loopback' && !isVrf(link);
  if (wanted.address === '::' || isLoopback || subnetContains('ff00::/8', wanted.address)) {
    return refused('Cannot assign requested address', `${wanted.address} on ${link.name}`);
  }
  const flags = wanted.flags.filter((flag) => REQUESTED_FLAGS.includes(flag));
  const { label: _label, broadcast: _broadcast, ...plain } = wanted;
  const address = settled(node, link, withLifetimes({ ...plain, scope: scopeOf(wanted.address), flags }, wanted));
  const added = withLink(node, link.name, (old) => ({ ...old, addresses: [...old.addresses, address] }));
  return done(
    withDeviceRoutes(added, [
      ...multicastRoutes(node, link),
      ...subnetRoutes(node, link, address),
      ...settledRoutes(node, link, address),
    ]),
  );
}

/** The routes to the subnet and to the peer's follow the address (net/ipv6/addrconf.c, inet6_addr_modify). */
function withChanged(node: NodeSnapshot, link: Link, existing: Address, wanted: Address): NodeSnapshot {
  const asked = wanted.flags.filter((flag) => REQUESTED_FLAGS.includes(flag));
  const flags = [...existing.flags.filter((flag) => !REQUESTED_FLAGS.includes(flag)), ...asked].sort();
  const metric = wanted.metric ?? existing.metric;
  const peer = wanted.peer ?? existing.peer;
  const { protocol: _protocol, ...rest } = existing;
  const address = withLifetimes(
    {
      ...{ ...rest, flags, ...(metric !== undefined && { metric }), ...(peer !== undefined && { peer }) },
      ...(wanted.protocol !== undefined && { protocol: wanted.protocol }),
    },
    wanted,
  );
  const addresses = link.addresses.map((other) => (other === existing ? address : other));
  const changed = withLink(node, link.name, (old) => ({ ...old, addresses }));
  if (address.flags.includes('noprefixroute')) return withoutSubnetRoute(changed, link, existing);
  const ofPeer = peer === undefined ? [] : [{ ...address, address: peer }];
  return [address, ...ofPeer].reduce((current, end) => withSubnetRoute(current, link, existing, end), changed);
}

/**
 * Removes an IPv6 address (net/ipv6/addrconf.c, ipv6_del_addr). Routes out of the device with this source stay without it.
 */
export function deleteIpv6Address(node: NodeSnapshot, link: Link, gone: Address): NodeSnapshot {
  const addresses = link.addresses.filter((address) => address !== gone);
  const left = withLink(node, link.name, (old) => ({ ...old, addresses }));
  const needed = addresses
    .filter((address) => address.address.includes(':'))
    .flatMap((address) => anycastRoutes(node, link, address))
    .map(({ destination }) => destination);
  const own = settledRoutes(node, link, gone).filter(({ destination }) => !needed.includes(destination));
  const flushed = withoutSubnetRoute(withoutDeviceRoutes(left, own), { ...link, addresses }, gone);
  return { ...flushed, routes: flushed.routes.map((route) => withoutSource(route, link.name, gone.address)) };
}

function withoutSource(route: Route, device: string, source: string): Route {
  const isBearer = route.family === 6 && route.preferredSource === source && route.nextHopObject === undefined;
  if (!isBearer || route.nextHops[0]?.device !== device) return route;
  const { preferredSource: _source, ...rest } = route;
  return rest;
}
