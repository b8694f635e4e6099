import { isDeepStrictEqual } from 'node:util';
import type { KindKey, ObjectOf } from '../../domain/api/kinds.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import { objectKey } from '../../domain/snapshot/object-changes.ts';

type Objects = readonly ObjectOf<KindKey>[];

/** A list that reuses equal objects of the former list, or the former list itself if all are equal. */
function sharedList(former: Objects, present: Objects): Objects {
  const known = new Map(former.map((object) => [objectKey(object), object]));
  const shared = present.map((object) => {
    const before = known.get(objectKey(object));
    return before !== undefined && (before === object || isDeepStrictEqual(before, object)) ? before : object;
  });
  const isUnchanged = shared.length === former.length && shared.every((object, index) => object === former[index]);
  return isUnchanged ? former : shared;
}

/** A snapshot that reuses all unchanged objects and lists of the one before, also of files that were parsed again. */
export function sharedSnapshot(before: ClusterSnapshot | undefined, after: ClusterSnapshot): ClusterSnapshot {
  if (before === undefined) return after;
  const kinds = Object.keys(after) as KindKey[];
  const lists = Object.fromEntries(kinds.map((kind) => [kind, sharedList(before[kind], after[kind])]));
  // Both lists have objects of the same kind, which the compiler cannot follow.
  return kinds.every((kind) => lists[kind] === before[kind]) ? before : (lists as unknown as ClusterSnapshot);
}
