/**
 * What would be written differently from what is stored in the cluster's objects now.
 */
import type { ClusterSnapshot, Condition, Preview } from '../domain/index.ts';
import { distinct } from '../domain/ordering.ts';
import {
  conditionDifference,
  differingFields,
  finalizerDifference,
  type StoredCondition,
} from '../domain/status/differences.ts';

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
  readonly status?: { readonly conditions?: readonly StoredCondition[] };
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

/** How a condition differs from the stored one: `+` it is new, `~` it changes, empty where it is the same. */
export function changeMark(before: ClusterSnapshot, { object, condition }: WrittenCondition): '+' | '~' | '' {
  const difference = conditionDifference(condition, objectIn(before, object)?.status?.conditions ?? []);
  if (difference === 'missing') return '+';
  return difference === 'none' ? '' : '~';
}

function finalizerChanges({ cluster: { uplinks } }: Preview, before: ClusterSnapshot): readonly ObjectChange[] {
  const stored = new Map(before.uplinks.map(({ metadata }) => [metadata.name, metadata.finalizers ?? []]));
  return uplinks.flatMap(({ name, finalizers }) => {
    const { added, removed } = finalizerDifference(finalizers, stored.get(name) ?? []);
    const change = (mark: '+' | '-') => (finalizer: string) => ({
      mark,
      object: `Uplink/${name}`,
      what: `finalizer ${finalizer}`,
    });
    return [...added.map(change('+')), ...removed.map(change('-'))];
  });
}

function stateChanges({ states }: Preview, before: ClusterSnapshot): readonly ObjectChange[] {
  const present = new Map(before.uplinkStates.map((state) => [state.metadata.name, state]));
  return states.flatMap((state): readonly ObjectChange[] => {
    const object = `UplinkState/${state.metadata.name}`;
    const now = present.get(state.metadata.name);
    // Of a new state every condition is new, which says it all.
    const fields = now === undefined ? [] : differingFields(state, now);
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
