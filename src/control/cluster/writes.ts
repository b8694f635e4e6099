import type { Condition } from '../../domain/api/condition.ts';
import { distinct } from '../../domain/ordering.ts';
import type { ClusterPlan } from '../../domain/plan/plan-cluster.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';

/** What is to be said of an object that people write. */
export interface StatusToWrite {
  readonly kind: 'Uplink' | 'ClusterUserDefinedNetwork';
  readonly name: string;
  /** Absent where the kind has none of ours. */
  readonly finalizers?: readonly string[];
  readonly condition: Condition;
  /** The conditions that stand there. */
  readonly before: readonly StoredBefore[];
}

/** A condition as it stands in an object. */
export interface StoredBefore {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message?: string | undefined;
  readonly lastTransitionTime?: string | undefined;
}

/** Everything that is to be written. */
export interface Writes {
  readonly statuses: readonly StatusToWrite[];
  /** Names of UplinkStates. */
  readonly deletions: readonly string[];
}

function isSaid({ condition, before }: StatusToWrite): boolean {
  return before.some(
    ({ type, status, reason, message = '' }) =>
      type === condition.type &&
      status === condition.status &&
      reason === condition.reason &&
      message === condition.message,
  );
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return JSON.stringify(distinct(left)) === JSON.stringify(distinct(right));
}

/** What of a plan does not stand in the cluster yet. */
export function writesOf(plan: ClusterPlan, cluster: ClusterSnapshot): Writes {
  const uplinks = new Map(cluster.uplinks.map((uplink) => [uplink.metadata.name, uplink]));
  const networks = new Map(cluster.clusterUserDefinedNetworks.map((network) => [network.metadata.name, network]));
  const ofUplinks = plan.uplinks.flatMap(({ name, finalizers, condition }): StatusToWrite[] => {
    const { metadata, status } = uplinks.get(name) ?? {};
    const write = { kind: 'Uplink', name, finalizers, condition, before: status?.conditions ?? [] } as const;
    return isSaid(write) && isSame(finalizers, metadata?.finalizers ?? []) ? [] : [write];
  });
  const ofNetworks = plan.networks.flatMap(({ name, condition }): StatusToWrite[] => {
    const before = networks.get(name)?.status?.conditions ?? [];
    const write = { kind: 'ClusterUserDefinedNetwork', name, condition, before } as const;
    return isSaid(write) ? [] : [write];
  });
  return { statuses: [...ofUplinks, ...ofNetworks], deletions: plan.deletions };
}
