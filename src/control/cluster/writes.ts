/** The writes that bring the objects of the cluster in line with a plan: of those that it has, the ones that are not stored. */
import { lazyByObjects } from '../../domain/basics/incremental/by-identity.ts';
import { groupBy } from '../../domain/basics/names/grouping.ts';
import { isNone, isStored, objectDifference, type StoredObject } from '../../domain/objects/differences.ts';
import { type FieldsWrite, objectText } from '../../domain/objects/object-write.ts';
import type { ClusterPlan } from '../../domain/plan/cluster/cluster-plan.ts';
import { plannedWrites, type ProvisionWrite } from '../../domain/plan/cluster/planned-writes.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import type { PlannedWrite } from '../../domain/objects/planned-write.ts';

/** A write of the status of an object that users create, perhaps with its finalizers. */
export interface StatusToWrite extends PlannedWrite<FieldsWrite> {
  /** Whether nothing differs but messages of conditions, and fields that change as often. */
  readonly isMessageOnly: boolean;
  /** Objects that are written before, and on which the status depends: it is written only if none of them was. */
  readonly awaited: readonly string[];
}

/** Pending writes. */
export interface Writes {
  /** In their order. */
  readonly provision: readonly ProvisionWrite[];
  /** Labels of Services, and mirrors of EndpointSlices. */
  readonly services: readonly PlannedWrite[];
  readonly statuses: readonly StatusToWrite[];
  /** Of UplinkStates. */
  readonly deletions: readonly PlannedWrite[];
}

/** The objects that are written before a status that depends on them. */
function awaitedObjects(writes: readonly ProvisionWrite[]) {
  const ids = writes
    .filter(({ write: { verb, kind } }) => verb === 'store-claims' || kind === 'Node')
    .map(({ write }) => objectText(write));
  const needed = groupBy(
    writes.flatMap(({ write, needs }) => needs.map((owner) => ({ owner, object: objectText(write) }))),
    ({ owner }) => owner,
  );
  return (write: FieldsWrite) => [
    ...(write.status?.conditions?.some(({ reason }) => reason === 'NetworkIdMissing' || reason === 'NodeIdMissing')
      ? ids
      : []),
    ...(needed.get(objectText(write)) ?? []).map(({ object }) => object),
  ];
}

const nothing: StoredObject = {};

/** Whether a status is not stored, and whether nothing but messages differs: found once for a write and a stored object. */
const statusDifference = lazyByObjects((write: FieldsWrite, stored: StoredObject) => {
  const difference = objectDifference(write, stored);
  const { conditions, fields } = difference;
  const isMessageOnly =
    fields.every(({ isFrequent }) => isFrequent === true) &&
    conditions.every((each) => each === 'none' || each === 'message');
  return { isStored: isNone(difference), isMessageOnly };
});

/** The status of an object, if it is not stored. */
function statusToWrite(
  { write, stored }: PlannedWrite<FieldsWrite>,
  awaited: (write: FieldsWrite) => readonly string[],
): readonly StatusToWrite[] {
  const { isStored: isDone, isMessageOnly } = statusDifference(write, stored ?? nothing);
  return isDone ? [] : [{ write, stored, isMessageOnly, awaited: awaited(write) }];
}

/**
 * The writes that bring the cluster in line with a plan.
 *
 * @param former the writes for provided networks of the plan before; the same ones again have not had the effect that the plan expects
 */
export function writesOf(plan: ClusterPlan, cluster: ClusterSnapshot, former = ''): Writes {
  const planned = plannedWrites(plan, cluster);
  const provision = planned.provision.filter(({ write, stored }) => write.verb !== 'apply' || !isStored(write, stored));
  const awaited = awaitedObjects(textOf(provision) === former ? [] : provision);
  return {
    provision,
    services: planned.services,
    statuses: [...planned.uplinks, ...planned.networks].flatMap((status) => statusToWrite(status, awaited)),
    deletions: planned.deletions,
  };
}

/** Writes as text: those of the same text do the same. */
export function textOf(writes: readonly ProvisionWrite[]): string {
  return writes.length === 0 ? '' : JSON.stringify(writes.map(({ write }) => write));
}
