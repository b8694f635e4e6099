/**
 * On which nodes networks are ready that ovn-uplinks provides, as the nodes report it. Most nodes report the same networks as ready, so these are looked at
 * together: a cluster may have 1,000 networks on 5,000 nodes.
 */
import { type Readiness, readinessIn, storedReport } from '../allocation/node-report.ts';
import type { Node } from '../api/node.ts';
import { lazyByKey, lazyByObjects } from '../lazy.ts';
import type { ClusterSnapshot } from '../snapshot/cluster-snapshot.ts';
import type { AffectedNode } from '../status/node-sample.ts';
import type { ClusterView } from './cluster-view.ts';

/** A node and what it reports; absent if it does not report. */
interface NodeReadiness {
  readonly node: string;
  readonly readiness?: Readiness;
}

const noIds: ReadonlySet<number> = new Set();

/** The nodes by the set of networks that they report as ready. */
const nodesByReady = lazyByObjects((nodes: readonly Node[], configMaps: ClusterSnapshot['configMaps']) =>
  lazyByKey((namespace: string): ReadonlyMap<ReadonlySet<number>, readonly NodeReadiness[]> => {
    const groups = new Map<ReadonlySet<number>, NodeReadiness[]>();
    for (const node of nodes) {
      const report = storedReport(node, configMaps, namespace);
      const readiness = report && readinessIn(report);
      const ready = readiness?.ready ?? noIds;
      const group = groups.get(ready) ?? [];
      groups.set(ready, group);
      group.push({ node: node.metadata.name, ...(readiness && { readiness }) });
    }
    return groups;
  }),
);

/** The nodes on which a network is active and not ready, and why, in any order. */
export function notReadyNodes(
  networkId: number,
  activeNodes: readonly string[],
  { snapshot, settings }: ClusterView,
): readonly AffectedNode[] {
  const others = [...nodesByReady(snapshot.nodes, snapshot.configMaps)(settings.namespace)]
    .filter(([ready]) => !ready.has(networkId))
    .flatMap(([, nodes]) => nodes);
  if (others.length === 0) return [];
  const active = new Set(activeNodes);
  return others
    .filter(({ node }) => active.has(node))
    .map(({ node, readiness }) => ({
      node,
      reason: readiness === undefined ? 'NodeNotReporting' : (readiness.notReady.get(networkId) ?? 'NetworkPending'),
    }));
}
