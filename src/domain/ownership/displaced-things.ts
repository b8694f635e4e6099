/**
 * The administrator's things that a change of ours makes the kernel drop: which of them are put back, and where. (Node design, What
 * enslaving does to an interface)
 */
import { MAIN_TABLE, OWN_ROUTE_PROTOCOL } from '../conventions.ts';
import { groupBy } from '../grouping.ts';
import { lazy, lazyByObject } from '../lazy.ts';
import { isLasting } from '../node-model/lasting-neighbour.ts';
import { byName } from '../ordering.ts';
import type { Link, NodeSnapshot, Route, RouteKey, Table } from '../snapshot/node-snapshot.ts';
import type { Displaced, DisplacedThing, LedgerEntry } from './ledger.ts';

/**
 * Rtnetlink protocols whose routes somebody else puts back: redirects, router advertisements, routing daemons and OVN-Kubernetes. What the
 * kernel makes again is not lost at all (node-model/cycle.ts).
 * By number, and by the name that rt_protos gives it, since ip prints either (Field facts, Routes and MACs).
 */
const selfRestoringProtocols: ReadonlySet<string> = new Set(
  [
    ['redirect', '1'],
    ['ra', '9'],
    ['zebra', '11'],
    ['babel', '42'],
    ['ovn', '84'],
    ['ovn-kubernetes', 'ovnk', '85'],
    ['bgp', '186'],
    ['isis', '187'],
    ['ospf', '188'],
    ['rip', '189'],
    ['ripng', '190'],
    ['nhrp', '191'],
    ['eigrp', '192'],
    // FRR's other daemons (zebra/rt_netlink.h), whose names in rt_protos may be anybody's: ldp, sharp, pbr, static, openfabric, srte.
    ['193', '194', '195', '196', '197', '198'],
    [OWN_ROUTE_PROTOCOL],
  ].flat(),
);

/** The kernel keeps a route to a prefix that a router advertises, as long as it does (RFC 4861, section 6.3.4). */
function isOfAdvertisedPrefix({ protocol, expiresSeconds }: Route): boolean {
  return protocol === 'kernel' && expiresSeconds !== undefined;
}

/** Whether a thing is put back by us at all: not what others put back themselves, and not what is ours and made anew. */
export function isPutBack(thing: DisplacedThing): boolean {
  switch (thing.type) {
    case 'route':
      return !selfRestoringProtocols.has(thing.route.protocol) && !isOfAdvertisedPrefix(thing.route);
    case 'address':
      // The kernel derives temporary addresses from those that it manages.
      return !thing.address.flags.includes('temporary');
    case 'neighbour':
      // What a daemon learned for the kernel it tells again.
      return thing.neighbour.protocol !== OWN_ROUTE_PROTOCOL && !thing.neighbour.states.includes('extern_learn');
    case 'neighbour-proxy':
      return true;
    case 'next-hop-object':
      return !selfRestoringProtocols.has(thing.object.protocol);
  }
}

/** A text that is the same for two routes exactly if the kernel takes them for the same one. */
export const routeKey = lazyByObject(
  ({ family, table, destination, metric, source = '', typeOfService = '' }: RouteKey) =>
    [family, table, destination, metric, source, typeOfService].join(' '),
);

/** A text that is the same for two lists of next hops exactly if packets go the same ways: the order of the legs means nothing. */
export function nextHopsKey({ nextHops, nextHopObject }: Pick<Route, 'nextHops' | 'nextHopObject'>): string {
  if (nextHopObject !== undefined) return `object ${nextHopObject}`;
  return nextHops
    .map(({ device = '', gateway = '', weight = 1, onlink = false }) => `${device} ${gateway} ${weight} ${onlink}`)
    .sort(byName)
    .join(', ');
}

/** A text that tells a displaced thing from all others. */
export function thingKey(thing: DisplacedThing): string {
  switch (thing.type) {
    case 'address':
      return `address ${thing.device} ${thing.address.address}/${thing.address.prefixLength}`;
    case 'next-hop-object':
      return `next-hop-object ${thing.object.id} ${(thing.object.group ?? []).map(({ id }) => id).join(' ')}`;
    case 'route':
      return `route ${routeKey(thing.route)} ${nextHopsKey(thing.route)}`;
    case 'neighbour':
      return `neighbour ${thing.neighbour.device} ${thing.neighbour.address}`;
    case 'neighbour-proxy':
      return `neighbour-proxy ${thing.proxy.device} ${thing.proxy.address}`;
  }
}

/** Whether an entry tells where something came from that has been put back. */
export function isPlaced(entry: LedgerEntry): entry is Displaced {
  return entry.kind === 'displaced' && entry.state === 'placed';
}

/** The device that a thing is on; of a nexthop group none. */
export function deviceOf(thing: DisplacedThing): string | undefined {
  switch (thing.type) {
    case 'address':
      return thing.device;
    case 'next-hop-object':
      return thing.object.device;
    case 'route':
      return thing.route.nextHops.find(({ device }) => device !== undefined)?.device;
    case 'neighbour':
      return thing.neighbour.device;
    case 'neighbour-proxy':
      return thing.proxy.device;
  }
}

function withTable(thing: DisplacedThing, table: Table): DisplacedThing {
  return thing.type === 'route' ? { ...thing, route: { ...thing.route, table } } : thing;
}

/** A route that leads out of several interfaces is no part of any one's routing domain. */
function leadsOutOfNothingBut(device: string, { nextHops }: Route): boolean {
  return nextHops.every((hop) => hop.device === device);
}

/**
 * Where a thing belongs while the device is in a VRF: its routes of the main table are in the VRF's, everything else is where it was.
 *
 * VRF devices have a device's own routes alone: a VLAN device that is stacked on it stays in the routing domain where it was.
 */
export function placeIn(thing: DisplacedThing, device: string, vrfTable: number | undefined): DisplacedThing {
  if (thing.type !== 'route' || vrfTable === undefined || thing.route.table !== MAIN_TABLE) return thing;
  return leadsOutOfNothingBut(device, thing.route) ? withTable(thing, vrfTable) : thing;
}

/**
 * Where things that are found on a device in a VRF belong outside of it. What we moved goes back to where it was, also to several tables where
 * equal routes of theirs met in the VRF's; what came to the VRF's table since then was meant for wherever the device's routes are, which is
 * the main table.
 *
 * @param known what earlier changes of the device displaced. What awaits being put back and is found is in its place.
 * @returns the places of a thing, at the same cost however much is known
 */
export function originsOn(
  device: string,
  vrfTable: number | undefined,
  known: readonly Displaced[],
): (thing: DisplacedThing) => readonly DisplacedThing[] {
  const tables = lazy(() => {
    const moved = known.flatMap(({ thing }) => (thing.type === 'route' ? [thing] : []));
    return groupBy(moved, (thing) => thingKey(placeIn(thing, device, vrfTable)));
  });
  return (thing) => {
    if (thing.type !== 'route' || vrfTable === undefined || thing.route.table !== vrfTable) return [thing];
    const origins = tables().get(thingKey(thing)) ?? [];
    if (origins.length > 0) return origins.map(({ route }) => withTable(thing, route.table));
    return [leadsOutOfNothingBut(device, thing.route) ? withTable(thing, MAIN_TABLE) : thing];
  };
}

/** The table of the VRF that a device is in; absent where it is in none. */
export function vrfTableOf(device: Link | undefined, linkOf: (name: string) => Link | undefined): number | undefined {
  return device?.master === undefined ? undefined : linkOf(device.master)?.vrfTable;
}

/** Tells what a node has already: a predicate whose questions cost the same however much there is. */
export function presenceIn(node: NodeSnapshot): (thing: DisplacedThing) => boolean {
  const routes = lazy(() => new Set(node.routes.map((route) => thingKey({ type: 'route', route }))));
  const addresses = lazy(
    () =>
      new Set(
        node.links.flatMap(({ name, addresses: ofLink }) =>
          ofLink.map((address) => thingKey({ type: 'address', device: name, address })),
        ),
      ),
  );
  const neighbours = lazy(() => {
    const links = new Map(node.links.map((link) => [link.name, link]));
    return new Set(
      node.neighbours
        .filter((neighbour) => isLasting(neighbour, links.get(neighbour.device)))
        .map((neighbour) => thingKey({ type: 'neighbour', neighbour })),
    );
  });
  const proxies = lazy(
    () => new Set(node.neighbourProxies.map((proxy) => thingKey({ type: 'neighbour-proxy', proxy }))),
  );
  const objects = lazy(
    () => new Set(node.nextHopObjects.map((object) => thingKey({ type: 'next-hop-object', object }))),
  );
  return (thing) => {
    switch (thing.type) {
      case 'address':
        return addresses().has(thingKey(thing));
      case 'next-hop-object':
        return objects().has(thingKey(thing));
      case 'route':
        return routes().has(thingKey(thing));
      case 'neighbour':
        return neighbours().has(thingKey(thing));
      case 'neighbour-proxy':
        return proxies().has(thingKey(thing));
    }
  };
}

/**
 * Whether a thing in its place still has to be known by where it came from: routes in a VRF's table alone, which go back to different
 * tables. Everything else is where it was.
 */
export function hasOrigin(placed: DisplacedThing, vrfTable: number | undefined): boolean {
  return vrfTable !== undefined && placed.type === 'route' && placed.route.table === vrfTable;
}

/** Seconds until a thing ends by itself; absent where it does not. */
export function lifetimeOf(thing: DisplacedThing): number | undefined {
  if (thing.type === 'address') return thing.address.validSeconds;
  return thing.type === 'route' ? thing.route.expiresSeconds : undefined;
}

/** What a ledger's entry about a thing that has to be put back says; when it was taken matters to those alone that end by themselves. */
export function awaiting(device: string, thing: DisplacedThing, { uptimeSeconds }: NodeSnapshot): Displaced {
  const isTimed = uptimeSeconds !== undefined && lifetimeOf(thing) !== undefined;
  return {
    kind: 'displaced',
    device,
    thing,
    state: 'awaiting',
    ...(isTimed && { takenAt: Math.floor(uptimeSeconds) }),
  };
}
