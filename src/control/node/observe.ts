import { byName } from '../../domain/ordering.ts';
import type { DatapathSnapshot } from '../../domain/snapshot/datapath.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import type { InputProblem, Reading } from '../../ports/input-problem.ts';
import type { NorthboundSnapshot } from '../../ports/northbound.ts';
import type { SwitchSnapshot } from '../../ports/switch-database.ts';
import type { Observation } from '../observation.ts';
import type { NodePorts } from './ports.ts';

/** What a node has whose flows and OVN are not read. */
const noDatapath: DatapathSnapshot = { flows: [], fdbEntries: [], noFloodPorts: [], northbound: [] };

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

/** What was read of it, and warnings about what was not. */
interface ObservedDatapath {
  readonly snapshot: DatapathSnapshot;
  readonly warnings: readonly InputProblem[];
}

function northboundOf({
  northbound,
  isNorthboundRead,
  missingNorthboundColumns,
}: DatapathSnapshot): NorthboundSnapshot {
  return {
    northbound,
    ...(isNorthboundRead !== undefined && { isNorthboundRead }),
    ...(missingNorthboundColumns !== undefined && { missingNorthboundColumns }),
  };
}

/**
 * Reads flows and OVN, if they are programmed. While the Northbound database cannot be read the rest of the node is kept right all the same: its rows
 * are assumed to be as they were last, and what has to be changed there fails, and says why.
 */
async function observeDatapath(
  { datapath }: Pick<NodePorts, 'datapath'>,
  switchDatabase: Reading<SwitchSnapshot>,
  last: DatapathSnapshot,
): Promise<Reading<ObservedDatapath>> {
  if (datapath === undefined || !switchDatabase.read)
    return { read: true, value: { snapshot: noDatapath, warnings: [] } };
  const [flows, northbound] = await Promise.all([
    datapath.flowTables.read(switchDatabase.value),
    datapath.northbound.read(),
  ]);
  if (!flows.read) return flows;
  const warnings = northbound.read ? [] : northbound.problems;
  const rows = northbound.read ? northbound.value : { ...northboundOf(last), isNorthboundOutdated: true as const };
  return { read: true, value: { snapshot: { ...flows.value, ...rows }, warnings } };
}

/** What was read of a node. */
export interface ObservedNode {
  readonly node: NodeSnapshot;
  /** About what was not read. */
  readonly warnings: readonly InputProblem[];
}

/**
 * Reads a node. Never rejects; the problems are those of everything that cannot be read.
 *
 * @param last the node as it was read before
 */
export async function observeNode(
  ports: Omit<NodePorts, 'resourceStore'>,
  nodeName: string,
  last: DatapathSnapshot = noDatapath,
): Promise<Reading<ObservedNode>> {
  const [kernel, host, switchDatabase] = await Promise.all([
    ports.kernelSettings.read(),
    ports.hostNetwork.read(),
    ports.switchDatabase.read(),
  ]);
  const datapath = await observeDatapath(ports, switchDatabase, last);
  const ledger = await ports.ledgerStore.read(kernel.read ? kernel.value.bootId : undefined);
  if (!kernel.read || !host.read || !switchDatabase.read || !datapath.read || !ledger.read) {
    const problems = [kernel, host, switchDatabase, datapath, ledger].flatMap((part) =>
      part.read ? [] : part.problems,
    );
    return { read: false, problems };
  }
  const { snapshot, warnings } = datapath.value;
  const node = {
    nodeName,
    ...host.value,
    ...switchDatabase.value,
    ...kernel.value,
    ...snapshot,
    ledger: ledger.value,
  };
  return { read: true, value: { node, warnings } };
}

/**
 * Reads the input of a plan: the node after the cluster, so that a node that is prepared before its objects are created is seen as prepared. Never
 * rejects; the problems are those of everything that cannot be read, or a missing Node object.
 *
 * @param last the node as it was read before
 */
export async function observe(
  ports: NodePorts,
  nodeName: string,
  last: DatapathSnapshot = noDatapath,
): Promise<Reading<Observation>> {
  const cluster = await ports.resourceStore.read();
  const observed = await observeNode(ports, nodeName, last);
  if (!observed.read || !cluster.read) {
    return { read: false, problems: [observed, cluster].flatMap((part) => (part.read ? [] : part.problems)) };
  }
  const { snapshot, warnings } = cluster.value;
  const problem = missingNode(snapshot, nodeName);
  if (problem !== undefined) return { read: false, problems: [problem] };
  const { node } = observed.value;
  return { read: true, value: { cluster: snapshot, warnings: [...warnings, ...observed.value.warnings], node } };
}
