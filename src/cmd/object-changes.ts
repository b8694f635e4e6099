/**
 * The differences between the plan and the stored cluster objects.
 */
import type { ClusterSnapshot, Condition, Preview } from '../domain/index.ts';
import { distinct } from '../domain/ordering.ts';
import {
  conditionDifference,
  differingFields,
  finalizerDifference,
  type StoredCondition,
} from '../domain/status/differences.ts';

/** A condition that this project writes, with its object as `Kind/name`. */
export interface WrittenCondition {
  readonly object: string;
  readonly condition: Condition;
}

/** A change of an object other than of its conditions. */
export interface ObjectDifference {
  readonly mark: '+' | '~' | '-';
  /** `Kind/name` */
  readonly object: string;
  /** The changed part; empty for the whole object. */
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

/** All conditions, by kind and object. */
export function writtenConditions({ states, cluster }: Preview): readonly WrittenCondition[] {
  return [
    ...cluster.networks.map(({ name, condition }) => ({ object: `ClusterUserDefinedNetwork/${name}`, condition })),
    ...cluster.uplinks.map(({ name, condition }) => ({ object: `Uplink/${name}`, condition })),
    ...states.flatMap(({ metadata, status }) =>
      status.conditions.map((condition) => ({ object: `UplinkState/${metadata.name}`, condition })),
    ),
  ];
}

/** How a condition differs from the stored one: `+` new, `~` changed, empty if equal. */
export function changeMark(before: ClusterSnapshot, { object, condition }: WrittenCondition): '+' | '~' | '' {
  switch (conditionDifference(condition, objectIn(before, object)?.status?.conditions ?? [])) {
    case 'missing':
      return '+';
    case 'status-or-reason':
    case 'generation':
    case 'message':
      return '~';
    case 'none':
      return '';
  }
}

function finalizerChanges({ cluster: { uplinks } }: Preview, before: ClusterSnapshot): readonly ObjectDifference[] {
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

function stateChanges({ states }: Preview, before: ClusterSnapshot): readonly ObjectDifference[] {
  const present = new Map(before.uplinkStates.map((state) => [state.metadata.name, state]));
  return states.flatMap((state): readonly ObjectDifference[] => {
    const object = `UplinkState/${state.metadata.name}`;
    const now = present.get(state.metadata.name);
    // A new state has only new conditions.
    const fields = now === undefined ? [] : differingFields(state, now);
    return fields.length === 0 ? [] : [{ mark: '~', object, what: fields.join(', ') }];
  });
}

/** All other changes: finalizers, fields of states, deletions. */
export function objectChanges(preview: Preview, before: ClusterSnapshot): readonly ObjectDifference[] {
  return [
    ...finalizerChanges(preview, before),
    ...stateChanges(preview, before),
    ...preview.cluster.deletions.map((name) => ({ mark: '-' as const, object: `UplinkState/${name}`, what: '' })),
  ];
}

/** The number of objects to write or delete. */
export function changedObjectCount(preview: Preview, before: ClusterSnapshot): number {
  const changed = [
    ...writtenConditions(preview).filter((written) => changeMark(before, written) !== ''),
    ...objectChanges(preview, before),
  ];
  return distinct(changed.map(({ object }) => object)).length;
}

/** Whether there are operations on a captured node or writes. */
export function isAnythingToDo(preview: Preview, before: ClusterSnapshot): boolean {
  const isPending = [...preview.operations.values()].some((operations) => operations.length > 0);
  return isPending || changedObjectCount(preview, before) > 0;
}
