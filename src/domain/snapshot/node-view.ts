/** A node's devices, routes and ports by name, so that a decision about one uplink does not cost more on a larger node. Indexes are built on first use. */
import { foreignMappings } from './bridge-mappings.ts';
import { groupBy } from '../basics/names/grouping.ts';
import { lazyByObject } from '../basics/incremental/by-identity.ts';
import { deviceInSetting, inSetting } from './device-settings.ts';
import { routeKey } from './route-key.ts';
import { deviceOfEntry, type Ledger, type LedgerEntry } from './ledger.ts';
import type {
  Bridge,
  Link,
  Neighbour,
  NeighbourProxy,
  NodeSnapshot,
  Route,
  RouteKey,
  SwitchPort,
} from './node-snapshot.ts';

/** A port and the bridge that it is on. */
export interface PortOnBridge {
  readonly bridge: Bridge;
  readonly port: SwitchPort;
}

/** A port that leads to an interface of the host. */
export interface PortToHost extends PortOnBridge {
  /** The interface of the port: that of the host itself, or its representor. */
  readonly interfaceName: string;
}

/** A node, by name. */
export interface NodeView {
  readonly snapshot: NodeSnapshot;
  link(name: string): Link | undefined;
  /** The device that has the name among its alternative ones. */
  linkAlsoNamed(name: string): Link | undefined;
  /** The VRFs of a table. */
  vrfsOf(table: number): readonly Link[];
  /** The routes that have a next hop out of a device. */
  routesOutOf(device: string): readonly Route[];
  /** The devices that are stacked on a device, such as its VLAN devices. */
  stackedOn(device: string): readonly Link[];
  /** The routes with an address as preferred source. */
  routesFrom(address: string): readonly Route[];
  /** Names of the kernel settings of a device, or of `all` or `default`. */
  settingsOf(device: string): readonly string[];
  /** The ledger's entries about a device, or about what is on it. */
  entriesAbout(device: string): readonly LedgerEntry[];
  /** The ledger's entries about next hop objects that have to be restored: a group may have members on many devices. */
  awaitedNextHopObjects(): readonly LedgerEntry[];
  /** The routes that have the key of a route, including those of other programs. */
  routesLike(route: RouteKey): readonly Route[];
  /** The devices that have an address. */
  bearersOf(address: string): readonly Link[];
  /** Whether the node has an address outside VRFs: the kernel refuses a source that is only in the table of a VRF. */
  hasAddress(address: string): boolean;
  /** The neighbours on a device. */
  neighboursOn(device: string): readonly Neighbour[];
  /** The neighbours that a device answers for. */
  neighbourProxiesOn(device: string): readonly NeighbourProxy[];
  /** The bridges in unmanaged mapping entries of a network, by its name in OVN. */
  foreignMappings(networkName: string): readonly string[];
  /** The ports with an interface of this name; several if Open vSwitch has several rows for it. */
  portsWith(interfaceName: string): readonly PortOnBridge[];
  /** The ports that lead to an interface of the host: those with the interface, or if there are none (SmartNIC), those with its representors. */
  hostPortsOf(interfaceName: string, macAddress?: string): readonly PortToHost[];
  /** Whether a device is a representor of a function of the host, which cannot be a physical port. */
  isRepresentor(device: string): boolean;
  /** The representors of the functions that have a MAC address. */
  representorsOf(macAddress: string): readonly string[];
}

/** Devlink flavours of representors (devlink-port(8)). */
const representorFlavours: ReadonlySet<string> = new Set(['pcipf', 'pcivf', 'pcisf']);

/*
 * The indexes are kept for the parts of a snapshot that they are built from: where only neighbours were read again, those of links and routes are
 * still right.
 */
const linksByName = lazyByObject(
  (links: NodeSnapshot['links']) => new Map(links.map((link) => [link.name, link] as const)),
);
const linksByAlternative = lazyByObject(
  (links: NodeSnapshot['links']) =>
    new Map(links.flatMap((link) => (link.alternativeNames ?? []).map((name) => [name, link] as const))),
);
const linksByTable = lazyByObject((links: NodeSnapshot['links']) =>
  groupBy(links, ({ vrfTable = '' }) => `${vrfTable}`),
);
const linksByLower = lazyByObject((links: NodeSnapshot['links']) =>
  groupBy(links, ({ lowerDevice = '' }) => lowerDevice),
);
const linksByAddress = lazyByObject((links: NodeSnapshot['links']) => {
  const pairs = links.flatMap((link) => link.addresses.map(({ address }) => ({ address, link })));
  return groupBy(pairs, ({ address }) => address);
});

/** The devices of a list that are stacked on a device. */
export function stackedOn(device: string, links: NodeSnapshot['links']): readonly Link[] {
  return linksByLower(links).get(device) ?? [];
}

const routesByDevice = lazyByObject((routes: NodeSnapshot['routes']) => {
  const pairs = routes.flatMap((route) =>
    [...new Set(route.nextHops.map(({ device }) => device))].map((device) => ({ device: device ?? '', route })),
  );
  return groupBy(pairs, ({ device }) => device);
});
const routesBySource = lazyByObject((routes: NodeSnapshot['routes']) =>
  groupBy(routes, ({ preferredSource = '' }) => preferredSource),
);
const routesByKey = lazyByObject((routes: NodeSnapshot['routes']) => groupBy(routes, routeKey));
const settingsByDevice = lazyByObject((sysctls: NodeSnapshot['sysctls']) =>
  groupBy(Object.keys(sysctls), (name) => deviceInSetting(name) ?? ''),
);
const entriesByDevice = lazyByObject(({ entries }: Ledger) => groupBy(entries, deviceOfEntry));
const awaitedObjects = lazyByObject(({ entries }: Ledger) =>
  entries.filter(
    (entry) => entry.kind === 'displaced' && entry.state === 'awaiting' && entry.entity.kind === 'next-hop-object',
  ),
);
const mappingsByNetwork = lazyByObject((externalIds: NodeSnapshot['switchExternalIds']) =>
  groupBy(foreignMappings(externalIds), ([network]) => network),
);
const neighboursByDevice = lazyByObject((neighbours: NodeSnapshot['neighbours']) =>
  groupBy(neighbours, ({ device }) => device),
);
const proxiesByDevice = lazyByObject((proxies: NodeSnapshot['neighbourProxies']) =>
  groupBy(proxies, ({ device }) => device),
);
const portsByInterface = lazyByObject((bridges: NodeSnapshot['bridges']) => {
  const pairs = bridges.flatMap((bridge) =>
    bridge.ports.flatMap((port) => port.interfaces.map(({ name }) => ({ name, bridge, port }))),
  );
  return groupBy(pairs, ({ name }) => name);
});
const representorsIn = lazyByObject((ports: NodeSnapshot['devlinkPorts']) =>
  ports.filter(({ flavour }) => representorFlavours.has(flavour)),
);
const representorDevices = lazyByObject(
  (ports: NodeSnapshot['devlinkPorts']) => new Set(representorsIn(ports).map(({ device }) => device)),
);

/** A node by name; the same view for the same snapshot. */
export const viewNode = lazyByObject((snapshot: NodeSnapshot): NodeView => {
  const view: NodeView = {
    snapshot,
    link: (name) => linksByName(snapshot.links).get(name),
    linkAlsoNamed: (name) => linksByAlternative(snapshot.links).get(name),
    vrfsOf: (table) => linksByTable(snapshot.links).get(`${table}`) ?? [],
    foreignMappings: (networkName) =>
      (mappingsByNetwork(snapshot.switchExternalIds).get(networkName) ?? []).map(([, bridge]) => bridge),
    neighboursOn: (device) => neighboursByDevice(snapshot.neighbours).get(device) ?? [],
    neighbourProxiesOn: (device) => proxiesByDevice(snapshot.neighbourProxies).get(device) ?? [],
    routesLike: (route) => routesByKey(snapshot.routes).get(routeKey(route)) ?? [],
    stackedOn: (device) => stackedOn(device, snapshot.links),
    routesFrom: (address) => routesBySource(snapshot.routes).get(address) ?? [],
    settingsOf: (device) => settingsByDevice(snapshot.sysctls).get(inSetting(device)) ?? [],
    awaitedNextHopObjects: () => awaitedObjects(snapshot.ledger),
    entriesAbout: (device) => entriesByDevice(snapshot.ledger).get(device) ?? [],
    bearersOf: (address) => (linksByAddress(snapshot.links).get(address) ?? []).map(({ link }) => link),
    hasAddress: (address) =>
      view.bearersOf(address).some(({ name, master = name }) => view.link(master)?.kind !== 'vrf'),
    routesOutOf: (device) => (routesByDevice(snapshot.routes).get(device) ?? []).map(({ route }) => route),
    portsWith: (interfaceName) => portsByInterface(snapshot.bridges).get(interfaceName) ?? [],
    hostPortsOf: (interfaceName, macAddress = '') => {
      const portsOf = (name: string) => view.portsWith(name).map((port) => ({ interfaceName: name, ...port }));
      const own = portsOf(interfaceName);
      return own.length > 0 ? own : view.representorsOf(macAddress).flatMap(portsOf);
    },
    isRepresentor: (device) => representorDevices(snapshot.devlinkPorts).has(device),
    representorsOf: (macAddress) =>
      representorsIn(snapshot.devlinkPorts)
        .filter(({ functionMacAddress }) => functionMacAddress?.toLowerCase() === macAddress)
        .map(({ device }) => device),
  };
  return view;
});
