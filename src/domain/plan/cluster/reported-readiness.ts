/**
 * On which nodes networks are ready that ovn-uplinks provides, as the nodes report it. Most nodes report the same networks as ready, so these are evaluated
 * together: a cluster may have 1,000 networks on 5,000 nodes.
 */
import {
  type NotReady,
  type Readiness,
  readinessIn,
  redirectionIn,
  storedReport,
  tunnelMtuIn,
} from '../../network/allocation/node-report.ts';
import type { Node } from '../../api/node.ts';
import { lazyByObject, lazyByObjects } from '../../basics/incremental/by-identity.ts';
import { lazyByKey } from '../../basics/incremental/lazy.ts';
import { by } from '../../basics/names/ordering.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { NotReadyNodes } from '../../status/network-ready.ts';
import { type AffectedNode, MAX_SAMPLE } from '../../status/node-sample.ts';
import type { NetworkReadyReason } from '../../status/provision-reasons.ts';
import type { ClusterView } from '../view/cluster-view.ts';
import { unreachedByOthers } from '../view/tunnel-endpoints.ts';

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

const pending: NotReady = { reason: 'NetworkPending' };

function reasonOfAll(readiness: Readiness | undefined): string | undefined {
  if (readiness === undefined) return 'NodeNotReporting';
  return readiness.notReady.size === 0 ? 'NetworkPending' : undefined;
}

const readinessGroups = lazyByObjects((nodes: readonly Node[], configMaps: ClusterSnapshot['configMaps']) =>
  lazyByKey((namespace: string): readonly ReadinessGroup[] => {
    const groups = new Map<ReadonlySet<number>, Map<string | undefined, ReadinessGroup>>();
    for (const node of [...nodes].sort(by(({ metadata }) => metadata.name))) {
      const report = storedReport(node, configMaps, namespace);
      const readiness = report && readinessIn(report);
      const ready = readiness?.ready ?? noIds;
      const reason = reasonOfAll(readiness);
      const alike = groups.get(ready) ?? new Map<string | undefined, ReadinessGroup>();
      groups.set(ready, alike);
      const group = alike.get(reason) ?? { ready, ...(reason !== undefined && { reason }), nodes: [] };
      alike.set(reason, group);
      group.nodes.push({ node: node.metadata.name, ...(readiness && { readiness }) });
    }
    return [...groups.values()].flatMap((alike) => [...alike.values()]);
  }),
);

/** The nodes that report that packets of pods pass their locks, with the implementation of the default network that does it, by name. */
const redirectedNodes = lazyByObjects((nodes: readonly Node[], configMaps: ClusterSnapshot['configMaps']) =>
  lazyByKey((namespace: string): readonly AffectedNode[] =>
    nodes
      .flatMap((node) => {
        const report = storedReport(node, configMaps, namespace);
        const reason = report && redirectionIn(report);
        return reason === undefined ? [] : [{ node: node.metadata.name, reason }];
      })
      .sort(by(({ node }) => node)),
  ),
);

/** The nodes that report how long packets of pods through their tunnels may be, by name, and the least of these lengths. */
const nodesWithTunnels = lazyByObjects((nodes: readonly Node[], configMaps: ClusterSnapshot['configMaps']) =>
  lazyByKey((namespace: string) => {
    const found = nodes
      .flatMap((node) => {
        const report = storedReport(node, configMaps, namespace);
        const bytes = report && tunnelMtuIn(report);
        return bytes === undefined ? [] : [{ node: node.metadata.name, bytes }];
      })
      .sort(by(({ node }) => node));
    return { nodes: found, least: found.reduce((least, { bytes }) => Math.min(least, bytes), Infinity) };
  }),
);

const setOf = lazyByObject((names: readonly string[]): ReadonlySet<string> => new Set(names));

/** The active nodes that report a network as ready and that other nodes do not reach. */
function unreachedNodes(
  networkId: number,
  groups: readonly ReadinessGroup[],
  active: ReadonlySet<string>,
  view: ClusterView,
): NotReadyNodes {
  const unreached = unreachedByOthers(view);
  // A network on one node needs no tunnels.
  if (unreached.size === 0 || active.size < 2) return { count: 0, reasons: [], first: [], explained: [] };
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

/** The nodes on which a network is active and not ready, and why. */
export function notReadyNodes(networkId: number, activeNodes: readonly string[], view: ClusterView): NotReadyNodes {
  const { snapshot, settings } = view;
  const groups = readinessGroups(snapshot.nodes, snapshot.configMaps)(settings.namespace);
  const areAllActive = activeNodes.length === snapshot.nodes.length;
  const notReported = groups
    .filter(({ ready }) => !ready.has(networkId))
    .map(({ reason, nodes }) => {
      const active = areAllActive ? nodes : nodes.filter(({ node }) => setOf(activeNodes).has(node));
      const failureOn = ({ readiness }: NodeReadiness): NotReady =>
        reason === undefined ? (readiness?.notReady.get(networkId) ?? pending) : { reason };
      const failures = reason === undefined ? active.map((each) => ({ node: each.node, ...failureOn(each) })) : [];
      return {
        count: active.length,
        reasons: active.length === 0 ? [] : reason === undefined ? failures.map((each) => each.reason) : [reason],
        first: active.slice(0, MAX_SAMPLE).map((each) => ({ node: each.node, reason: failureOn(each).reason })),
        explained: failures.flatMap(({ message, ...each }) => (message === undefined ? [] : [{ ...each, message }])),
      };
    });
  const parts = [...notReported, unreachedNodes(networkId, groups, setOf(activeNodes), view)];
  return {
    count: parts.reduce((sum, { count }) => sum + count, 0),
    reasons: parts.flatMap(({ reasons }) => reasons),
    first: parts.flatMap(({ first }) => first).sort(by(({ node }) => node)),
    explained: parts.flatMap(({ explained }) => explained).sort(by(({ node }) => node)),
  };
}

/** The active nodes on which packets of pods pass their locks, and by what: the first ones by name, enough for a message. */
export function unlockedNodes(
  activeNodes: readonly string[],
  { snapshot, settings }: ClusterView,
): readonly AffectedNode[] {
  const active = setOf(activeNodes);
  const found: AffectedNode[] = [];
  for (const each of redirectedNodes(snapshot.nodes, snapshot.configMaps)(settings.namespace)) {
    if (found.length === MAX_SAMPLE) break;
    if (active.has(each.node)) found.push(each);
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
  activeNodes: readonly string[],
  { snapshot, settings }: ClusterView,
): readonly AffectedNode[] {
  const { nodes, least } = nodesWithTunnels(snapshot.nodes, snapshot.configMaps)(settings.namespace);
  // On one node, nothing goes through tunnels.
  if (mtu <= least || activeNodes.length < 2) return [];
  const active = setOf(activeNodes);
  const found: AffectedNode[] = [];
  for (const { node, bytes } of nodes) {
    if (found.length === MAX_SAMPLE) break;
    if (bytes < mtu && active.has(node)) found.push({ node, reason: String(bytes) });
  }
  return found;
}
