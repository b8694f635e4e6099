/** A node's devices, routes and ports by name, so that a decision about one uplink does not cost more on a larger node. Indexes are built on first use. */
import { foreignMappings } from './bridge-mappings.ts';
import { groupBy } from '../grouping.ts';
import { lazy, lazyByObject } from '../lazy.ts';
import { deviceInSetting, inSetting } from './device-settings.ts';
import { routeKey } from './route-key.ts';
import { deviceOfEntry, type LedgerEntry } from './ledger.ts';
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
  /** The routes that have the key of a route, whoever added them. */
  routesLike(route: RouteKey): readonly Route[];
  /** The devices that have an address. */
  bearersOf(address: string): readonly Link[];
  /** Whether the node has an address outside VRFs: the kernel refuses a source that is only in the table of a VRF. */
  bears(address: string): boolean;
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

/** A node by name; the same view for the same snapshot. */
export const viewNode = lazyByObject((snapshot: NodeSnapshot): NodeView => {
  const links = lazy(() => new Map(snapshot.links.map((link) => [link.name, link])));
  const alternatives = lazy(
    () => new Map(snapshot.links.flatMap((link) => (link.alternativeNames ?? []).map((name) => [name, link] as const))),
  );
  const vrfs = lazy(() => groupBy(snapshot.links, ({ vrfTable = '' }) => `${vrfTable}`));
  const routes = lazy(() => {
    const pairs = snapshot.routes.flatMap((route) =>
      [...new Set(route.nextHops.map(({ device }) => device))].map((device) => ({ device: device ?? '', route })),
    );
    return groupBy(pairs, ({ device }) => device);
  });
  const stacked = lazy(() => groupBy(snapshot.links, ({ lowerDevice = '' }) => lowerDevice));
  const routesBySource = lazy(() => groupBy(snapshot.routes, ({ preferredSource = '' }) => preferredSource));
  const settings = lazy(() => groupBy(Object.keys(snapshot.sysctls), (name) => deviceInSetting(name) ?? ''));
  const entries = lazy(() => groupBy(snapshot.ledger.entries, deviceOfEntry));
  const awaitedObjects = lazy(() =>
    snapshot.ledger.entries.filter(
      (entry) => entry.kind === 'displaced' && entry.state === 'awaiting' && entry.entity.kind === 'next-hop-object',
    ),
  );
  const routesByKey = lazy(() => groupBy(snapshot.routes, routeKey));
  const mappings = lazy(() => groupBy(foreignMappings(snapshot.switchExternalIds), ([network]) => network));
  const neighbours = lazy(() => groupBy(snapshot.neighbours, ({ device }) => device));
  const proxies = lazy(() => groupBy(snapshot.neighbourProxies, ({ device }) => device));
  const bearers = lazy(() => {
    const pairs = snapshot.links.flatMap((link) => link.addresses.map(({ address }) => ({ address, link })));
    return groupBy(pairs, ({ address }) => address);
  });
  const ports = lazy(() => {
    const pairs = snapshot.bridges.flatMap((bridge) =>
      bridge.ports.flatMap((port) => port.interfaces.map(({ name }) => ({ name, bridge, port }))),
    );
    return groupBy(pairs, ({ name }) => name);
  });
  const representors = lazy(() => snapshot.devlinkPorts.filter(({ flavour }) => representorFlavours.has(flavour)));
  const representorDevices = lazy(() => new Set(representors().map(({ device }) => device)));
  const view: NodeView = {
    snapshot,
    link: (name) => links().get(name),
    linkAlsoNamed: (name) => alternatives().get(name),
    vrfsOf: (table) => vrfs().get(`${table}`) ?? [],
    foreignMappings: (networkName) => (mappings().get(networkName) ?? []).map(([, bridge]) => bridge),
    neighboursOn: (device) => neighbours().get(device) ?? [],
    neighbourProxiesOn: (device) => proxies().get(device) ?? [],
    routesLike: (route) => routesByKey().get(routeKey(route)) ?? [],
    stackedOn: (device) => stacked().get(device) ?? [],
    routesFrom: (address) => routesBySource().get(address) ?? [],
    settingsOf: (device) => settings().get(inSetting(device)) ?? [],
    awaitedNextHopObjects: awaitedObjects,
    entriesAbout: (device) => entries().get(device) ?? [],
    bearersOf: (address) => (bearers().get(address) ?? []).map(({ link }) => link),
    bears: (address) => view.bearersOf(address).some(({ name, master = name }) => view.link(master)?.kind !== 'vrf'),
    routesOutOf: (device) => (routes().get(device) ?? []).map(({ route }) => route),
    portsWith: (interfaceName) => ports().get(interfaceName) ?? [],
    hostPortsOf: (interfaceName, macAddress = '') => {
      const portsOf = (name: string) => view.portsWith(name).map((port) => ({ interfaceName: name, ...port }));
      const own = portsOf(interfaceName);
      return own.length > 0 ? own : view.representorsOf(macAddress).flatMap(portsOf);
    },
    isRepresentor: (device) => representorDevices().has(device),
    representorsOf: (macAddress) =>
      representors()
        .filter(({ functionMacAddress }) => functionMacAddress?.toLowerCase() === macAddress)
        .map(({ device }) => device),
  };
  return view;
});
