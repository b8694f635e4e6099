import type { Condition } from '../../domain/api/condition.ts';
import type { ClusterPlan } from '../../domain/plan/plan-cluster.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import { conditionDifference, finalizerDifference, type StoredCondition } from '../../domain/status/differences.ts';

/** What is written to an object that users create. */
export interface StatusToWrite {
  readonly kind: 'Uplink' | 'ClusterUserDefinedNetwork';
  readonly name: string;
  /** Absent for a kind without managed finalizers. */
  readonly finalizers?: readonly string[];
  readonly condition: Condition;
  /** The conditions in the cluster. */
  readonly stored: readonly StoredCondition[];
  /** Whether only the message of the condition differs. */
  readonly isMessageOnly: boolean;
}

/** Pending writes. */
export interface Writes {
  readonly statuses: readonly StatusToWrite[];
  /** Names of UplinkStates. */
  readonly deletions: readonly string[];
}

/** An object as `Kind/name`. */
export function objectOf({ kind, name }: Pick<StatusToWrite, 'kind' | 'name'>): string {
  return `${kind}/${name}`;
}

/** The writes that bring the cluster in line with a plan. */
export function writesOf(plan: ClusterPlan, cluster: ClusterSnapshot): Writes {
  const uplinks = new Map(cluster.uplinks.map((uplink) => [uplink.metadata.name, uplink]));
  const networks = new Map(cluster.clusterUserDefinedNetworks.map((network) => [network.metadata.name, network]));
  const ofUplinks = plan.uplinks.flatMap(({ name, finalizers, condition }): StatusToWrite[] => {
    const { metadata, status } = uplinks.get(name) ?? {};
    const stored = status?.conditions ?? [];
    const difference = conditionDifference(condition, stored);
    const { added, removed } = finalizerDifference(finalizers, metadata?.finalizers ?? []);
    const hasFinalizers = added.length + removed.length === 0;
    if (difference === 'none' && hasFinalizers) return [];
    return [
      { kind: 'Uplink', name, finalizers, condition, stored, isMessageOnly: difference === 'message' && hasFinalizers },
    ];
  });
  const ofNetworks = plan.networks.flatMap(({ name, condition }): StatusToWrite[] => {
    const stored = networks.get(name)?.status?.conditions ?? [];
    const difference = conditionDifference(condition, stored);
    if (difference === 'none') return [];
    return [{ kind: 'ClusterUserDefinedNetwork', name, condition, stored, isMessageOnly: difference === 'message' }];
  });
  return { statuses: [...ofUplinks, ...ofNetworks], deletions: plan.deletions };
}
