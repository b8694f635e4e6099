/**
 * The networks that ovn-uplinks provides on a node, apart from their uplinks: what each needs in the zone of the node in OVN (docs/design/networks.md,
 * "Zones").
 */
import { isReporting, nodeReportName, reportedNetworks, storedReport } from '../allocation/node-report.ts';
import type { Node } from '../api/node.ts';
import { CHASSIS_ID_ANNOTATION, NODE_SUBNETS_ANNOTATION } from '../conventions.ts';
import { entityPrefix } from '../dataplane/zone/names.ts';
import { addressesOnNode, type ZoneNetwork, type ZoneNode } from '../dataplane/zone/node-addresses.ts';
import type { ZoneFailure } from '../dataplane/zone/zone-failure.ts';
import { peerRows, zoneRows } from '../dataplane/zone/zone-rows.ts';
import { conflictWith } from '../entities/conflict.ts';
import { type Entity, foreignAtPlaceOf, kindOf } from '../entities/entity-kinds.ts';
import { remoteChassisEntity } from '../entities/remote-chassis.ts';
import { requestedChassis, zoneRowEntity } from '../entities/zone-row.ts';
import { groupBy } from '../grouping.ts';
import { lastByObject, lazy, lazyByObject, lazyByText } from '../lazy.ts';
import { by, byName } from '../ordering.ts';
import { objectOf, type TenantNetwork } from '../provision/tenant-network.ts';
import { unsupportedPart } from '../provision/unsupported-network.ts';
import { encapsulationAddressesOf, podSubnetsIn } from '../selection/node-network.ts';
import type { Chassis } from '../snapshot/chassis.ts';
import type { NorthboundRow } from '../snapshot/northbound-row.ts';
import type { ClusterView } from './cluster-view.ts';
import type { DesiredEntity } from './node-dataplane.ts';
import type { NodeInput } from './node-input.ts';
import { activeNodesOf, isProvided, tenantNetworks } from './provided-networks.ts';

/** A network that ovn-uplinks provides on the node, apart from its uplink. */
export interface ZoneOnNode {
  /** Its object, as `Kind/name` or `Kind/namespace/name`. */
  readonly object: string;
  /** Its name in OVN. */
  readonly networkName: string;
  /** Absent until it is claimed. */
  readonly networkId?: number;
  /** Subnets of its pods on the node, CIDR; empty where it has none. */
  readonly podSubnets: readonly string[];
  /** Why it is not programmed; absent where it is. */
  readonly failure?: ZoneFailure;
}

/** A network on the node, and the rows that it needs. */
export interface PlannedZone {
  readonly onNode: ZoneOnNode;
  /** Names of the other nodes that it is on. */
  readonly others: readonly string[];
  /** Empty if it is not programmed. */
  readonly desired: readonly DesiredEntity[];
}

/** Another node, as far as networks on this one depend on it. */
interface PeerNode {
  readonly name: string;
  readonly id: number;
  /** Name of its chassis. */
  readonly chassis: string;
  /** The annotation with the subnets of its pods; empty where it has none. */
  readonly subnets: string;
}

/** Number of nodes that are cached: more than a cluster has. */
const CACHED_NODES = 10_000;

/** A peer: the same object as long as nothing changes that rows follow from. */
const peerFor = lazyByText((text: string) => JSON.parse(text) as PeerNode, CACHED_NODES);

function annotation({ metadata }: Node, name: string): string {
  return metadata.annotations?.[name] ?? '';
}

/** The nodes that others can reach, by name: those with an id, that report, and with a chassis that no other node has too. */
const peersIn = lazyByObject((view: ClusterView): ReadonlyMap<string, PeerNode> => {
  const peers = view.nodes.all.flatMap((node) => {
    const { name } = node.metadata;
    const id = view.nodeId(node);
    const chassis = annotation(node, CHASSIS_ID_ANNOTATION);
    // Another program may have published the chassis before the node has removed what it had as a former one of its name.
    if (id === undefined || chassis === '' || !isReporting(node)) return [];
    const peer: PeerNode = { name, id, chassis, subnets: annotation(node, NODE_SUBNETS_ANNOTATION) };
    return [peerFor(JSON.stringify(peer))];
  });
  const byChassis = groupBy(peers, ({ chassis }) => chassis);
  const distinctPeers = peers.filter(({ chassis }) => byChassis.get(chassis)?.length === 1);
  return new Map(distinctPeers.map((peer) => [peer.name, peer]));
});

/** The chassis of the nodes that others can reach, by name of the Node. */
export function reachedChassis({ view }: NodeInput): ReadonlyMap<string, string> {
  return new Map([...peersIn(view)].map(([name, { chassis }]) => [name, chassis]));
}

function desiredRows(rows: readonly NorthboundRow[], networkName: string): readonly DesiredEntity[] {
  const owners = [{ kind: 'zone', name: networkName }] as const;
  return rows.map((row) => ({ entity: zoneRowEntity(row), owners }));
}

/** A network on this node, whatever other nodes there are. */
interface Zone {
  readonly addresses: ReturnType<typeof addressesOnNode>;
  /** The rows that it needs with some peers: the same list as the last time for the same peers. */
  rowsWith(peers: readonly PeerNode[]): readonly DesiredEntity[];
}

/** Number of networks whose rows are cached: more than a node has. */
const CACHED_NETWORKS = 5000;

/** Rows are computed once for the same network and node, and once for each peer: another node costs the rows for that node. */
const zoneFor = lazyByText((text: string): Zone => {
  const [network, node] = JSON.parse(text) as readonly [ZoneNetwork, ZoneNode];
  const addresses = addressesOnNode(network, node);
  const { networkName } = network;
  const own = lazy(() =>
    'exhausted' in addresses ? [] : desiredRows(zoneRows({ network, node, addresses }), networkName),
  );
  const forPeer = lazyByObject((peer: PeerNode): readonly DesiredEntity[] => {
    const there = addressesOnNode(network, { ...peer, allocatedSubnets: podSubnetsIn(peer.subnets, networkName) });
    if ('exhausted' in there) return [];
    return desiredRows(
      peerRows({ network, node }, { node: peer, chassis: peer.chassis, addresses: there }),
      networkName,
    );
  });
  const last = lastByObject<readonly DesiredEntity[]>();
  return {
    addresses,
    rowsWith: (peers) => last(addresses, peers, () => [...own(), ...peers.flatMap(forPeer)]),
  };
}, CACHED_NETWORKS);

/** The networks that ovn-uplinks provides, by their names in OVN. */
function providedIn({ snapshot, settings }: ClusterView): readonly TenantNetwork[] {
  return tenantNetworks(snapshot.clusterUserDefinedNetworks, snapshot.userDefinedNetworks)
    .filter((network) => isProvided(network, settings.providedNetworks) && unsupportedPart(network) === undefined)
    .toSorted(by(({ networkName }) => networkName));
}

/** The first conflict of rows with those of other programs. */
function conflictOf(desired: readonly DesiredEntity[], { node }: NodeInput): ZoneFailure | undefined {
  for (const { entity } of desired) {
    const conflict = conflictWith(entity, foreignAtPlaceOf(entity, node.snapshot), node.snapshot.ledger);
    if (conflict !== undefined) return { cause: 'in-the-way', conflict };
  }
  return undefined;
}

/** The chassis of another node: the same object for the same content. */
const chassisFor = lazyByText((text: string) => JSON.parse(text) as Chassis, CACHED_NODES);

/**
 * The chassis of the other nodes that networks are on, once for all of these networks. One of another program stays as it is: two agents would change it
 * back and forth.
 */
export function wantedChassis(zones: readonly PlannedZone[], { view, node }: NodeInput): readonly DesiredEntity[] {
  const zonesOf = groupBy(
    zones
      .filter(({ onNode }) => onNode.failure === undefined)
      .flatMap(({ onNode, others }) => others.map((name) => ({ name, networkName: onNode.networkName }))),
    ({ name }) => name,
  );
  const peers = peersIn(view);
  return [...zonesOf].sort(by(([name]) => name)).flatMap(([name, ofNode]): readonly DesiredEntity[] => {
    const object = view.nodes.byName.get(name);
    const peer = peers.get(name);
    const addresses = object === undefined ? [] : encapsulationAddressesOf(object);
    if (peer === undefined || addresses.length === 0) return [];
    const chassis: Chassis = { name: peer.chassis, hostname: name, addresses, isRemote: true, node: name };
    const entity = remoteChassisEntity(chassisFor(JSON.stringify(chassis)));
    if (foreignAtPlaceOf(entity, node.snapshot).length > 0) return [];
    return [{ entity, owners: ofNode.map(({ networkName }) => ({ kind: 'zone', name: networkName })) }];
  });
}

/**
 * Whether the node may use the id of a network: it has reported it, and its claim was read after that, as claims and the report are read together
 * (docs/design/networks.md, "Ids").
 */
function isReported(networkId: number, { view: { snapshot, settings }, object }: NodeInput): boolean {
  const report = storedReport(object, snapshot.configMaps, settings.namespace);
  return isReporting(object) && reportedNetworks(report)?.has(networkId) === true;
}

function planZone(network: TenantNetwork, equallyNamed: readonly TenantNetwork[], input: NodeInput): PlannedZone {
  const { view, object: node } = input;
  const { networkName, subnets, joinSubnets, metadata } = network;
  const { name } = node.metadata;
  const networkId = view.claimedNetworkId({ name: networkName, uid: metadata.uid ?? '' });
  const nodeId = view.nodeId(node);
  const others = activeNodesOf(network, view).filter((other) => other !== name);
  const onNode = { object: objectOf(network), networkName, ...(networkId !== undefined && { networkId }) };
  const failed = (failure: ZoneFailure, podSubnets: readonly string[] = []): PlannedZone => ({
    onNode: { ...onNode, podSubnets, failure },
    others,
    desired: [],
  });
  if (networkId === undefined) return failed({ cause: 'no-network-id' });
  if (nodeId === undefined) return failed({ cause: 'no-node-id', node: name });
  if (!isReported(networkId, input)) {
    const report = `ConfigMap/${view.settings.namespace}/${nodeReportName(name)}`;
    return failed({ cause: 'not-reported', networkId, report });
  }
  if (equallyNamed.length > 1) {
    const networks = equallyNamed.map(objectOf).toSorted(byName);
    return failed({ cause: 'equal-names', networks, prefix: entityPrefix(networkName) });
  }
  const allocatedSubnets = podSubnetsIn(annotation(node, NODE_SUBNETS_ANNOTATION), networkName);
  const zone = zoneFor(
    JSON.stringify([
      { networkName, networkId, subnets, joinSubnets } satisfies ZoneNetwork,
      { name, id: nodeId, allocatedSubnets } satisfies ZoneNode,
    ]),
  );
  const { addresses } = zone;
  if ('exhausted' in addresses) return failed({ cause: 'exhausted', node: name, ...addresses });
  const peers = peersIn(view);
  const desired = zone.rowsWith(others.flatMap((other) => peers.get(other) ?? []));
  const { podSubnets } = addresses;
  const conflict = conflictOf(desired, input);
  return conflict === undefined ? { onNode: { ...onNode, podSubnets }, others, desired } : failed(conflict, podSubnets);
}

/** Plans the networks that ovn-uplinks provides on the node, by their names in OVN; none if it does not program OVN. */
export function zonesOnNode(input: NodeInput): readonly PlannedZone[] {
  const { view, object, settings } = input;
  if (settings.providedNetworks === 'none' || !settings.ovn) return [];
  const provided = providedIn(view);
  const byPrefix = groupBy(provided, ({ networkName }) => entityPrefix(networkName));
  return provided
    .filter((network) => activeNodesOf(network, view).includes(object.metadata.name))
    .map((network) => planZone(network, byPrefix.get(entityPrefix(network.networkName)) ?? [], input));
}

/** Whether it is not known on which nodes networks are, since an object that decides that cannot be read. */
function isActivityUnknown({ view, settings }: NodeInput): boolean {
  const kinds = ['pods', 'namespaces', 'networkAttachmentDefinitions'] as const;
  return settings.dynamicNetworks && kinds.some((kind) => view.unreadable(kind).size > 0);
}

/**
 * Returns whether what a network has on the node stays though it is not desired: the network is not programmed now, it cannot be read, its gateway
 * router stays, or the nodes that it is on are not known.
 *
 * @param heldNetworks names in OVN of the networks whose gateway routers stay
 */
function heldZones(
  zones: readonly PlannedZone[],
  heldNetworks: ReadonlySet<string>,
  input: NodeInput,
): (networkName: string) => boolean {
  const { view } = input;
  const known = new Map(zones.map(({ onNode }) => [onNode.networkName, onNode]));
  const unreadable = view.unreadableNetworks;
  const isAnyNodeUnreadable = view.unreadable('nodes').size > 0;
  const ofUnknownActivity = isActivityUnknown(input)
    ? new Set(providedIn(view).map(({ networkName }) => networkName))
    : new Set();
  return (networkName) => {
    if (unreadable.has(networkName) || ofUnknownActivity.has(networkName)) return true;
    const zone = known.get(networkName);
    if (zone === undefined) return heldNetworks.has(networkName);
    return zone.failure !== undefined || isAnyNodeUnreadable;
  };
}

/**
 * Returns whether a managed entity of networks as a whole stays though it is not desired: what a held network has, and the chassis that its ports for
 * other nodes are bound to.
 *
 * @param heldNetworks names in OVN of the networks whose gateway routers stay
 */
export function heldOfZones(
  zones: readonly PlannedZone[],
  heldNetworks: ReadonlySet<string>,
  input: NodeInput,
): (entity: Entity) => boolean {
  const isHeldZone = heldZones(zones, heldNetworks, input);
  const boundChassis = lazy(() => {
    const { northbound } = input.node.snapshot;
    const held = northbound.filter(({ isOfZone, network = '' }) => isOfZone === true && isHeldZone(network));
    return new Set(held.flatMap((row) => requestedChassis(row) ?? []));
  });
  const isRegistered = isReporting(input.object);
  return (entity) => {
    // A node that was registered again has nothing of others, also of networks that are held.
    if (entity.kind === 'remote-chassis') return isRegistered && boundChassis().has(entity.chassis.name);
    const anchor = kindOf<Entity>(entity).anchor(entity);
    return 'zone' in anchor && isHeldZone(anchor.zone);
  };
}
