/**
 * A node without what belongs to held networks: that is left as it was, and so has a history.
 */
import { isManagementPortIn } from '../../domain/network/names/numbers.ts';
import type { LedgerEntry, NodePlan, NodeSnapshot, Route } from '../../domain/index.ts';
import { interfacesOn } from '../../domain/plan/retained/held-network.ts';
import { allKinds, type Entity, entityKinds, ownOf } from '../../domain/entities/entity-kinds.ts';
import { isOwnRoute } from '../../domain/entities/kernel/route.ts';
import { requestedChassis } from '../../domain/entities/ovn/northbound-row.ts';
import { vrfSignature } from '../../domain/network/names/vrf-signature.ts';
import { viewCluster } from '../../domain/plan/view/cluster-view.ts';
import { nameOfNetwork } from '../../domain/network/key.ts';
import { ownVrfOf } from '../../domain/network/names/vrf.ts';
import { mappingKeyPairs, ownMappings } from '../../domain/snapshot/bridge-mappings.ts';
import { deviceInSetting } from '../../domain/snapshot/device-settings.ts';
import type { NorthboundRow } from '../../domain/datapath/northbound/row.ts';
import { managementPortName } from '../../domain/network/names/management-port.ts';
import { deviceOfEntry, entriesOf } from '../../domain/snapshot/ledger.ts';
import { viewNode } from '../../domain/snapshot/node-view.ts';
import type { Surroundings } from '../convergence.ts';

/** Names by which held networks are known on a node. */
export interface HeldNames {
  /** Their names for people. */
  readonly networks: ReadonlySet<string>;
  /** Their names in OVN. */
  readonly networkNames: ReadonlySet<string>;
  /** Names in OVN of the provided networks and are held, apart from their uplinks. */
  readonly logicalNetworks: ReadonlySet<string>;
  readonly vrfs: ReadonlySet<string>;
  readonly tables: ReadonlySet<unknown>;
  /** Their interfaces, now and before, and the VLAN devices on them; where one is not known, any by which their bridges are reached. */
  readonly devices: ReadonlySet<string>;
  /** The management ports of those of `logicalNetworks`. */
  readonly ports: ReadonlySet<string>;
  /** The bridges that carry them, and those that they are mapped to. */
  readonly bridges: ReadonlySet<string>;
}

/**
 * The names of the networks that one of some plans holds, on one of some nodes.
 *
 * @param plans each with the node that it was made for
 */
export function heldNames(
  { cluster, settings }: Surroundings,
  plans: readonly (readonly [plan: NodePlan, node: NodeSnapshot])[],
): HeldNames {
  const rows = plans.flatMap(([plan]) =>
    plan.networks
      .filter(({ held }) => held)
      .map((row) => ({ ...row, device: plan.uplinks.find(({ uplink }) => uplink === row.uplink)?.hostInterfaceName })),
  );
  const networks = new Set(rows.map(({ network }) => network));
  const view = viewCluster(cluster, settings);
  const objects = view.networks.filter(({ key }) => networks.has(nameOfNetwork(key)));
  const networkNames = new Set(objects.map(({ networkName }) => networkName));
  const nodes = plans.map(([, node]) => node);
  const logicalNetworks = new Set(
    plans.flatMap(([plan]) =>
      (plan.zones ?? []).flatMap(({ networkName, failure }) => (failure === undefined ? [] : [networkName])),
    ),
  );
  const signatures = new Set([...networkNames, ...logicalNetworks].map(vrfSignature));
  const memberships = nodes.flatMap(({ ledger }) =>
    entriesOf(ledger, 'membership').filter(({ device, table, network }) =>
      (isManagementPortIn(table, device) ? logicalNetworks : networkNames).has(network),
    ),
  );
  const ports = [
    ...nodes.flatMap((node) =>
      ownOf(entityKinds['management-port'], node).flatMap(({ device, network = '' }) =>
        logicalNetworks.has(network) ? [device] : [],
      ),
    ),
    // What is on one whose row another program has deleted.
    ...plans.flatMap(([plan]) =>
      (plan.zones ?? []).flatMap(({ networkId, failure }) =>
        networkId === undefined || failure === undefined ? [] : [managementPortName(networkId)],
      ),
    ),
  ];
  const vrfs = new Set(
    [
      ...rows.map(({ vrf }) => vrf),
      ...objects.map((object) => ownVrfOf(object.key, view.networkId(object))),
      ...nodes.flatMap(({ links }) => links.filter(({ alias = '' }) => signatures.has(alias)).map(({ name }) => name)),
      ...memberships.map(({ vrf }) => vrf),
    ].filter((name) => name !== undefined),
  );
  const tables = new Set<unknown>([
    ...nodes.flatMap(({ links }) =>
      links.filter(({ name }) => vrfs.has(name)).flatMap(({ vrfTable }) => vrfTable ?? []),
    ),
    ...memberships.map(({ table }) => table),
  ]);
  const mappings = nodes.flatMap(({ switchExternalIds }) =>
    [...ownMappings(switchExternalIds)].filter(([name]) => networkNames.has(name)),
  );
  const withoutDevice = new Set(rows.filter(({ device }) => device === undefined).map(({ network }) => network));
  const unknown = new Set(
    objects.filter(({ key }) => withoutDevice.has(nameOfNetwork(key))).map(({ networkName }) => networkName),
  );
  const places = mappings.filter(([name]) => unknown.has(name)).map(([, bridge]) => bridge);
  const own = nodes.flatMap(({ routes }) => routes.filter((route) => tables.has(route.table) && isOwnRoute(route)));
  const devices = new Set(
    [
      ...rows.map(({ device }) => device),
      ...nodes.flatMap((node) => interfacesOn(places, viewNode(node))),
      ...memberships.map(({ device }) => device),
      ...ports,
      ...own.flatMap(({ table, nextHops }) =>
        nextHops
          .map(({ device }) => device)
          .filter((device) => device !== undefined && !isManagementPortIn(table, device)),
      ),
    ].filter((name) => name !== undefined),
  );
  const vlans = nodes.flatMap(({ links }) => links.filter(({ lowerDevice = '' }) => devices.has(lowerDevice)));
  return {
    networks,
    networkNames,
    logicalNetworks,
    vrfs,
    tables,
    devices: new Set([...devices, ...vlans.map(({ name }) => name)]),
    ports: new Set(ports),
    bridges: new Set([...rows.flatMap(({ bridge }) => bridge ?? []), ...mappings.map(([, bridge]) => bridge)]),
  };
}

/**
 * Returns whether a managed entity for all networks of a node is there for some that are held alone: the setting for tunnels to other nodes, where the node
 * has no other provided network, and a chassis that ports of no other network are bound to.
 */
function isForHeldAlone({ logicalNetworks }: HeldNames, { northbound }: NodeSnapshot): (entity: Entity) => boolean {
  const rows = northbound.filter(({ isOfZone }) => isOfZone === true);
  const ofHeld = rows.filter(({ network = '' }) => logicalNetworks.has(network));
  const chassisOf = (some: readonly NorthboundRow[]) => new Set(some.flatMap((row) => requestedChassis(row) ?? []));
  const [bound, boundByOthers] = [chassisOf(ofHeld), chassisOf(rows.filter((row) => !ofHeld.includes(row)))];
  return (entity) =>
    entity.kind === 'remote-chassis'
      ? bound.has(entity.chassis.name) && !boundByOthers.has(entity.chassis.name)
      : ofHeld.length > 0 && ofHeld.length === rows.length;
}

/** The node without the managed entities of held networks and their bridges, and without the ports that ovn-controller makes there. */
function withoutEntitiesOf(names: HeldNames, found: NodeSnapshot): NodeSnapshot {
  const { bridges, networkNames, logicalNetworks } = names;
  const isForHeld = isForHeldAlone(names, found);
  const node = allKinds.reduce((left, kind) => {
    const gone = ownOf(kind, left).filter((entity) => {
      const anchor = kind.anchor(entity);
      if ('bridge' in anchor) return bridges.has(anchor.bridge);
      if ('node' in anchor) return isForHeld(entity);
      if (!('networkName' in anchor)) return false;
      if (anchor.part === 'network') return logicalNetworks.has(anchor.networkName);
      return kind.parts[0] === 'northbound' && networkNames.has(anchor.networkName);
    });
    return gone.length === 0 ? left : kind.take(left, gone);
  }, found);
  return {
    ...node,
    noFloodPorts: node.noFloodPorts.filter(({ bridge }) => !bridges.has(bridge)),
    bridges: node.bridges.map((bridge) =>
      bridges.has(bridge.name)
        ? { ...bridge, ports: bridge.ports.filter(({ externalIds }) => externalIds['ovn-localnet-port'] === undefined) }
        : bridge,
    ),
  };
}

function withoutMappings(ids: NodeSnapshot['switchExternalIds'], { networkNames }: HeldNames) {
  const without = (value: string) =>
    value
      .split(',')
      .filter((entry) => !networkNames.has(entry.split(':')[0] ?? ''))
      .join(',');
  const lists = new Set(mappingKeyPairs(ids).flatMap((pair) => (pair === undefined ? [] : [pair.mappings, pair.own])));
  const entries = Object.entries(ids).map(([key, value]) => {
    const isList = lists.has(key);
    return [key, isList ? without(value) : value] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}

/**
 * The node without what belongs to held networks: VRFs, interfaces and everything on them, tables and the rules that lead there, mapping entries,
 * managed entities of their bridges.
 */
export function withoutHeld(found: NodeSnapshot, names: HeldNames): NodeSnapshot {
  const node = withoutEntitiesOf(names, found);
  const devices = new Set([...names.devices, ...names.vrfs]);
  const isOn = (device: string | undefined) => device !== undefined && devices.has(device);
  const objects = new Set(node.nextHopObjects.filter(({ device }) => isOn(device)).map(({ id }) => id));
  const isOnGroup = ({ group = [] }: NodeSnapshot['nextHopObjects'][number]) => group.some(({ id }) => objects.has(id));
  const gone = new Set([...objects, ...node.nextHopObjects.filter(isOnGroup).map(({ id }) => id)]);
  const isGone = ({ table, nextHops, nextHopObject }: Route) =>
    names.tables.has(table) ||
    nextHops.some(({ device }) => isOn(device)) ||
    (nextHopObject !== undefined && gone.has(nextHopObject));
  const isAbout = (entry: LedgerEntry) =>
    entry.kind === 'fdb-entry' ? names.bridges.has(entry.bridge) : isOn(deviceOfEntry(entry));
  return {
    ...node,
    links: node.links.filter(({ name }) => !isOn(name)),
    routes: node.routes.filter((route) => !isGone(route)),
    nextHopObjects: node.nextHopObjects.filter(({ id }) => !gone.has(id)),
    rules: node.rules.filter(({ table }) => !names.tables.has(table)),
    neighbours: node.neighbours.filter(({ device }) => !isOn(device)),
    neighbourProxies: node.neighbourProxies.filter(({ device }) => !isOn(device)),
    switchExternalIds: withoutMappings(node.switchExternalIds, names),
    sysctls: Object.fromEntries(
      Object.entries(node.sysctls).filter(([name]) => !isOn(deviceInSetting(name)?.replaceAll('/', '.'))),
    ),
    ledger: { ...node.ledger, entries: node.ledger.entries.filter((entry) => !isAbout(entry)) },
  };
}
