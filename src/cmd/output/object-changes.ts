/**
 * The differences between the plan and the stored cluster objects.
 */
import type { ClusterSnapshot, Condition, Preview } from '../../domain/index.ts';
import { lazyByObjects } from '../../domain/basics/incremental/by-identity.ts';
import { by, distinct } from '../../domain/basics/names/ordering.ts';
import { objectDifference } from '../../domain/objects/differences.ts';
import { type FieldsWrite, objectText } from '../../domain/objects/object-write.ts';
import { stateWrite } from '../../domain/objects/writes.ts';
import { type WrittenKind, writtenKinds } from '../../domain/objects/written-kinds.ts';
import { type PlannedWrite, withStored } from '../../domain/objects/planned-write.ts';
import { plannedWrites } from '../../domain/plan/cluster/planned-writes.ts';

/** A condition that this project writes. */
export interface WrittenCondition {
  /** `Kind/name` or `Kind/namespace/name` */
  readonly object: string;
  readonly condition: Condition;
  /** `+` new, `~` changed, empty if it is stored. */
  readonly mark: '+' | '~' | '';
}

/** A change of an object other than of its conditions. */
export interface ObjectChange {
  readonly mark: '+' | '~' | '-';
  /** `Kind/name` or `Kind/namespace/name` */
  readonly object: string;
  /** The changed part; empty for the whole object. */
  readonly what: string;
}

/** The writes of a preview, with what is stored of their objects. */
const writesOf = lazyByObjects(({ states, cluster }: Preview, before: ClusterSnapshot) => ({
  ...plannedWrites(cluster, before),
  states: states.map((state) => withStored(stateWrite(state), before)),
}));

function conditionsIn({ write, stored }: PlannedWrite<FieldsWrite>): readonly WrittenCondition[] {
  const { conditions } = objectDifference(write, stored);
  return (write.status?.conditions ?? []).map((condition, index) => {
    const difference = conditions[index];
    const mark = difference === 'missing' ? '+' : difference === 'none' ? '' : '~';
    return { object: objectText(write), condition, mark };
  });
}

/** All conditions, by kind and object. */
export function writtenConditions(preview: Preview, before: ClusterSnapshot): readonly WrittenCondition[] {
  const { networks, uplinks, states } = writesOf(preview, before);
  return [
    ...networks.flatMap(conditionsIn).sort(by(({ object, condition }) => `${object} ${condition.type}`)),
    ...[...uplinks, ...states].flatMap(conditionsIn),
  ];
}

/** The changes of an object besides conditions. */
function changesIn({ write, stored }: PlannedWrite): readonly ObjectChange[] {
  const object = objectText(write);
  if (write.verb === 'delete') return [{ mark: '-', object, what: '' }];
  if (write.verb === 'store-claims') return [{ mark: stored === undefined ? '+' : '~', object, what: 'claims of ids' }];
  const kind: WrittenKind = writtenKinds[write.kind];
  const isNew = stored === undefined && kind.isCreated === true;
  // A new object with conditions has only new ones.
  if (isNew) return write.status === undefined ? [{ mark: '+', object, what: '' }] : [];
  const { fields } = objectDifference(write, stored);
  const changed = fields.filter(({ mark }) => mark === '~').map(({ field }) => field);
  return [
    ...fields.filter(({ mark }) => mark !== '~').map(({ mark, field }) => ({ mark, object, what: field })),
    ...(changed.length === 0 ? [] : [{ mark: '~' as const, object, what: distinct(changed).join(', ') }]),
  ];
}

/** All other changes: finalizers of Uplinks, metadata and objects of provided networks, fields of statuses, deletions. */
export function objectChanges(preview: Preview, before: ClusterSnapshot): readonly ObjectChange[] {
  const { provision, services, uplinks, networks, states, deletions } = writesOf(preview, before);
  return [...uplinks, ...provision, ...services, ...networks, ...states, ...deletions].flatMap(changesIn);
}

/** The number of objects to write or delete. */
export function changedObjectCount(preview: Preview, before: ClusterSnapshot): number {
  const changed = [
    ...writtenConditions(preview, before).filter(({ mark }) => mark !== ''),
    ...objectChanges(preview, before),
  ];
  return distinct(changed.map(({ object }) => object)).length;
}

/** Whether there are operations on a captured node or writes. */
export function isAnythingToDo(preview: Preview, before: ClusterSnapshot): boolean {
  const isPending = [...preview.operations.values()].some((operations) => operations.length > 0);
  return isPending || changedObjectCount(preview, before) > 0;
}
