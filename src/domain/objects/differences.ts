/**
 * How does a stored object differ from what is to be written of it?
 *
 * Objects are written by server-side apply (docs/design/api-decisions.md, "Objects"): what others have added to one stays when it is written, so it is
 * not a difference. Neither is the time of a transition.
 */
import type { Condition } from '../api/condition.ts';
import { by, canonical, distinct } from '../basics/names/ordering.ts';
import type { FieldsWrite, WrittenMetadata, WrittenStatus } from './object-write.ts';
import { isPartOf } from './part-of.ts';
import { type WrittenKind, writtenKinds } from './written-kinds.ts';

/** A condition as it is stored. */
export interface StoredCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly lastTransitionTime?: string | undefined;
  readonly observedGeneration?: number | undefined;
}

/** An object as it is stored, of any kind that is written. */
export interface StoredObject {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly object[];
  };
  readonly spec?: object;
  readonly data?: Readonly<Record<string, string>>;
  readonly status?: { readonly conditions?: readonly StoredCondition[]; readonly [field: string]: unknown };
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

/** A field besides conditions: added, changed or removed. */
export interface FieldDifference {
  readonly mark: '+' | '~' | '-';
  /** For people, as `finalizer k8s.ovn.org/uplink-protection` or `macAddress`. */
  readonly field: string;
  /** Present if it changes often, as a message does: it is not written at once each time. */
  readonly isFrequent?: true;
}

const changed = (field: string): FieldDifference => ({ mark: '~', field });

/** The difference of the finalizer of the kind: those of others stay. */
function finalizerDifference(
  { finalizers }: WrittenMetadata,
  stored: readonly string[],
  { finalizer }: WrittenKind,
): readonly FieldDifference[] {
  if (finalizers === undefined || finalizer === undefined) return [];
  const isWanted = finalizers.includes(finalizer);
  if (isWanted === stored.includes(finalizer)) return [];
  return [{ mark: isWanted ? '+' : '-', field: `finalizer ${finalizer}` }];
}

/** Owners without what is not read of stored ones (`objectMetaSchema`), which would always differ. */
function readableOwners({ ownerReferences = [] }: WrittenMetadata): readonly object[] {
  return ownerReferences.map((owner) => ({ ...owner, blockOwnerDeletion: undefined }));
}

/** The further fields that differ. An empty list is the same as none, as API servers store it. */
function contentDifferences(content: FieldsWrite['content'] = {}, stored: object): readonly FieldDifference[] {
  const found = new Map<string, unknown>(Object.entries(stored));
  const textOf = (value: unknown) => JSON.stringify(canonical(value ?? []));
  return Object.entries(content)
    .filter(([field, value]) => textOf(value) !== textOf(found.get(field)))
    .map(([field]) => changed(field));
}

/** The differences of metadata, spec and further fields. */
export function mainDifferences(
  { kind, metadata = {}, spec = {}, content }: Pick<FieldsWrite, 'kind' | 'metadata' | 'spec' | 'content'>,
  object: StoredObject,
): readonly FieldDifference[] {
  const { metadata: stored = {}, spec: storedSpec = {} } = object;
  const annotations = Object.entries(metadata.annotations ?? {});
  return [
    ...finalizerDifference(metadata, stored.finalizers ?? [], writtenKinds[kind]),
    ...(isPartOf(metadata.labels ?? {}, stored.labels ?? {}) ? [] : [changed('labels')]),
    ...annotations
      .filter(([key, value]) => stored.annotations?.[key] !== value)
      .map(([key, value]) => changed(`annotation ${key} ${value}`)),
    ...(isPartOf(readableOwners(metadata), readableOwners(stored)) ? [] : [changed('ownerReferences')]),
    ...(isPartOf(spec, storedSpec) ? [] : [changed('spec')]),
    ...contentDifferences(content, object),
  ];
}

/** A field's value as text. An empty list is the same as none, an empty message too, and what has a name has no order: it is in a list map. */
function fieldText(value: unknown = []): string {
  if (!isListMap(value)) return JSON.stringify(value);
  return JSON.stringify([...value].sort(by(({ name }) => name)).map((item) => canonical({ message: '', ...item })));
}

function isListMap(value: unknown): value is readonly { readonly name: string }[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null && 'name' in item);
}

/** The fields of a status that differ, besides conditions. */
function statusDifferences(
  status: WrittenStatus,
  stored: Readonly<Record<string, unknown>>,
  { ownedStatus = [], optionalStatus = [], frequentStatus = [] }: WrittenKind,
): readonly FieldDifference[] {
  const fields = new Set([...ownedStatus, ...Object.keys(status)]);
  return [...fields]
    .filter((field) => field !== 'conditions' && !(optionalStatus.includes(field) && stored[field] === undefined))
    .filter((field) => fieldText(status[field]) !== fieldText(stored[field]))
    .map((field) => ({ ...changed(field), ...(frequentStatus.includes(field) && { isFrequent: true }) }));
}

/** The conditions that are stored, and that the object is no longer to have. */
function obsoleteConditions(
  written: readonly Condition[],
  stored: readonly StoredCondition[],
  { ownedConditions = [] }: WrittenKind,
): readonly FieldDifference[] {
  const wanted = new Set(written.map(({ type }) => type));
  return stored
    .filter(({ type }) => ownedConditions.includes(type) && !wanted.has(type))
    .map(({ type }) => ({ mark: '-', field: `condition ${type}` }));
}

/** The entries of data that differ. Data is replaced as a whole. */
function dataDifferences(data: FieldsWrite['data'], stored: FieldsWrite['data'] = {}): readonly FieldDifference[] {
  if (data === undefined) return [];
  const keys = distinct([...Object.keys(data), ...Object.keys(stored)]);
  return keys.filter((key) => data[key] !== stored[key]).map((key) => changed(`data ${key}`));
}

/** How an object differs from what is to be written of it. */
export interface ObjectDifference {
  /** Of each condition to write, in their order. */
  readonly conditions: readonly ConditionDifference[];
  readonly fields: readonly FieldDifference[];
}

/** How a stored object differs from what is to be written of it. */
export function objectDifference(write: FieldsWrite, stored: StoredObject = {}): ObjectDifference {
  const { kind, data, status } = write;
  const { conditions = [], ...fields } = stored.status ?? {};
  return {
    conditions: (status?.conditions ?? []).map((condition) => conditionDifference(condition, conditions)),
    fields: [
      ...mainDifferences(write, stored),
      ...dataDifferences(data, stored.data),
      ...(status === undefined ? [] : statusDifferences(status, { ...fields }, writtenKinds[kind])),
      ...(status?.conditions === undefined
        ? []
        : obsoleteConditions(status.conditions, conditions, writtenKinds[kind])),
    ],
  };
}

/** Whether a difference is none. */
export function isNone({ conditions, fields }: ObjectDifference): boolean {
  return fields.length === 0 && conditions.every((difference) => difference === 'none');
}

/** Whether everything that is to be written of an object is stored. */
export function isStored(write: FieldsWrite, stored?: StoredObject): boolean {
  return isNone(objectDifference(write, stored));
}
