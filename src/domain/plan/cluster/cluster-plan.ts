/** The plan of a cluster. */
import type { DegradedCondition } from '../../status/degraded.ts';
import type { UplinksReadyCondition } from '../../status/uplinks-ready.ts';
import type { Warning } from '../view/warning.ts';
import type { ProvisionPlan } from './provision-plan.ts';

/** The plan of one Uplink. */
export interface UplinkPlan {
  readonly name: string;
  /** All finalizers that it should have, including those of others. */
  readonly finalizers: readonly string[];
  readonly condition: DegradedCondition;
}

/** The plan of one network of a ClusterUserDefinedNetwork, or of one that has uplinks. */
export interface NetworkPlan {
  /** Absent for a ClusterUserDefinedNetwork. */
  readonly namespace?: string;
  readonly name: string;
  readonly condition: UplinksReadyCondition;
}

/** Everything that was decided for the cluster. */
export interface ClusterPlan {
  /** By name. */
  readonly uplinks: readonly UplinkPlan[];
  /** By kind, then by namespace and name. */
  readonly networks: readonly NetworkPlan[];
  /** Names of the UplinkStates to delete, in order. */
  readonly deletions: readonly string[];
  /** Writes for the networks that ovn-uplinks provides; absent if it provides none. */
  readonly provision?: ProvisionPlan;
  readonly warnings: readonly Warning[];
}
