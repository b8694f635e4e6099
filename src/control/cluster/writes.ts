import type { Condition } from '../../domain/api/condition.ts';
import { groupBy } from '../../domain/basics/names/grouping.ts';
import type { ClusterPlan } from '../../domain/plan/cluster/plan-cluster.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import { conditionDifference, finalizerDifference, type StoredCondition } from '../../domain/status/differences.ts';
import { objectOf } from './named-object.ts';
import { networksIn, ownersOf, type ProvisionWrite, provisionWrites, writtenObject } from './provision-writes.ts';

/** Writes to an object that users create. */
export interface StatusToWrite {
  readonly kind: 'Uplink' | 'ClusterUserDefinedNetwork' | 'UserDefinedNetwork';
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
  /** Absent for a kind whose finalizers are not written together with its status. */
  readonly finalizers?: readonly string[];
  readonly conditions: readonly Condition[];
  /** Present for a network that ovn-uplinks provides. */
  readonly activeNamespaces?: readonly string[];
  /** Present for a network that ovn-uplinks provides. */
  readonly attachedPods?: number;
  /** The conditions in the cluster. */
  readonly stored: readonly StoredCondition[];
  /** Whether only messages of conditions or the number of pods differ. */
  readonly isMessageOnly: boolean;
  /** Objects that are written before, and on which the status depends: it is written only if none of them could be. */
  readonly awaited: readonly string[];
}

/** Pending writes. */
export interface Writes {
  /** In their order. */
  readonly provision: readonly ProvisionWrite[];
  readonly statuses: readonly StatusToWrite[];
  /** Names of UplinkStates. */
  readonly deletions: readonly string[];
}

/** Which fields besides conditions are stored as they should be. */
interface StoredFields {
  readonly isCountStored: boolean;
  readonly areOthersStored: boolean;
}

/** The status of an object, if it differs from the stored one. */
function changedStatus(
  status: Omit<StatusToWrite, 'isMessageOnly'>,
  { isCountStored, areOthersStored }: StoredFields,
): readonly StatusToWrite[] {
  const { conditions, stored } = status;
  const differences = conditions.map((condition) => conditionDifference(condition, stored));
  if (isCountStored && areOthersStored && differences.every((difference) => difference === 'none')) return [];
  const areMessages = differences.every((difference) => difference === 'none' || difference === 'message');
  return [{ ...status, isMessageOnly: areOthersStored && areMessages }];
}

function statusesOfUplinks(plan: ClusterPlan, cluster: ClusterSnapshot): readonly StatusToWrite[] {
  const uplinks = new Map(cluster.uplinks.map((uplink) => [uplink.metadata.name, uplink]));
  return plan.uplinks.flatMap(({ name, finalizers, condition }) => {
    const { metadata, status } = uplinks.get(name) ?? {};
    const { added, removed } = finalizerDifference(finalizers, metadata?.finalizers ?? []);
    const stored = status?.conditions ?? [];
    return changedStatus(
      { kind: 'Uplink', name, finalizers, conditions: [condition], stored, awaited: [] },
      { isCountStored: true, areOthersStored: added.length + removed.length === 0 },
    );
  });
}

/** The objects that are written for each network, and on which its status depends, by its object. */
function awaitedObjects(writes: readonly ProvisionWrite[]) {
  const ids = writes.filter((write) => write.do === 'store-claims' || write.do === 'write-node-id').map(writtenObject);
  const definitions = groupBy(
    writes.flatMap((write) =>
      write.do === 'write-definition'
        ? ownersOf(write.definition).map((owner) => ({ owner, object: writtenObject(write) }))
        : [],
    ),
    ({ owner }) => owner,
  );
  return (network: string, conditions: readonly Condition[]) => [
    ...(conditions.some(({ reason }) => reason === 'NetworkIdMissing' || reason === 'NodeIdMissing') ? ids : []),
    ...(definitions.get(network) ?? []).map(({ object }) => object),
  ];
}

function statusesOfNetworks(
  plan: ClusterPlan,
  cluster: ClusterSnapshot,
  writes: readonly ProvisionWrite[],
): readonly StatusToWrite[] {
  const networks = networksIn(cluster);
  const awaited = awaitedObjects(writes);
  const uplinksReady = new Map(
    plan.networks.map(({ name, condition }) => [objectOf({ kind: 'ClusterUserDefinedNetwork', name }), condition]),
  );
  const provided = new Map((plan.provision?.networks ?? []).map((network) => [objectOf(network), network]));
  return [
    ...[...uplinksReady].flatMap(([object, condition]) => {
      const { metadata: { name } = { name: '' }, status } = networks.get(object) ?? {};
      const stored = status?.conditions ?? [];
      return provided.has(object)
        ? []
        : changedStatus(
            { kind: 'ClusterUserDefinedNetwork', name, conditions: [condition], stored, awaited: [] },
            { isCountStored: true, areOthersStored: true },
          );
    }),
    ...[...provided].flatMap(([object, { kind, namespace, name, uid, activeNamespaces, attachedPods, conditions }]) => {
      const { status } = networks.get(object) ?? {};
      const ofUplinks = uplinksReady.get(object);
      return changedStatus(
        {
          kind,
          ...(namespace !== undefined && { namespace }),
          name,
          ...(uid !== undefined && { uid }),
          conditions: [...conditions, ...(ofUplinks === undefined ? [] : [ofUplinks])],
          activeNamespaces,
          attachedPods,
          stored: status?.conditions ?? [],
          awaited: awaited(object, conditions),
        },
        // Definitions of other implementations do not have all fields, nor do UserDefinedNetworks.
        {
          isCountStored: [undefined, attachedPods].includes(status?.attachedPods),
          areOthersStored:
            status?.activeNamespaces === undefined || activeNamespaces.join() === status.activeNamespaces.join(),
        },
      );
    }),
  ];
}

/**
 * The writes that bring the cluster in line with a plan.
 *
 * @param former the writes for provided networks of the plan before; the same ones again have not had the effect that the plan expects
 */
export function writesOf(plan: ClusterPlan, cluster: ClusterSnapshot, former = ''): Writes {
  const provision = provisionWrites(plan.provision, cluster);
  const effective = textOf(provision) === former ? [] : provision;
  return {
    provision,
    statuses: [...statusesOfUplinks(plan, cluster), ...statusesOfNetworks(plan, cluster, effective)],
    deletions: plan.deletions,
  };
}

/** Writes as text: those of the same text do the same. */
export function textOf(writes: readonly ProvisionWrite[]): string {
  return writes.length === 0 ? '' : JSON.stringify(writes);
}
