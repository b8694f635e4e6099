import { lazy } from '../basics/incremental/lazy.ts';
import type { DisplacedEntity } from '../snapshot/ledger.ts';
import type { Address, Link, NextHopObject, NodeSnapshot, Route } from '../snapshot/node-snapshot.ts';
import { linkOf, vrfTableOf, withLink } from './device.ts';
import { deviceRouteKey, ipv4DeviceRoutes } from './ipv4/ipv4-device-routes.ts';
import { ipv6AddressRoutes } from './ipv6/ipv6-device-routes.ts';
import { isLasting } from './neighbours/lasting-neighbour.ts';
import { takeDown } from './link-down.ts';
import { bringUp } from './link-up.ts';
import { asUp } from './next-hop.ts';
import { vlansOn } from './stacked-devices.ts';

/**
 * The node after a device entered a VRF or left one.
 *
 * First the kernel drops all routes out of the device (NETDEV_CHANGEUPPER in net/ipv4/fib_frontend.c and net/ipv6/addrconf.c), also of one
 * that is down. Then the VRF takes one that is up down and up again, so that its own routes are in the right table
 * (drivers/net/vrf.c, cycle_netdev), and the VLAN devices on it with it.
 *
 * @param change gives the device its new master or takes it away
 */
export function cycle(node: NodeSnapshot, device: string, change: (link: Link) => Link): NodeSnapshot {
  const isUp = linkOf(node, device)?.up === true;
  const vlans = isUp ? vlansOn(node, device) : [];
  const down = [...(isUp ? [device] : []), ...vlans.filter(({ up }) => up).map(({ name }) => name)];
  const flushed = takeDown(node, { down: new Set(down), moving: device });
  const moved = withLink(flushed, device, change);
  return isUp ? bringUp(moved, new Set([device, ...vlans.map(({ name }) => name)]), node) : moved;
}

/** The node without the routes and neighbours of other devices, which a cycle leaves as they are. */
function near(node: NodeSnapshot, device: string): NodeSnapshot {
  const names = new Set([device, ...vlansOn(node, device).map(({ name }) => name)]);
  const isNear = (each: { readonly device?: string }) => each.device !== undefined && names.has(each.device);
  return {
    ...node,
    routes: node.routes.filter(({ nextHops, nextHopObject }) => nextHopObject !== undefined || nextHops.some(isNear)),
    neighbours: node.neighbours.filter(isNear),
    neighbourProxies: node.neighbourProxies.filter(isNear),
  };
}

/** Entities that the kernel drops and does not add again when a device enters a VRF or leaves one. */
export function lostByCycle(node: NodeSnapshot, device: string): readonly DisplacedEntity[] {
  const before = near(node, device);
  return lostBetween(
    before,
    cycle(before, device, (link) => link),
    device,
  );
}

/**
 * Entities that the kernel has dropped in the link cycle of a device, and not added again: of the device, and of the VLAN devices on it.
 *
 * In an order in which all of it can be restored: what needs no gateway precedes what does, a member of a group the
 * group, a next hop object before the routes that use it.
 *
 * @param node the node before
 * @param after the node after the cycle; where the device is then makes no difference
 */
export function lostBetween(node: NodeSnapshot, after: NodeSnapshot, device: string): readonly DisplacedEntity[] {
  const routes = lostRoutes(node, after, device);
  const objects = missingIn(node.nextHopObjects, after.nextHopObjects);
  const [direct, remote] = divide(routes, ({ nextHops }) => nextHops.every(({ gateway }) => gateway === undefined));
  const [plain, groups] = divide(objects, ({ group }) => group === undefined);
  const [directObjects, remoteObjects] = divide(plain, ({ gateway }) => gateway === undefined);
  const remoteIds = new Set(remoteObjects.map(({ id }) => id));
  const [remoteGroups, directGroups] = divide(groups, ({ group = [] }) => group.some(({ id }) => remoteIds.has(id)));
  return [
    ...lostAddresses(node, after),
    ...missingIn(node.neighbours, after.neighbours)
      .filter((neighbour) => isLasting(neighbour, linkOf(node, neighbour.device)))
      .map((neighbour) => ({ kind: 'neighbour', neighbour }) as const),
    ...missingIn(node.neighbourProxies, after.neighbourProxies).map(
      (proxy) => ({ kind: 'neighbour-proxy', proxy }) as const,
    ),
    ...direct.filter(isInline).map(routeEntity),
    ...[...directObjects, ...directGroups].map(objectEntity),
    ...direct.filter(isByObject).map(routeEntity),
    ...[...remoteObjects, ...remoteGroups].map(objectEntity),
    ...[...remote.filter(isByObject), ...remote.filter(isInline)].map(routeEntity),
  ];
}

function isByObject({ nextHopObject }: Route): boolean {
  return nextHopObject !== undefined;
}

function isInline(route: Route): boolean {
  return !isByObject(route);
}

/** A route as it is while its devices are up. */
function routeEntity(route: Route): DisplacedEntity {
  const isUp = route.nextHops.every(({ down }) => down === undefined);
  return { kind: 'route', route: isUp ? route : { ...route, nextHops: route.nextHops.map(asUp) } };
}

function objectEntity(object: NextHopObject): DisplacedEntity {
  return { kind: 'next-hop-object', object };
}

/** Items that the node has no longer. What did not change is still the same object: nothing is copied that is left as it is. */
function missingIn<Item>(before: readonly Item[], after: readonly Item[]): readonly Item[] {
  if (before === after || before.length === 0) return [];
  const left = new Set(after);
  return before.filter((item) => !left.has(item));
}

/**
 * Routes of a next hop object that remains follow it; the kernel's own routes are added again with their device or address. Other programs
 * use protocol kernel as well, such as NetworkManager for routes to subnets.
 */
function lostRoutes(before: NodeSnapshot, after: NodeSnapshot, device: string): readonly Route[] {
  const objects = new Set(after.nextHopObjects.map(({ id }) => id));
  const names = new Set([device, ...vlansOn(before, device).map(({ name }) => name)]);
  const masters = new Map(before.links.map(({ name, master }) => [name, master]));
  const inFormerVrf = (link: Link): Link => {
    const { master: _now, ...free } = link;
    const master = masters.get(link.name);
    return master === undefined ? free : { ...free, master };
  };
  // With the addresses that they had, of a device that is down once it comes up; and with those that they have when they come up.
  const withAddresses = lazy(() => keysOfDeviceRoutes(before, names));
  const withNewAddresses = lazy(() => keysOfDeviceRoutes({ ...after, links: after.links.map(inFormerVrf) }, names));
  const isMadeAgain = (key: string) => withAddresses().has(key) || withNewAddresses().has(key);
  return missingIn(before.routes, after.routes).filter((route) => {
    if (route.nextHopObject !== undefined) return !objects.has(route.nextHopObject);
    return route.protocol !== 'kernel' || !isMadeAgain(deviceRouteKey(route));
  });
}

/** Keys of the routes that the kernel makes for the addresses of some devices. */
function keysOfDeviceRoutes(node: NodeSnapshot, names: ReadonlySet<string>): ReadonlySet<string> {
  const links = node.links.filter(({ name }) => names.has(name));
  return new Set(
    links
      .flatMap((link) => [...ipv4DeviceRoutes(link, vrfTableOf(node, link)), ...ipv6AddressRoutes(node, link)])
      .map(deviceRouteKey),
  );
}

function lostAddresses(before: NodeSnapshot, after: NodeSnapshot): readonly DisplacedEntity[] {
  const left = new Map(after.links.map((link) => [link.name, new Set(link.addresses.map(addressKey))]));
  return missingIn(before.links, after.links).flatMap(({ name, addresses }) =>
    addresses
      .filter((address) => left.get(name)?.has(addressKey(address)) !== true)
      .map((address) => ({ kind: 'address', device: name, address }) as const),
  );
}

function addressKey({ address, prefixLength }: Address): string {
  return `${address}/${prefixLength}`;
}

/** Divides items into those that match and the others, in their order. */
function divide<Item>(
  items: readonly Item[],
  test: (item: Item) => boolean,
): readonly [readonly Item[], readonly Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
