/**
 * The networks that ovn-uplinks provides on a node, apart from their uplinks: what each needs in the zone of the node in OVN (docs/design/networks.md,
 * "Zones").
 */
import { isReporting, nodeReportName, reportedNetworks, storedReport } from '../allocation/node-report.ts';
import { NODE_SUBNETS_ANNOTATION } from '../conventions.ts';
import { entityPrefix } from '../dataplane/zone/names.ts';
import { addressesOnNode, type ZoneNetwork, type ZoneNode } from '../dataplane/zone/node-addresses.ts';
import type { ZoneFailure } from '../dataplane/zone/zone-failure.ts';
import { peerRows, zoneRows } from '../dataplane/zone/zone-rows.ts';
import { conflictWith } from '../entities/conflict.ts';
import { type Entity, foreignAtPlaceOf, kindOf } from '../entities/entity-kinds.ts';
import { enabledInterconnection } from '../entities/interconnection.ts';
import { requestedChassis, zoneRowEntity } from '../entities/zone-row.ts';
import { groupBy } from '../grouping.ts';
import { lastByObject, lazy, lazyByObject, lazyByText } from '../lazy.ts';
import { by, byName } from '../ordering.ts';
import { objectOf, type TenantNetwork } from '../provision/tenant-network.ts';
import { unsupportedPart } from '../provision/unsupported-network.ts';
import { annotationOf, podSubnetsIn } from '../selection/node-network.ts';
import type { NorthboundRow } from '../snapshot/northbound-row.ts';
import type { ClusterView } from './cluster-view.ts';
import type { DesiredEntity } from './node-dataplane.ts';
import type { NodeInput } from './node-input.ts';
import { type PeerNode, peersIn } from './peer-nodes.ts';
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

/** The first conflict of what a network needs with what other programs have: rows, or a setting of Open vSwitch that all networks need. */
function conflictOf(desired: readonly DesiredEntity[], { node }: NodeInput): ZoneFailure | undefined {
  for (const entity of [enabledInterconnection, ...desired.map((each) => each.entity)]) {
    const conflict = conflictWith(entity, foreignAtPlaceOf(entity, node.snapshot), node.snapshot.ledger);
    if (conflict !== undefined) return { cause: 'in-the-way', conflict };
  }
  return undefined;
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
  const allocatedSubnets = podSubnetsIn(annotationOf(node, NODE_SUBNETS_ANNOTATION), networkName);
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
 * Returns whether a managed entity of networks as a whole stays though it is not desired: what a held network has, the chassis that its ports for other
 * nodes are bound to, and the tunnels there.
 *
 * @param heldNetworks names in OVN of the networks whose gateway routers stay
 */
export function heldOfZones(
  zones: readonly PlannedZone[],
  heldNetworks: ReadonlySet<string>,
  input: NodeInput,
): (entity: Entity) => boolean {
  const isHeldZone = heldZones(zones, heldNetworks, input);
  const heldRows = lazy(() => {
    const { northbound } = input.node.snapshot;
    return northbound.filter(({ isOfZone, network = '' }) => isOfZone === true && isHeldZone(network));
  });
  const boundChassis = lazy(() => new Set(heldRows().flatMap((row) => requestedChassis(row) ?? [])));
  const isRegistered = isReporting(input.object);
  const foreignChassis = lazy(
    () => new Set(input.node.snapshot.chassis.flatMap((each) => (each.node === undefined ? [each.name] : []))),
  );
  // A node that was registered again has nothing of others, also of networks that are held.
  const isHeldChassis = (name: string) => isRegistered && boundChassis().has(name);
  return (entity) => {
    if (entity.kind === 'remote-chassis') return isHeldChassis(entity.chassis.name);
    if (entity.kind === 'interconnection') return heldRows().length > 0;
    // A port is released with its chassis.
    const isBound =
      entity.kind !== 'remote-port' || isHeldChassis(entity.chassis) || foreignChassis().has(entity.chassis);
    const anchor = kindOf<Entity>(entity).anchor(entity);
    return isBound && 'zone' in anchor && isHeldZone(anchor.zone);
  };
}
