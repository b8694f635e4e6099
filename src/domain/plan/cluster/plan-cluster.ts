/**
 * Decides everything that is about the cluster as a whole: the conditions of Uplinks and networks, finalizers, and which states are obsolete.
 */
import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { ClusterSettings } from '../../snapshot/settings.ts';
import type { ClusterPlan } from './cluster-plan.ts';
import { ClusterPlanner } from './cluster-planner.ts';

const planners = lazyByObject((settings: ClusterSettings) => new ClusterPlanner(settings));

/**
 * Plans the cluster. Costs what differs from the cluster that was planned before with the same settings object; equal entries of both plans are the same
 * objects.
 *
 * @param cluster all objects of the cluster, including the UplinkStates of the nodes
 * @returns the plan. Never throws: an object that is not understood degrades only itself.
 */
export function planCluster(cluster: ClusterSnapshot, settings: ClusterSettings): ClusterPlan {
  return planners(settings).plan(cluster);
}
