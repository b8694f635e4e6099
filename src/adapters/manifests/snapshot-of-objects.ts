import { type KindKey, kinds, type ObjectOf } from '../../domain/api/kinds.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import type { ManifestObject } from './manifest-object.ts';

type Lists = { readonly [Key in KindKey]: ObjectOf<Key>[] };

/** Sorts objects without errors into the lists of a snapshot, in the given order. */
export function snapshotOf(objects: readonly ManifestObject[]): ClusterSnapshot {
  const lists = Object.fromEntries(Object.keys(kinds).map((key) => [key, []])) as unknown as Lists;
  // The objects conform to their types except for enum values of other versions, which the engine treats as unknown: it
  // degrades the object.
  for (const { key, object } of objects) add(lists, key, object as unknown as ObjectOf<KindKey>);
  return lists;
}

function add<Key extends KindKey>(lists: Lists, key: Key, object: ObjectOf<Key>): void {
  lists[key].push(object);
}
