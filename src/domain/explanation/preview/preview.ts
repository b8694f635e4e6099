/** A whole cluster once every plan is applied: plans and operations of the nodes, and the states and conditions that follow. */
import type { UplinkState } from '../../api/uplink-state.ts';
import { by } from '../../basics/names/ordering.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { NodeSettings } from '../../snapshot/settings.ts';
import type { UplinkStateObject } from '../../status/uplink-state-object.ts';
import type { NodePlan } from '../../plan/node-plan.ts';
import { nodeStatus } from '../../plan/node-status.ts';
import type { ClusterPlan } from '../../plan/cluster/cluster-plan.ts';
import { planCluster } from '../../plan/cluster/plan-cluster.ts';
import { planNode } from '../../plan/plan-node.ts';
import { type PlannedOperation, plannedOperations } from './planned-operation.ts';

/** Plans of nodes, and the plan of the cluster that follows. */
export interface Preview {
  /** In the order of their names. */
  readonly nodes: readonly NodePlan[];
  /** The operations of each planned node, in order, by node name. */
  readonly operations: ReadonlyMap<string, readonly PlannedOperation[]>;
  /** States that the planned nodes write, by node, then by uplink. */
  readonly states: readonly UplinkStateObject[];
  /** The cluster with those states in place of the previous ones. */
  readonly after: ClusterSnapshot;
  readonly cluster: ClusterPlan;
}

/** The cluster with states replaced, or added, by name. */
export function withStates(cluster: ClusterSnapshot, states: readonly UplinkStateObject[]): ClusterSnapshot {
  const written = new Map<string, UplinkState>(states.map((state) => [state.metadata.name, state]));
  return {
    ...cluster,
    uplinkStates: [...cluster.uplinkStates.filter(({ metadata }) => !written.has(metadata.name)), ...written.values()],
  };
}

/** Plans the nodes whose snapshots are given, and the cluster that follows. Of other nodes, the states are used. */
export function preview(cluster: ClusterSnapshot, nodes: readonly NodeSnapshot[], settings: NodeSettings): Preview {
  const planned = [...nodes]
    .sort(by(({ nodeName }) => nodeName))
    .map((node) => ({ node, plan: planNode(cluster, node, settings) }));
  const plans = planned.map(({ plan }) => plan);
  const states = plans.flatMap((plan) => nodeStatus(plan));
  const after = withStates(cluster, states);
  return {
    nodes: plans,
    operations: new Map(planned.map(({ node, plan }) => [plan.nodeName, plannedOperations(plan, node)])),
    states,
    after,
    cluster: planCluster(after, settings),
  };
}
