/** Writes that are planned, with the stored objects that they are compared with. */
import type { ReadableObjects } from '../snapshot/cluster-snapshot.ts';
import { lazyByObject } from '../basics/incremental/by-identity.ts';
import type { StoredObject } from './differences.ts';
import type { ObjectName, ObjectWrite } from './object-write.ts';
import { writtenKinds } from './written-kinds.ts';

/** A write that was planned. */
export interface PlannedWrite<Write extends ObjectWrite = ObjectWrite> {
  readonly write: Write;
  /** The stored object, which decides what differs and keeps the times of transitions; absent if there is none, or for a deletion. */
  readonly stored?: StoredObject | undefined;
}

type NamedObject = StoredObject & { readonly metadata: Omit<ObjectName, 'kind'> };

const keyOf = ({ namespace = '', name }: Omit<ObjectName, 'kind'>) => `${namespace}/${name}`;

const byKey = lazyByObject(
  (objects: readonly NamedObject[]): ReadonlyMap<string, StoredObject> =>
    new Map(objects.map((object) => [keyOf(object.metadata), object])),
);

/** Adds to a write the object that a cluster has. */
export function withStored<Write extends ObjectWrite>(write: Write, cluster: ReadableObjects): PlannedWrite<Write> {
  return { write, stored: byKey(cluster[writtenKinds[write.kind].key]).get(keyOf(write)) };
}
