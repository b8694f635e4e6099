import { internalIpsOf } from '../../../domain/api/node.ts';
import { byName } from '../../../domain/basics/names/ordering.ts';
import type { PortName } from '../../../domain/entities/entity-kind.ts';
import { devicesWithSettings } from '../../../domain/plan/devices-with-settings.ts';
import type { NodeSnapshot } from '../../../domain/snapshot/node-snapshot.ts';
import type { PacketFilterSnapshot } from '../../../domain/snapshot/datapath.ts';
import type { ClusterSnapshot } from '../../../domain/snapshot/cluster-snapshot.ts';
import { allFields, mapReading } from '../../../ports/readings.ts';
import type { FlowSnapshot } from '../../../ports/node/flow-tables.ts';
import type { HostSnapshot } from '../../../ports/node/host-network.ts';
import type { KernelSnapshot } from '../../../ports/node/kernel-settings.ts';
import type { InputProblem, Reading } from '../../../ports/input-problem.ts';
import type { SwitchSnapshot } from '../../../ports/node/switch-database.ts';
import type { Observation } from '../../observation.ts';
import { everyPart, type NodePart, type NodeParts } from './node-part.ts';
import type { NodePorts } from '../ports.ts';

/** Parts of a snapshot of a node whose flows and OVN are not read. */
const noChassis: NodeParts['southbound'] = { chassis: [], remotePorts: [] };

const noFilters: PacketFilterSnapshot = { filterTables: [], forwardDrops: [] };

const [noFlows, noNorthbound] = [{ flows: [], fdbEntries: [], noFloodPorts: [] }, { northbound: [] }] as const;

/** Maximum number of Node names in a message. */
const LISTED_NAMES = 5;

/** The problem of a missing Node object: under a wrong node name the plan would remove all our configuration. */
function missingNode({ nodes }: ClusterSnapshot, nodeName: string): InputProblem | undefined {
  const names = nodes.map(({ metadata }) => metadata.name);
  if (names.includes(nodeName)) return undefined;
  const first = names.toSorted(byName).slice(0, LISTED_NAMES);
  // Without a count, which would change, and be reported again, with each added or removed node.
  const listed = [...first, ...(names.length > first.length ? ['…'] : [])];
  return {
    origin: { kind: 'object', object: `Node/${nodeName}` },
    message: `does not exist, so nothing is changed on this node; the Nodes are: ${listed.join(', ') || 'none'}; expected the name of this node (--node)`,
  };
}

/** Which interfaces are never enslaved is decided by the addresses of the Node (docs/design/enslaving.md, "Never cut the node off"). */
function missingAddresses({ nodes, uplinks }: ClusterSnapshot, nodeName: string): readonly InputProblem[] {
  const node = nodes.find(({ metadata }) => metadata.name === nodeName);
  if (node === undefined || uplinks.length === 0 || internalIpsOf(node).length > 0) return [];
  return [
    {
      origin: { kind: 'object', object: `Node/${nodeName}` },
      path: 'status.addresses',
      message:
        'expected an InternalIP, found none: an interface that the cluster reaches the node by may be enslaved to a VRF; the kubelet or the cloud controller sets it',
    },
  ];
}

/** A database of OVN as it was read, and warnings about what was not. */
interface ObservedPart<Part extends 'northbound' | 'southbound'> {
  readonly snapshot: NodeParts[Part];
  readonly warnings: readonly InputProblem[];
}

/**
 * Reads OVN. While its Northbound database cannot be read the rest of the node is kept right all the same: its rows are assumed to be as they were last,
 * and what has to be changed there fails, and says why.
 */
async function observeNorthbound(
  { datapath }: Pick<NodePorts, 'datapath'>,
  last: NodeParts['northbound'] = noNorthbound,
): Promise<ObservedPart<'northbound'>> {
  if (datapath === undefined) return { snapshot: noNorthbound, warnings: [] };
  const rows = await datapath.northbound.read();
  if (rows.read) return { snapshot: rows.value, warnings: [] };
  return { snapshot: { ...last, isNorthboundOutdated: true }, warnings: rows.problems };
}

async function observeFlows(
  { datapath }: Pick<NodePorts, 'datapath'>,
  switchDatabase: Reading<SwitchSnapshot>,
): Promise<Reading<FlowSnapshot>> {
  if (datapath === undefined || !switchDatabase.read) return { read: true, value: noFlows };
  return await datapath.flowTables.read(switchDatabase.value);
}

/** Reads chassis. While they cannot be read the same holds for them as for rows. */
async function observeSouthbound(
  { datapath }: Pick<NodePorts, 'datapath'>,
  last: NodeParts['southbound'] = noChassis,
): Promise<ObservedPart<'southbound'>> {
  if (datapath?.southbound === undefined) return { snapshot: noChassis, warnings: [] };
  const chassis = await datapath.southbound.read();
  if (chassis.read) return { snapshot: chassis.value, warnings: [] };
  return { snapshot: { ...last, isSouthboundOutdated: true }, warnings: chassis.problems };
}

/** Reads tables of nftables. While they cannot be read they are assumed to be as they were last. */
async function observeFilters(
  { datapath }: Pick<NodePorts, 'datapath'>,
  last: NodeParts['packetFilters'] = noFilters,
): Promise<{ readonly snapshot: PacketFilterSnapshot; readonly warnings: readonly InputProblem[] }> {
  if (datapath?.packetFilters === undefined) return { snapshot: noFilters, warnings: [] };
  const filters = await datapath.packetFilters.read();
  return filters.read ? { snapshot: filters.value, warnings: [] } : { snapshot: last, warnings: filters.problems };
}

/** Reads the kernel's network, or no more of it than the neighbours. */
async function observeHost(
  { hostNetwork }: Pick<NodePorts, 'hostNetwork'>,
  outdated: ReadonlySet<NodePart>,
  last: HostSnapshot | undefined,
): Promise<Reading<HostSnapshot>> {
  if (last === undefined || outdated.has('hostNetwork')) return await hostNetwork.read();
  if (!outdated.has('neighbours')) return { read: true, value: last };
  return mapReading(await hostNetwork.readNeighbours(), (neighbours) => ({ ...last, ...neighbours }));
}

function isSameSet(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...left].every((each) => right.has(each));
}

/**
 * Reads the ledger, and the settings of the devices that matter: also if no setting has changed but other devices matter than those that were read.
 */
async function observeSettings(
  { kernelSettings, ledgerStore }: Pick<NodePorts, 'kernelSettings' | 'ledgerStore'>,
  cluster: Pick<ClusterSnapshot, 'uplinks'>,
  hostNetwork: Reading<HostSnapshot>,
  outdated: ReadonlySet<NodePart>,
  last: NodeParts | undefined,
) {
  // The ledger is one of this boot, and is known before the devices.
  const known: Reading<KernelSnapshot> =
    last === undefined ? await kernelSettings.read(new Set()) : { read: true, value: last.kernelSettings };
  const ledger = await ledgerStore.read(known.read ? known.value.bootId : undefined);
  const devices =
    hostNetwork.read && ledger.read
      ? devicesWithSettings(cluster, { links: hostNetwork.value.links, ledger: ledger.value })
      : new Set<string>();
  const isOutdated =
    last === undefined || outdated.has('kernelSettings') || !isSameSet(devices, last.devicesWithSettings);
  return { devices, ledger, kernelSettings: isOutdated ? await kernelSettings.read(devices) : known };
}

/** A node as it was read. */
export interface ObservedNode {
  readonly node: NodeSnapshot;
  /** Its parts, without the ledger. */
  readonly parts: NodeParts;
  /** About what was not read. */
  readonly warnings: readonly InputProblem[];
}

/**
 * Reads a node. Never rejects; the problems are those of everything that cannot be read.
 *
 * @param cluster decides which devices the settings are read of
 * @param outdated the parts that are read; the others are as they were
 * @param last the node as it was read before; without it everything is read
 */
export async function observeNode(
  ports: Omit<NodePorts, 'resourceStore'>,
  nodeName: string,
  cluster: Pick<ClusterSnapshot, 'uplinks'>,
  outdated: ReadonlySet<NodePart> = everyPart,
  last?: NodeParts,
): Promise<Reading<ObservedNode>> {
  const of = <Part extends PortName>(part: Part, read: () => Promise<Reading<NodeParts[Part]>>) =>
    last === undefined || outdated.has(part) ? read() : Promise.resolve({ read: true as const, value: last[part] });
  const [hostNetwork, switchDatabase] = await Promise.all([
    observeHost(ports, outdated, last?.hostNetwork),
    of('switchDatabase', () => ports.switchDatabase.read()),
  ]);
  const [flowTables, southbound, packetFilters, northbound] = await Promise.all([
    of('flowTables', () => observeFlows(ports, switchDatabase)),
    last === undefined || outdated.has('southbound') || last.southbound.isSouthboundOutdated === true
      ? observeSouthbound(ports, last?.southbound)
      : { snapshot: last.southbound, warnings: [] },
    last === undefined || outdated.has('packetFilters')
      ? observeFilters(ports, last?.packetFilters)
      : { snapshot: last.packetFilters, warnings: [] },
    last === undefined || outdated.has('northbound') || last.northbound.isNorthboundOutdated === true
      ? observeNorthbound(ports, last?.northbound)
      : { snapshot: last.northbound, warnings: [] },
  ]);
  const { devices, kernelSettings, ledger } = await observeSettings(ports, cluster, hostNetwork, outdated, last);
  const read = allFields({ kernelSettings, hostNetwork, switchDatabase, flowTables, ledger });
  return mapReading(read, ({ ledger: entries, ...rest }) => {
    const parts: NodeParts = {
      ...rest,
      devicesWithSettings: devices,
      northbound: northbound.snapshot,
      southbound: southbound.snapshot,
      packetFilters: packetFilters.snapshot,
    };
    const node: NodeSnapshot = {
      nodeName,
      ...parts.hostNetwork,
      ...parts.switchDatabase,
      ...parts.kernelSettings,
      ...parts.flowTables,
      ...parts.northbound,
      ...parts.southbound,
      ...parts.packetFilters,
      ledger: entries,
    };
    return { node, parts, warnings: [...northbound.warnings, ...southbound.warnings, ...packetFilters.warnings] };
  });
}

/**
 * Reads the input of a plan: the node after the cluster, so that a node that is prepared before its objects are created is seen as prepared. Never
 * rejects; the problems are those of everything that cannot be read, or a missing Node object.
 *
 * @param outdated the parts of the node that are read; the others are as they were
 * @param last the node as it was read before; without it everything is read
 */
export async function observe(
  ports: NodePorts,
  nodeName: string,
  outdated: ReadonlySet<NodePart> = everyPart,
  last?: NodeParts,
): Promise<Reading<Observation & ObservedNode>> {
  const cluster = await ports.resourceStore.read();
  const { uplinks } = cluster.read ? cluster.value.snapshot : { uplinks: [] };
  const observed = await observeNode(ports, nodeName, { uplinks }, outdated, last);
  if (!observed.read || !cluster.read) {
    return { read: false, problems: [observed, cluster].flatMap((part) => (part.read ? [] : part.problems)) };
  }
  const { snapshot, warnings } = cluster.value;
  const problem = missingNode(snapshot, nodeName);
  if (problem !== undefined) return { read: false, problems: [problem] };
  const { value } = observed;
  const all = [...warnings, ...missingAddresses(snapshot, nodeName), ...value.warnings];
  return { read: true, value: { ...value, cluster: snapshot, warnings: all } };
}
