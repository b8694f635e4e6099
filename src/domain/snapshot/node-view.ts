/** A node's devices, routes and ports by name, so that a decision about one uplink does not cost more on a larger node. Indexes are built on first use. */
import { foreignMappings } from './bridge-mappings.ts';
import { groupBy } from '../basics/names/grouping.ts';
import { lazyByObject } from '../basics/incremental/by-identity.ts';
import { groupedByName, type NamesOf } from '../basics/incremental/grouped.ts';
import { readKey, type SnapshotIndex } from '../basics/incremental/recorded-reads.ts';
import { distinct, sortedBy, withSortedKeys } from '../basics/names/ordering.ts';
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
  /** The devices that are enslaved to a device. */
  portsOf(master: string): readonly Link[];
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
  /** Whether Open vSwitch has a bridge. */
  hasBridge(name: string): boolean;
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
 * still right. Each is made from that of the part before, so that what is found under other keys than those of what has changed stays the same object.
 */
type ListPart = 'links' | 'routes' | 'neighbours' | 'neighbourProxies';

/** An index of the items of a list by their names. */
function indexOf<Part extends ListPart>(
  part: Part,
  namesOf: NamesOf<NodeSnapshot[Part][number]>,
): SnapshotIndex<Pick<NodeSnapshot, Part>, readonly NodeSnapshot[Part][number][]> {
  const grouped = groupedByName(namesOf);
  return { parts: [part], of: (node) => grouped(node[part]) };
}

const links = {
  byName: indexOf('links', ({ name }) => name),
  byAlternative: indexOf('links', ({ alternativeNames }) => alternativeNames),
  byTable: indexOf('links', ({ vrfTable }) => vrfTable?.toString()),
  byLower: indexOf('links', ({ lowerDevice }) => lowerDevice),
  byMaster: indexOf('links', ({ master }) => master),
  byAddress: indexOf('links', ({ addresses }) => addresses.map(({ address }) => address)),
};
const routes = {
  byDevice: indexOf('routes', ({ nextHops }) => distinct(nextHops.map(({ device = '' }) => device))),
  bySource: indexOf('routes', ({ preferredSource }) => preferredSource),
  byKey: indexOf('routes', routeKey),
};
const neighboursByDevice = indexOf('neighbours', ({ device }) => device);
const proxiesByDevice = indexOf('neighbourProxies', ({ device }) => device);

/** The devices that are stacked on a device. */
export function stackedOn(device: string, node: Pick<NodeSnapshot, 'links'>): readonly Link[] {
  return links.byLower.of(node).get(device) ?? [];
}

const entriesOfDevice = groupedByName(deviceOfEntry);
const entriesByDevice: SnapshotIndex<NodeSnapshot, readonly LedgerEntry[]> = {
  parts: ['ledger'],
  of: ({ ledger }) => entriesOfDevice(ledger.entries),
};
const awaitedObjects = lazyByObject(({ entries }: Ledger) =>
  entries.filter(
    (entry) => entry.kind === 'displaced' && entry.state === 'awaiting' && entry.entity.kind === 'next-hop-object',
  ),
);

const settingsByDevice = lazyByObject((sysctls: NodeSnapshot['sysctls']) =>
  groupBy(Object.keys(sysctls), (name) => deviceInSetting(name) ?? ''),
);
const mappingsByNetwork = lazyByObject((externalIds: NodeSnapshot['switchExternalIds']) =>
  groupBy(foreignMappings(externalIds), ([network]) => network),
);

/** The ports of a bridge: the same objects for the same bridge. */
const portsOfBridge = lazyByObject((bridge: Bridge) => bridge.ports.map((port): PortOnBridge => ({ bridge, port })));
const portsOfBridges = lazyByObject((bridges: NodeSnapshot['bridges']) => bridges.flatMap(portsOfBridge));
/** Names alone, as a bridge is another object with each port of a pod. */
const namesOfBridges = lazyByObject(
  (bridges: NodeSnapshot['bridges']) => new Map(bridges.map(({ name }) => [name, name])),
);
const bridgesByName: SnapshotIndex<NodeSnapshot, string> = {
  parts: ['bridges'],
  of: ({ bridges }) => namesOfBridges(bridges),
};
const portsOfInterface = groupedByName(({ port }: PortOnBridge) => port.interfaces.map(({ name }) => name));
const portsByInterface: SnapshotIndex<NodeSnapshot, readonly PortOnBridge[]> = {
  parts: ['bridges'],
  of: ({ bridges }) => portsOfInterface(portsOfBridges(bridges)),
};
const representorsIn = lazyByObject((ports: NodeSnapshot['devlinkPorts']) =>
  ports.filter(({ flavour }) => representorFlavours.has(flavour)),
);
const representorDevices = lazyByObject(
  (ports: NodeSnapshot['devlinkPorts']) => new Set(representorsIn(ports).map(({ device }) => device)),
);

const none: readonly never[] = [];

/** Routes of one key in an order that does not depend on how they were read: there are several where one was appended (ip-route(8), append). */
function inOrder(alike: readonly Route[]): readonly Route[] {
  return alike.length < 2 ? alike : sortedBy(alike, (route) => JSON.stringify(withSortedKeys(route)));
}

/** A node by name; the same view for the same snapshot. */
export const viewNode = lazyByObject((snapshot: NodeSnapshot): NodeView => {
  const view: NodeView = {
    snapshot,
    link: (name) => readKey(snapshot, links.byName, name)?.at(-1),
    linkAlsoNamed: (name) => readKey(snapshot, links.byAlternative, name)?.at(-1),
    vrfsOf: (table) => readKey(snapshot, links.byTable, `${table}`) ?? none,
    foreignMappings: (networkName) =>
      (mappingsByNetwork(snapshot.switchExternalIds).get(networkName) ?? none).map(([, bridge]) => bridge),
    neighboursOn: (device) => readKey(snapshot, neighboursByDevice, device) ?? none,
    neighbourProxiesOn: (device) => readKey(snapshot, proxiesByDevice, device) ?? none,
    routesLike: (route) => inOrder(readKey(snapshot, routes.byKey, routeKey(route)) ?? none),
    portsOf: (master) => readKey(snapshot, links.byMaster, master) ?? none,
    stackedOn: (device) => readKey(snapshot, links.byLower, device) ?? none,
    routesFrom: (address) => readKey(snapshot, routes.bySource, address) ?? none,
    settingsOf: (device) => settingsByDevice(snapshot.sysctls).get(inSetting(device)) ?? none,
    awaitedNextHopObjects: () => awaitedObjects(snapshot.ledger),
    entriesAbout: (device) => readKey(snapshot, entriesByDevice, device) ?? none,
    bearersOf: (address) => readKey(snapshot, links.byAddress, address) ?? none,
    hasAddress: (address) =>
      view.bearersOf(address).some(({ name, master = name }) => view.link(master)?.kind !== 'vrf'),
    routesOutOf: (device) => readKey(snapshot, routes.byDevice, device) ?? none,
    hasBridge: (name) => readKey(snapshot, bridgesByName, name) !== undefined,
    portsWith: (interfaceName) => readKey(snapshot, portsByInterface, interfaceName) ?? none,
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
