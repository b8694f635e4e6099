/**
 * How does a stored status differ from the one to write?
 *
 * Status is written by server-side apply (docs/design/api-decisions.md, "Objects"): what others have added to an object stays when it is
 * written, so it is not a difference. Neither is the time of a transition.
 */
import type { Condition } from '../api/condition.ts';
import type { UplinkState } from '../api/uplink-state.ts';
import { by, canonical, distinct } from '../basics/names/ordering.ts';
import { isPartOf } from './part-of.ts';
import type { UplinkStateObject } from '../status/uplink-state-object.ts';

/** A condition as it is stored. */
export interface StoredCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message?: string | undefined;
  readonly lastTransitionTime?: string | undefined;
  readonly observedGeneration?: number | undefined;
}

/**
 * How a condition differs from the stored one of its type. `generation`: the same is true of a newer version of the object. `message`: only the message
 * differs.
 */
export type ConditionDifference = 'none' | 'missing' | 'status-or-reason' | 'generation' | 'message';

/** How a condition differs from the stored one of its type. */
export function conditionDifference(
  { type, status, reason, message, observedGeneration }: Condition,
  stored: readonly StoredCondition[],
): ConditionDifference {
  const present = stored.find((condition) => condition.type === type);
  if (present === undefined) return 'missing';
  if (present.status !== status || present.reason !== reason) return 'status-or-reason';
  if (present.observedGeneration !== observedGeneration) return 'generation';
  return (present.message ?? '') === message ? 'none' : 'message';
}

/** Finalizers to add and to remove, so that exactly the given ones are there. */
export function finalizerDifference(wanted: readonly string[], stored: readonly string[]) {
  return {
    added: wanted.filter((finalizer) => !stored.includes(finalizer)),
    removed: stored.filter((finalizer) => !wanted.includes(finalizer)),
  };
}

type Status = UplinkStateObject['status'];

/** The fields of a state that a node writes, besides conditions; `hostNetworks`, for one, belongs to the host of a DPU. */
const nodeFields: { readonly [Field in Exclude<keyof Status, 'conditions'>]-?: true } = {
  uplinkName: true,
  nodeName: true,
  type: true,
  hostInterfaceName: true,
  ovsBridge: true,
  macAddress: true,
  ipAddresses: true,
  defaultGateways: true,
  networks: true,
};

/** A field's value as text. An empty list is the same as none, an empty message too, and networks have no order: they are a list map. */
function fieldText(status: NonNullable<UplinkState['status']> | Status, field: keyof typeof nodeFields): string {
  if (field !== 'networks') return JSON.stringify(status[field] ?? []);
  const entries = [...(status.networks ?? [])].sort(by(({ name }) => name));
  return JSON.stringify(entries.map((entry) => canonical({ message: '', ...entry })));
}

/** The fields of a state that differ, besides conditions: `labels`, `annotations`, `ownerReferences` and those of its status, by name. */
export function differingFields(
  { metadata, status }: UplinkStateObject,
  { metadata: stored, status: storedStatus = {} }: UplinkState,
): readonly string[] {
  const fields = Object.keys(nodeFields) as (keyof typeof nodeFields)[];
  return distinct([
    ...(['labels', 'annotations'] as const).filter((field) => !isPartOf(metadata[field] ?? {}, stored[field] ?? {})),
    ...(isPartOf(metadata.ownerReferences ?? [], stored.ownerReferences ?? []) ? [] : ['ownerReferences']),
    ...fields.filter((field) => fieldText(status, field) !== fieldText(storedStatus, field)),
  ]);
}

/** Whether the stored state equals the desired one. */
export function isStored(state: UplinkStateObject, stored: UplinkState): boolean {
  return (
    differingFields(state, stored).length === 0 &&
    state.status.conditions.every(
      (condition) => conditionDifference(condition, stored.status?.conditions ?? []) === 'none',
    )
  );
}
