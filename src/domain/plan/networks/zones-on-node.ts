/**
 * The networks that ovn-uplinks provides on a node, apart from their uplinks: what each needs in the zone of the node in OVN (docs/design/networks.md,
 * "Zones").
 */
import type { Network } from '../../network/network.ts';
import { type UnsupportedPart, unsupportedPart } from '../../network/unsupported.ts';
import { isReporting, nodeReportName, reportedNetworks, storedReport } from '../../network/allocation/node-report.ts';
import { NODE_SUBNETS_ANNOTATION } from '../../basics/conventions.ts';
import { entityPrefix } from '../../network/names/logical-network.ts';
import { addressesOnNode, type ZoneNetwork, type ZoneNode } from '../../dataplane/zone/node-addresses.ts';
import type { ZoneFailure } from '../../dataplane/zone/zone-failure.ts';
import { peerRows, zoneRows } from '../../dataplane/zone/zone-rows.ts';
import { conflictWith } from '../../entities/conflict.ts';
import { foreignAtPlaceOf } from '../../entities/entity-kinds.ts';
import { enabledInterconnection } from '../../entities/interconnection.ts';
import { northboundRowEntity } from '../../entities/northbound-row.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { lastByObject, lazyByObject } from '../../basics/incremental/by-identity.ts';
import { lazyByContent } from '../../basics/incremental/interned.ts';
import { lazy } from '../../basics/incremental/lazy.ts';
import { byName } from '../../basics/names/ordering.ts';
import { keyOfNetwork, type NetworkKey } from '../../network/key.ts';
import { firstUsedTwice, usedByUplink } from '../../network/provision/used-subnets.ts';
import { annotationOf, podSubnetsIn } from '../../selection/node-network.ts';
import type { NorthboundRow } from '../../datapath/northbound/row.ts';
import { clusterSubnets } from '../view/cluster-subnets.ts';
import type { DesiredEntity } from '../node-dataplane.ts';
import { disputedNodeId } from '../view/node-id-disputes.ts';
import type { NodeInput } from '../node-input.ts';
import { type PeerNode, peersIn } from './peer-nodes.ts';
import { vrfOfNetwork } from '../../network/names/vrf.ts';
import { desiredOnHost, obstacleOnHost } from './zones-on-host.ts';
import { providedIn } from '../view/provided-networks.ts';

/** A network that ovn-uplinks provides on the node, apart from its uplink. */
export interface ZoneOnNode {
  /** Its key: its object, as `Kind/name` or `Kind/namespace/name`. */
  readonly object: NetworkKey;
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
  /** Its MTU, in bytes. */
  readonly mtu: number;
  /** Empty if it is not programmed. */
  readonly desired: readonly DesiredEntity[];
}

function desiredRows(rows: readonly NorthboundRow[], network: NetworkKey): readonly DesiredEntity[] {
  const owners = [{ kind: 'network', network, part: 'network' }] as const;
  return rows.map((row) => ({ entity: northboundRowEntity(row), owners }));
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
const zoneFor = lazyByContent(([key, network, node]: readonly [NetworkKey, ZoneNetwork, ZoneNode]): Zone => {
  const addresses = addressesOnNode(network, node);
  const { networkName } = network;
  const own = lazy(() => ('exhausted' in addresses ? [] : desiredRows(zoneRows({ network, node, addresses }), key)));
  const forPeer = lazyByObject((peer: PeerNode): readonly DesiredEntity[] => {
    const there = addressesOnNode(network, { ...peer, allocatedSubnets: podSubnetsIn(peer.subnets, networkName) });
    if ('exhausted' in there) return [];
    return desiredRows(peerRows({ network, node }, { node: peer, chassis: peer.chassis, addresses: there }), key);
  });
  const last = lastByObject<readonly DesiredEntity[]>();
  return {
    addresses,
    rowsWith: (peers) => last(addresses, peers, () => [...own(), ...peers.flatMap(forPeer)]),
  };
}, CACHED_NETWORKS);

/** The first conflict of what a network needs with what other programs have: rows, what is on the host, or a setting of Open vSwitch that all networks need. */
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

/** Networks of which only one can be programmed, by what they have in common. */
interface Rivals {
  readonly byPrefix: ReadonlyMap<string, readonly Network[]>;
  readonly byVrf: ReadonlyMap<string, readonly Network[]>;
}

function objectsOf(networks: readonly Network[]): readonly string[] {
  return networks.map(({ key }) => key).toSorted(byName);
}

function unsupportedZone(network: Network, unsupported: UnsupportedPart): PlannedZone {
  const { networkName } = network;
  const failure: ZoneFailure = { cause: 'unsupported', unsupported };
  return {
    onNode: { object: keyOfNetwork(network), networkName, podSubnets: [], failure },
    others: [],
    mtu: 0,
    desired: [],
  };
}

function planZone(
  network: Network,
  { byPrefix, byVrf }: Rivals,
  uplinkAddresses: UplinkAddresses,
  input: NodeInput,
): PlannedZone {
  const { view, object: node, settings } = input;
  const { networkName, subnets, joinSubnets, mtu = settings.defaultNetworkMtu } = network;
  const { name } = node.metadata;
  const networkId = view.networkId(network);
  const nodeId = view.nodeId(node);
  const others = view.activeNodes(network).filter((other) => other !== name);
  const key = keyOfNetwork(network);
  const onNode = { object: key, networkName, ...(networkId !== undefined && { networkId }) };
  const failed = (failure: ZoneFailure, podSubnets: readonly string[] = []): PlannedZone => ({
    onNode: { ...onNode, podSubnets, failure },
    others,
    mtu,
    desired: [],
  });
  const ofUplinks = network.uplinks.flatMap((uplink) => usedByUplink(uplink, uplinkAddresses(uplink)));
  const usedTwice = firstUsedTwice(network, ofUplinks, clusterSubnets(view.snapshot.nodes, view.settings));
  if (usedTwice !== undefined) return failed({ cause: 'subnets-overlap', usedTwice });
  if (networkId === undefined) return failed({ cause: 'no-network-id' });
  if (nodeId === undefined) {
    const annotated = disputedNodeId(node, view);
    return failed({ cause: 'no-node-id', node: name, ...(annotated && { annotated }) });
  }
  if (!isReported(networkId, input)) {
    const report = `ConfigMap/${view.settings.namespace}/${nodeReportName(name)}`;
    return failed({ cause: 'not-reported', networkId, report });
  }
  const prefix = entityPrefix(networkName);
  const equallyNamed = byPrefix.get(prefix) ?? [];
  if (equallyNamed.length > 1) return failed({ cause: 'equal-names', networks: objectsOf(equallyNamed), prefix });
  const vrf = vrfOfNetwork(network, networkId);
  const ofVrf = byVrf.get(vrf.name) ?? [];
  if (ofVrf.length > 1) return failed({ cause: 'equal-vrfs', networks: objectsOf(ofVrf), vrf: vrf.name });
  const allocatedSubnets = podSubnetsIn(annotationOf(node, NODE_SUBNETS_ANNOTATION), networkName);
  const zone = zoneFor([key, { networkName, networkId, subnets, joinSubnets }, { name, id: nodeId, allocatedSubnets }]);
  const { addresses } = zone;
  if ('exhausted' in addresses) return failed({ cause: 'exhausted', node: name, ...addresses });
  const peers = peersIn(view);
  const { podSubnets } = addresses;
  const onHost = { key, network: { networkName, networkId, subnets }, node: { name }, addresses, mtu, vrf };
  const obstacle = obstacleOnHost(onHost, input.node);
  if (obstacle !== undefined) return failed(obstacle, podSubnets);
  const desired = [
    ...desiredOnHost(onHost, input.node.snapshot),
    ...zone.rowsWith(others.flatMap((other) => peers.get(other) ?? [])),
  ];
  const conflict = conflictOf(desired, input);
  return conflict === undefined
    ? { onNode: { ...onNode, podSubnets }, others, mtu, desired }
    : failed(conflict, podSubnets);
}

/** The addresses of an uplink on the node, CIDR, by its name; none where they are not known. */
type UplinkAddresses = (uplink: string) => readonly string[];

/** Plans the networks that ovn-uplinks has to provide on the node, by their names in OVN; none if it does not program OVN. */
export function zonesOnNode(input: NodeInput, uplinkAddresses: UplinkAddresses): readonly PlannedZone[] {
  const { view, object, settings } = input;
  if (settings.providedNetworks === 'none' || !settings.ovn) return [];
  const provided = providedIn(view.snapshot, view.settings);
  const supported = provided.filter((network) => unsupportedPart(network) === undefined);
  const rivals: Rivals = {
    byPrefix: groupBy(supported, ({ networkName }) => entityPrefix(networkName)),
    byVrf: groupBy(supported, (network) => {
      const id = view.networkId(network);
      // Without an id, it has none.
      return id === undefined ? '' : vrfOfNetwork(network, id).name;
    }),
  };
  return provided
    .filter((network) => view.activeNodes(network).includes(object.metadata.name))
    .map((network) => {
      const unsupported = unsupportedPart(network);
      return unsupported === undefined
        ? planZone(network, rivals, uplinkAddresses, input)
        : unsupportedZone(network, unsupported);
    });
}
