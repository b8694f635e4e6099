import { MAIN_TABLE } from '../../basics/conventions.ts';
import { addressAt, familyOf, networkOf, prefixLengthOf } from '../../basics/addresses/ip-address.ts';
import { lazyByText } from '../../basics/incremental/lazy.ts';
import type { Address, Link, NextHop, Route } from '../../snapshot/node-snapshot.ts';
import { LOCAL_TABLE } from '../device.ts';

/** The subnet that an address makes reachable: its own, or with a peer, the peer's. */
function subnetOf({ address, peer, prefixLength }: Address): string {
  return networkOf(`${peer ?? address}/${prefixLength}`) ?? '';
}

/** Whether the device has a primary address of the same subnet (rtnetlink.h, IFA_F_SECONDARY). */
export function isSecondary({ flags }: Address): boolean {
  return flags.includes('secondary');
}

/** Whether two addresses of a device share their subnet, one of them as secondary. */
export function shareSubnet(left: Address, right: Address): boolean {
  return subnetOf(left) === subnetOf(right);
}

const broadcastAddress = lazyByText((subnet) => addressAt(subnet, 2 ** (32 - prefixLengthOf(subnet)) - 1) ?? '');

/** The broadcast addresses of an address: the given one, and the last of its subnet. */
function broadcastsOf(address: Address, hasSubnet: boolean): readonly string[] {
  const subnet = subnetOf(address);
  return [
    ...(address.broadcast === undefined || address.broadcast === '255.255.255.255' ? [] : [address.broadcast]),
    ...(hasSubnet && address.prefixLength < 31 ? [broadcastAddress(subnet)] : []),
  ];
}

/**
 * The routes that the kernel makes for a device's IPv4 addresses (net/ipv4/fib_frontend.c, fib_add_ifaddr). Two addresses may need the same route,
 * which the kernel then has once.
 *
 * An address is local as long as it is on a device, even while that is down. Its subnet and the broadcast addresses are there while the
 * device is up. A secondary address has only its local route, with the primary address of its subnet as the source.
 *
 * @param vrfTable table of the VRF that the device is or is in; all of them are there then
 */
export function ipv4DeviceRoutes(link: Link, vrfTable: number | undefined): readonly Route[] {
  const addresses = link.addresses.filter(({ address }) => familyOf(address) === 4);
  const route = (type: string, destination: string, preferredSource: string, metric = 0): Route => ({
    family: 4,
    table: vrfTable ?? (type === 'unicast' ? MAIN_TABLE : LOCAL_TABLE),
    destination,
    metric,
    type,
    protocol: 'kernel',
    scope: type === 'local' ? 'host' : 'link',
    preferredSource,
    nextHops: [{ device: link.name }],
  });
  const routesOf = (address: Address): readonly Route[] => {
    const subnet = subnetOf(address);
    const leading = isSecondary(address)
      ? addresses.find((other) => !isSecondary(other) && shareSubnet(other, address))
      : address;
    if (leading === undefined) return [];
    const source = leading.address;
    const local = route('local', `${address.address}/32`, source);
    if (!link.up) return [local];
    const isAlone = subnet === `${address.address}/32`;
    // The kernel makes no route to a subnet of 0.0.0.0/8.
    const hasSubnet = !isAlone && !isSecondary(address) && !subnet.startsWith('0.');
    const hasRoute = hasSubnet && !address.flags.includes('noprefixroute');
    return [
      local,
      ...broadcastsOf(address, hasSubnet).map((broadcast) => route('broadcast', `${broadcast}/32`, source)),
      ...(hasRoute ? [route(link.type === 'loopback' ? 'local' : 'unicast', subnet, source, address.metric)] : []),
    ];
  };
  return addresses.flatMap(routesOf);
}

/** A text that identifies the next hops of a route of a device, in their order. */
export function hopsKey(nextHops: readonly NextHop[]): string {
  let key = '';
  for (const { device = '', gateway = '' } of nextHops) key += ` ${device} ${gateway}`;
  return key;
}

/** A text that identifies a route of a device, of either family. */
export function deviceRouteKey(route: Route): string {
  const { family, table, destination, metric, type, scope = '', protocol, preferredSource = '', nextHops } = route;
  return `${family} ${table} ${destination} ${metric} ${type} ${scope} ${protocol} ${preferredSource}${hopsKey(nextHops)}`;
}
