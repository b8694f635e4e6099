import type { TSchema } from 'typebox';

/** The part of a cluster that is looked at: all of it, or what the agent of a node needs. */
export interface Viewer {
  /** Absent for the whole cluster. */
  readonly node: string | undefined;
  /** Whether pods of other nodes are needed too: they decide on which nodes networks are. */
  readonly hasAllPods: boolean;
}

/** A kind of object: its names, its scope, its schema, and who reads it. */
export interface Kind<Schema extends TSchema = TSchema> {
  /** API group; empty for Kubernetes' core group. */
  readonly group: string;
  /** The API version whose shape the schema describes. */
  readonly version: string;
  readonly kind: string;
  /** The kind in paths of the API. */
  readonly plural: string;
  readonly namespaced: boolean;
  /** Whether an object of a name is read; absent where all are. */
  readonly isRead?: (name: string) => boolean;
  /** Whether this project defines the kind: then unknown fields and other versions are findings. */
  readonly defined: boolean;
  readonly schema: Schema;
  /** Present if the kind is of another project, and need not be installed. */
  readonly isOptional?: true;
  /** Present if objects, or more of them than their metadata, are read only where ovn-uplinks provides networks. */
  readonly isForProvided?: 'objects' | 'more than metadata';
  /** Present if agents do not read them. */
  readonly isForManager?: true;
  /** Present if only those in the namespace of ovn-uplinks are read. */
  readonly isInOwnNamespace?: true;
  /** Label and field selectors by which it is read; absent for all objects. */
  readonly selectors?: (viewer: Viewer) => Readonly<Record<string, string>>;
  /** Present if every change of an object may change the plan of each node. */
  readonly isRelevantToNodes?: true;
  /** The consequence if an object cannot be read, for people (docs/design/api-decisions.md, "Bad input"). */
  readonly ifUnreadable: string;
}

/** A kind, with the type of its objects. */
export const kindOf = <Schema extends TSchema>(kind: Kind<Schema>): Kind<Schema> => kind;

/** The apiVersion of a kind as objects spell it. */
export function apiVersionOf(kind: Kind): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
}
