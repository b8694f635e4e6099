import { isDeepStrictEqual } from 'node:util';
import type { KindKey, ObjectOf } from '../../domain/api/kinds.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import { objectKey } from '../../domain/snapshot/object-changes.ts';

type Objects = readonly ObjectOf<KindKey>[];

/** A list with the former object in place of each one that is equal; the former list where all are. */
function sharedList(former: Objects, present: Objects): Objects {
  const known = new Map(former.map((object) => [objectKey(object), object]));
  const shared = present.map((object) => {
    const before = known.get(objectKey(object));
    return before !== undefined && (before === object || isDeepStrictEqual(before, object)) ? before : object;
  });
  const isSame = shared.length === former.length && shared.every((object, index) => object === former[index]);
  return isSame ? former : shared;
}

/** A snapshot that shares every object and list that has not changed with the one before it, also where a file was parsed again. */
export function sharedSnapshot(before: ClusterSnapshot | undefined, after: ClusterSnapshot): ClusterSnapshot {
  if (before === undefined) return after;
  const kinds = Object.keys(after) as KindKey[];
  const lists = Object.fromEntries(kinds.map((kind) => [kind, sharedList(before[kind], after[kind])]));
  // Each list has objects of the same kind as before, which the compiler cannot follow.
  return kinds.every((kind) => lists[kind] === before[kind]) ? before : (lists as unknown as ClusterSnapshot);
}
