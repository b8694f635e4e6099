/**
 * What would be written differently from what stands in the cluster's objects now. When something was written is no difference.
 */
import type { ClusterSnapshot, Condition, Preview, UplinkStateObject } from '../domain/index.ts';
import { by, distinct } from '../domain/ordering.ts';
import { sortedKeys } from './sorted-keys.ts';

/** A condition that this project writes, and the object that it stands in, as `Kind/name`. */
export interface WrittenCondition {
  readonly object: string;
  readonly condition: Condition;
}

/** A change of an object besides its conditions. */
export interface ObjectChange {
  readonly mark: '+' | '~' | '-';
  /** `Kind/name` */
  readonly object: string;
  /** What of it; empty where the whole object goes. */
  readonly what: string;
}

interface WithConditions {
  readonly metadata: { readonly name: string };
  readonly status?: {
    readonly conditions?: readonly { type: string; status: string; reason: string; message?: string }[];
  };
}

function objectIn(cluster: ClusterSnapshot, object: string): WithConditions | undefined {
  const [kind, name] = object.split('/', 2);
  const lists: Readonly<Record<string, readonly WithConditions[]>> = {
    ClusterUserDefinedNetwork: cluster.clusterUserDefinedNetworks,
    Uplink: cluster.uplinks,
    UplinkState: cluster.uplinkStates,
  };
  return lists[kind ?? '']?.find(({ metadata }) => metadata.name === name);
}

/** Every condition that is written, by kind and object. */
export function writtenConditions({ states, cluster }: Preview): readonly WrittenCondition[] {
  return [
    ...cluster.networks.map(({ name, condition }) => ({ object: `ClusterUserDefinedNetwork/${name}`, condition })),
    ...cluster.uplinks.map(({ name, condition }) => ({ object: `Uplink/${name}`, condition })),
    ...states.flatMap(({ metadata, status }) =>
      status.conditions.map((condition) => ({ object: `UplinkState/${metadata.name}`, condition })),
    ),
  ];
}

/** How a condition differs from what stands in the object now: `+` it is new, `~` it says something else, empty where it is the same. */
export function changeMark(before: ClusterSnapshot, { object, condition }: WrittenCondition): '+' | '~' | '' {
  const present = objectIn(before, object)?.status?.conditions?.find(({ type }) => type === condition.type);
  if (present === undefined) return '+';
  const same =
    present.status === condition.status &&
    present.reason === condition.reason &&
    (present.message ?? '') === condition.message;
  return same ? '' : '~';
}

function finalizerChanges({ cluster: { uplinks } }: Preview, before: ClusterSnapshot): readonly ObjectChange[] {
  const present = new Map(before.uplinks.map(({ metadata }) => [metadata.name, metadata.finalizers ?? []]));
  return uplinks.flatMap(({ name, finalizers }) => {
    const now = present.get(name) ?? [];
    const change = (mark: '+' | '-') => (finalizer: string) => ({
      mark,
      object: `Uplink/${name}`,
      what: `finalizer ${finalizer}`,
    });
    return [
      ...finalizers.filter((finalizer) => !now.includes(finalizer)).map(change('+')),
      ...now.filter((finalizer) => !finalizers.includes(finalizer)).map(change('-')),
    ];
  });
}

type Status = Partial<UplinkStateObject['status']>;

/** A field's value, so that values which mean the same are the same text: an empty list is an absent one, and so is an empty message. */
function spelling(status: Status, field: keyof Status): string {
  const value =
    field === 'networks'
      ? [...(status.networks ?? [])].sort(by(({ name }) => name)).map((entry) => ({ message: '', ...entry }))
      : (status[field] ?? []);
  return JSON.stringify(sortedKeys(value));
}

/** Whether everything of one object stands in another, which may hold more: labels of others, say. */
function isPartOf(part: object | undefined, whole: object | undefined): boolean {
  const present: Readonly<Record<string, unknown>> = { ...whole };
  return Object.entries(part ?? {}).every(([key, value]) => JSON.stringify(present[key]) === JSON.stringify(value));
}

/** The fields of a state that change, besides its conditions. */
function changedFields(
  { metadata, status }: UplinkStateObject,
  present: ClusterSnapshot['uplinkStates'][number],
): readonly string[] {
  const owners = present.metadata.ownerReferences ?? [];
  const isOwned = (metadata.ownerReferences ?? []).every((owner) => owners.some((other) => isPartOf(owner, other)));
  const now: Status = (present.status ?? {}) as Status;
  const fields = distinct([...Object.keys(status), ...Object.keys(now)] as (keyof Status)[]);
  return [
    ...(isPartOf(metadata.labels, present.metadata.labels) ? [] : ['labels']),
    ...(isPartOf(metadata.annotations, present.metadata.annotations) ? [] : ['annotations']),
    ...(isOwned ? [] : ['ownerReferences']),
    ...fields.filter((field) => field !== 'conditions' && spelling(status, field) !== spelling(now, field)),
  ];
}

function stateChanges({ states }: Preview, before: ClusterSnapshot): readonly ObjectChange[] {
  const present = new Map(before.uplinkStates.map((state) => [state.metadata.name, state]));
  return states.flatMap((state): readonly ObjectChange[] => {
    const object = `UplinkState/${state.metadata.name}`;
    const now = present.get(state.metadata.name);
    // Of a new state every condition is new, which says it all.
    const fields = now === undefined ? [] : changedFields(state, now);
    return fields.length === 0 ? [] : [{ mark: '~', object, what: fields.join(', ') }];
  });
}

/** Everything besides conditions that would be written differently: finalizers, fields of states, deletions. */
export function objectChanges(preview: Preview, before: ClusterSnapshot): readonly ObjectChange[] {
  return [
    ...finalizerChanges(preview, before),
    ...stateChanges(preview, before),
    ...preview.cluster.deletions.map((name) => ({ mark: '-' as const, object: `UplinkState/${name}`, what: '' })),
  ];
}

/** How many objects would be written or deleted. */
export function changedObjectCount(preview: Preview, before: ClusterSnapshot): number {
  const changed = [
    ...writtenConditions(preview).filter((written) => changeMark(before, written) !== ''),
    ...objectChanges(preview, before),
  ];
  return distinct(changed.map(({ object }) => object)).length;
}

/** Whether anything is left to do: an operation on a captured node, or something to write. */
export function isAnythingToDo(preview: Preview, before: ClusterSnapshot): boolean {
  const isPending = [...preview.operations.values()].some((operations) => operations.length > 0);
  return isPending || changedObjectCount(preview, before) > 0;
}
