/**
 * On which nodes networks are ready that ovn-uplinks provides, as the nodes report it. Most nodes report the same networks as ready, so these are evaluated
 * together: a cluster may have 1,000 networks on 5,000 nodes.
 */
import {
  type NotReady,
  type Readiness,
  readinessIn,
  type ReportedPart,
  redirectionIn,
  storedReport,
  tunnelMtuIn,
} from '../../network/allocation/node-report.ts';
import type { ConfigMap } from '../../api/config-map.ts';
import { by, sortedBy } from '../../basics/names/ordering.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { NotReadyNodes } from '../../status/network-ready.ts';
import { type AffectedNode, MAX_SAMPLE } from '../../status/node-sample.ts';
import type { NetworkReadyReason, ServicesReadyReason } from '../../status/provision-reasons.ts';
import type { UnreachedNode } from '../view/tunnel-endpoints.ts';

type Data = NonNullable<ConfigMap['data']>;

/** A node and what it reports; absent if it does not report. */
interface NodeReadiness {
  readonly node: string;
  readonly readiness?: Readiness;
}

/** Nodes that report the same networks as ready. */
interface ReadinessGroup {
  readonly ready: ReadonlySet<number>;
  /** Why all other networks are not ready on them; absent where nodes have reasons of their own. */
  readonly reason?: string;
  /** By name. */
  readonly nodes: NodeReadiness[];
}

const noIds: ReadonlySet<number> = new Set();

/** The reason where a node says nothing of a network. */
const pending = { rows: 'NetworkPending', services: 'ServicesPending' } as const satisfies Readonly<
  Record<ReportedPart, NetworkReadyReason | ServicesReadyReason>
>;

function reasonOfAll(readiness: Readiness | undefined, part: ReportedPart): string | undefined {
  if (readiness === undefined) return 'NodeNotReporting';
  return readiness.notReady.size === 0 ? pending[part] : undefined;
}

/** A node with the data of its report; absent if it does not report. */
interface ReportingNode {
  readonly node: string;
  readonly data?: Data;
}

function readinessGroups(nodes: readonly ReportingNode[], part: ReportedPart): readonly ReadinessGroup[] {
  const groups = new Map<ReadonlySet<number>, Map<string | undefined, ReadinessGroup>>();
  for (const { node, data } of nodes) {
    const readiness = data && readinessIn(data, part);
    const ready = readiness?.ready ?? noIds;
    const reason = reasonOfAll(readiness, part);
    const alike = groups.get(ready) ?? new Map<string | undefined, ReadinessGroup>();
    groups.set(ready, alike);
    const group = alike.get(reason) ?? { ready, ...(reason !== undefined && { reason }), nodes: [] };
    alike.set(reason, group);
    group.nodes.push({ node, ...(readiness && { readiness }) });
  }
  return [...groups.values()].flatMap((alike) => [...alike.values()]);
}

/** The reports of all nodes, and which nodes the others do not reach. */
export interface NodeReports {
  /** Number of nodes. */
  readonly count: number;
  readonly groups: Readonly<Record<ReportedPart, readonly ReadinessGroup[]>>;
  /** The nodes on which packets of pods pass their locks, with the implementation of the default network that does it, by name. */
  readonly redirected: readonly AffectedNode[];
  /** The nodes that say how many bytes long packets of pods through their tunnels may be, by name. */
  readonly tunnels: readonly { readonly node: string; readonly bytes: number }[];
  /** The least of these lengths; infinite where no node says one. */
  readonly leastTunnel: number;
  /** By name. */
  readonly unreached: ReadonlyMap<string, UnreachedNode>;
}

/**
 * Reads the reports of all nodes.
 *
 * @param namespace of the reports
 */
export function readReports(
  { nodes, configMaps }: Pick<ClusterSnapshot, 'nodes' | 'configMaps'>,
  namespace: string,
  unreached: NodeReports['unreached'],
): NodeReports {
  const reporting = sortedBy(nodes, ({ metadata }) => metadata.name).map((node): ReportingNode => {
    const data = storedReport(node, configMaps, namespace);
    return { node: node.metadata.name, ...(data && { data }) };
  });
  const tunnels = reporting.flatMap(({ node, data }) => {
    const bytes = data && tunnelMtuIn(data);
    return bytes === undefined ? [] : [{ node, bytes }];
  });
  return {
    count: nodes.length,
    groups: { rows: readinessGroups(reporting, 'rows'), services: readinessGroups(reporting, 'services') },
    redirected: reporting.flatMap(({ node, data }) => {
      const reason = data && redirectionIn(data);
      return reason === undefined ? [] : [{ node, reason }];
    }),
    tunnels,
    leastTunnel: tunnels.reduce((least, { bytes }) => Math.min(least, bytes), Infinity),
    unreached,
  };
}

/** The nodes on which a network is active. */
export interface ActiveNodes {
  readonly count: number;
  has(node: string): boolean;
}

/** The active nodes that report a network as ready and that other nodes do not reach. */
function unreachedNodes(
  networkId: number,
  groups: readonly ReadinessGroup[],
  active: ActiveNodes,
  unreached: NodeReports['unreached'],
): NotReadyNodes {
  // A network on one node needs no tunnels.
  if (unreached.size === 0 || active.count < 2) return { count: 0, reasons: [], first: [], explained: [] };
  const nodes = groups
    .filter(({ ready }) => ready.has(networkId))
    .flatMap((group) => group.nodes.filter(({ node }) => active.has(node)))
    .flatMap(({ node }) => {
      const why = unreached.get(node);
      return why === undefined ? [] : [{ node, ...why }];
    })
    .sort(by(({ node }) => node));
  return {
    count: nodes.length,
    reasons: nodes.map(({ reason }) => reason satisfies NetworkReadyReason),
    first: nodes.slice(0, MAX_SAMPLE),
    explained: nodes,
  };
}

/** The active nodes that do not report a part of a network as ready, in parts. */
function notReported(
  networkId: number,
  part: ReportedPart,
  activeNodes: ActiveNodes,
  { count, groups }: NodeReports,
): readonly NotReadyNodes[] {
  const areAllActive = activeNodes.count === count;
  return groups[part]
    .filter(({ ready }) => !ready.has(networkId))
    .map(({ reason, nodes }) => {
      const active = areAllActive ? nodes : nodes.filter(({ node }) => activeNodes.has(node));
      const failureOn = ({ readiness }: NodeReadiness): NotReady =>
        reason === undefined ? (readiness?.notReady.get(networkId) ?? { reason: pending[part] }) : { reason };
      const failures = reason === undefined ? active.map((each) => ({ node: each.node, ...failureOn(each) })) : [];
      return {
        count: active.length,
        reasons: active.length === 0 ? [] : reason === undefined ? failures.map((each) => each.reason) : [reason],
        first: active.slice(0, MAX_SAMPLE).map((each) => ({ node: each.node, reason: failureOn(each).reason })),
        explained: failures.flatMap(({ message, ...each }) => (message === undefined ? [] : [{ ...each, message }])),
      };
    });
}

function joined(parts: readonly NotReadyNodes[]): NotReadyNodes {
  return {
    count: parts.reduce((sum, { count }) => sum + count, 0),
    reasons: parts.flatMap(({ reasons }) => reasons),
    first: parts.flatMap(({ first }) => first).sort(by(({ node }) => node)),
    explained: parts.flatMap(({ explained }) => explained).sort(by(({ node }) => node)),
  };
}

/** The nodes on which a network is active and not ready, and why. */
export function notReadyNodes(networkId: number, activeNodes: ActiveNodes, reports: NodeReports): NotReadyNodes {
  const unreached = unreachedNodes(networkId, reports.groups.rows, activeNodes, reports.unreached);
  return joined([...notReported(networkId, 'rows', activeNodes, reports), unreached]);
}

/** The nodes on which a network is active and its Services are not all served, and why. */
export function notServingNodes(networkId: number, activeNodes: ActiveNodes, reports: NodeReports): NotReadyNodes {
  return joined(notReported(networkId, 'services', activeNodes, reports));
}

/** The active nodes on which packets of pods pass their locks, and by what: the first ones by name, enough for a message. */
export function unlockedNodes(activeNodes: ActiveNodes, { redirected }: NodeReports): readonly AffectedNode[] {
  const found: AffectedNode[] = [];
  for (const each of redirected) {
    if (found.length === MAX_SAMPLE) break;
    if (activeNodes.has(each.node)) found.push(each);
  }
  return found;
}

/**
 * The active nodes whose tunnels are too narrow for packets of a network, with the longest that fits, in bytes: the first ones by name, enough for a message.
 *
 * @param mtu of the network, in bytes
 */
export function narrowNodes(
  mtu: number,
  activeNodes: ActiveNodes,
  { tunnels, leastTunnel }: NodeReports,
): readonly AffectedNode[] {
  // On one node, nothing goes through tunnels.
  if (mtu <= leastTunnel || activeNodes.count < 2) return [];
  const found: AffectedNode[] = [];
  for (const { node, bytes } of tunnels) {
    if (found.length === MAX_SAMPLE) break;
    if (bytes < mtu && activeNodes.has(node)) found.push({ node, reason: String(bytes) });
  }
  return found;
}
