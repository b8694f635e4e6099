/** Writes of objects of the cluster, as data: what carries them out knows no kind of object (written-kinds.ts has what is true of each). */
import type { Condition } from '../api/condition.ts';
import type { ClaimsChange } from '../network/allocation/id-claim.ts';
import type { WrittenKindName } from './written-kinds.ts';

/** The name of an object. */
export interface ObjectName {
  readonly kind: string;
  /** Absent for a kind without namespaces. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** An object as `Kind/name` or `Kind/namespace/name`. */
export function objectText({ kind, namespace, name }: ObjectName): string {
  return namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
}

/** An object that is written. */
interface WrittenObject {
  readonly kind: WrittenKindName;
  /** Absent for a kind without namespaces. */
  readonly namespace?: string;
  readonly name: string;
  /** The object that is meant: another one of the name stays as it is. Absent: the one that has the name. */
  readonly uid?: string;
}

/** Metadata of an object. */
export interface WrittenMetadata {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** All finalizers that it should have; only that of its kind is added or removed. */
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly object[];
}

/** A condition; it has the time of its last transition once it is written. */
export type WrittenCondition = Condition & { readonly lastTransitionTime?: string };

/** A status. */
export interface WrittenStatus {
  readonly conditions?: readonly WrittenCondition[];
  readonly [field: string]: unknown;
}

/** Applies fields of an object: all others are left unchanged, and so are list items that others have added. */
export interface FieldsWrite extends WrittenObject {
  readonly verb: 'apply';
  readonly metadata?: WrittenMetadata;
  readonly spec?: object;
  readonly data?: Readonly<Record<string, string>>;
  /** Further fields, by name: each is replaced as a whole. */
  readonly content?: Readonly<Record<string, unknown>>;
  readonly status?: WrittenStatus;
}

/** Deletes an object. */
export interface Deletion extends WrittenObject {
  readonly verb: 'delete';
}

/** Stores claims of ids, which are read again before. */
export interface ClaimsWrite extends WrittenObject {
  readonly verb: 'store-claims';
  readonly change: ClaimsChange;
}

/** A write of one object. */
export type ObjectWrite = FieldsWrite | Deletion | ClaimsWrite;
