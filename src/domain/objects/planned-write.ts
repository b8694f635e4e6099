/** Writes that are planned, with the stored objects that they are compared with. */
import type { ReadableObjects } from '../snapshot/cluster-snapshot.ts';
import type { KindKey } from '../api/kinds.ts';
import { groupedCompactly, itemsIn } from '../basics/incremental/grouped.ts';
import { lazyByKey } from '../basics/incremental/lazy.ts';
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

/** The objects of each list, by key: those of the next list cost what differs. */
const byKey = lazyByKey((_list: KindKey) => groupedCompactly((object: NamedObject) => keyOf(object.metadata)));

/** Adds to a write the object that a cluster has. */
export function withStored<Write extends ObjectWrite>(write: Write, cluster: ReadableObjects): PlannedWrite<Write> {
  const list: KindKey = writtenKinds[write.kind].key;
  const [stored] = itemsIn(byKey(list)(cluster[list]).get(keyOf(write)));
  return { write, stored };
}
