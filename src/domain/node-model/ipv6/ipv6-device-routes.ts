import { MAIN_TABLE } from '../../basics/conventions.ts';
import { withoutLength, familyOf, networkOf } from '../../basics/addresses/ip-address.ts';
import type { Address, Link, NodeSnapshot, Route } from '../../snapshot/node-snapshot.ts';
import { hasCarrier, isVrf, LOCAL_TABLE, settingOf, vrfTableOf } from '../device.ts';

/** Metric of the kernel's own routes to subnets (include/net/ip6_route.h, IP6_RT_PRIO_ADDRCONF). */
export const SUBNET_METRIC = 256;

/** Kinds of devices whose neighbours need no resolution, so that no address on them has a duplicate (if.h, IFF_NOARP). */
const KINDS_WITHOUT_DETECTION: readonly (string | undefined)[] = ['vrf', 'dummy'];

/**
 * Whether an IPv6 address is ready for use once duplicate address detection has finished: at once without detection, else
 * as soon as the device has a carrier (net/ipv6/addrconf.c, addrconf_dad_begin).
 */
export function isSettled(node: NodeSnapshot, link: Link, address: Address): boolean {
  if (address.flags.includes('nodad') || KINDS_WITHOUT_DETECTION.includes(link.kind) || link.type !== 'ether')
    return true;
  if (link.up && hasCarrier(link)) return true;
  return settingOf(node, [6, 'all', 'accept_dad'], 0) < 1 && settingOf(node, [6, link.name, 'accept_dad'], 1) < 1;
}

/** The address after detection. */
export function settled(node: NodeSnapshot, link: Link, address: Address): Address {
  const flags = address.flags.filter((flag) => flag !== 'tentative' && flag !== 'dadfailed');
  const isReady = isSettled(node, link, address);
  if (isReady && flags.length === address.flags.length) return address;
  return { ...address, flags: isReady ? flags : [...flags, 'tentative'].sort() };
}

/** Whether a device runs IPv6: it is not disabled, and the MTU is large enough (RFC 8200, 5). */
export function runsIpv6(node: NodeSnapshot, { name, mtu }: Link): boolean {
  return mtu >= 1280 && settingOf(node, [6, name, 'disable_ipv6'], 0) === 0;
}

/** Makes a device's own IPv6 routes; all of them are in the table of the VRF that the device is or is in, if any. */
function routeMaker(node: NodeSnapshot, link: Link) {
  const vrfTable = vrfTableOf(node, link);
  return (type: string, destination: string, metric: number): Route => ({
    family: 6,
    table: vrfTable ?? (type === 'unicast' ? MAIN_TABLE : LOCAL_TABLE),
    destination,
    metric,
    type,
    protocol: 'kernel',
    nextHops: [{ device: link.name }],
  });
}

/** Whether a device has the route to the multicast addresses while it is up: VRF devices and loopback have none (addrconf_add_dev). */
function hasMulticastRoute(link: Link): boolean {
  return link.up && !isVrf(link) && link.type !== 'loopback';
}

/** The route to the multicast addresses behind a device; none on a device that has none (net/ipv6/addrconf.c, addrconf_add_mroute). */
export function multicastRoutes(node: NodeSnapshot, link: Link): readonly Route[] {
  return hasMulticastRoute(link) ? [routeMaker(node, link)('multicast', 'ff00::/8', SUBNET_METRIC)] : [];
}

/**
 * The route to the subnet of an address; none while the device is down, or with flag `noprefixroute`. The route expires with
 * the address (net/ipv6/addrconf.c, addrconf_prefix_route).
 */
export function subnetRoutes(node: NodeSnapshot, link: Link, address: Address): readonly Route[] {
  if (!link.up || address.flags.includes('noprefixroute')) return [];
  const route = routeMaker(node, link)('unicast', subnetOf(address), address.metric ?? SUBNET_METRIC);
  return [{ ...route, ...(address.validSeconds !== undefined && { expiresSeconds: address.validSeconds }) }];
}

/** The subnet of an address; that of a peer is the peer alone. */
export function subnetOf({ address, prefixLength }: Address): string {
  return networkOf(`${address}/${prefixLength}`) ?? '';
}

/**
 * The routes that an address has once it is settled: itself, where the device forwards the anycast address of its subnet's routers (RFC 4291,
 * 2.6.1), and its peer (net/ipv6/addrconf.c, __ipv6_ifa_notify and addrconf_join_anycast).
 */
export function settledRoutes(node: NodeSnapshot, link: Link, address: Address): readonly Route[] {
  if (!isSettled(node, link, address)) return [];
  const route = routeMaker(node, link);
  const { peer } = address;
  return [
    route('local', `${address.address}/128`, 0),
    ...anycastRoutes(node, link, address),
    ...(peer === undefined || !link.up ? [] : [route('unicast', `${peer}/128`, address.metric ?? SUBNET_METRIC)]),
  ];
}

/** The anycast address of the routers of an address's subnet, where the device forwards. */
export function anycastRoutes(node: NodeSnapshot, link: Link, address: Address): readonly Route[] {
  const forwards = settingOf(node, [6, link.name, 'forwarding'], 0) !== 0;
  const hasAnycast = forwards && address.prefixLength > 0 && address.prefixLength < 127;
  if (!hasAnycast || !isSettled(node, link, address)) return [];
  const routers = withoutLength(subnetOf(address));
  return [routeMaker(node, link)('anycast', `${routers}/128`, 0)];
}

/** The kernel's routes for a device and its IPv6 addresses, while these are unchanged. */
export function ipv6AddressRoutes(node: NodeSnapshot, link: Link): readonly Route[] {
  if (!runsIpv6(node, link)) return [];
  return [
    ...multicastRoutes(node, link),
    ...ipv6Addresses(link).flatMap((address) => [
      ...subnetRoutes(node, link, address),
      ...settledRoutes(node, link, address),
    ]),
  ];
}

/**
 * The routes that the kernel adds for them when the device comes up (net/ipv6/addrconf.c, addrconf_notify): without a carrier none to
 * multicast addresses, and none to the subnet of an address with a lifetime.
 */
export function ipv6DeviceRoutes(node: NodeSnapshot, link: Link): readonly Route[] {
  if (!runsIpv6(node, link)) return [];
  return [
    ...(hasCarrier(link) ? multicastRoutes(node, link) : []),
    ...ipv6Addresses(link).flatMap((address) => [
      ...(address.validSeconds === undefined ? subnetRoutes(node, link, address) : []),
      ...settledRoutes(node, link, address),
    ]),
  ];
}

function ipv6Addresses({ addresses }: Link): readonly Address[] {
  return addresses.filter(({ address }) => familyOf(address) === 6);
}
