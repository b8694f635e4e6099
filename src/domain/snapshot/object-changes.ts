import type { KindKey, ObjectOf } from '../api/kinds.ts';
import type { ReadableObjects } from './cluster-snapshot.ts';

/** An object that differs between two snapshots. */
export interface ObjectChange<Key extends KindKey> {
  /** `name` or `namespace/name` */
  readonly key: string;
  /** Absent if the object was added. */
  readonly before?: ObjectOf<Key>;
  /** Absent if it was removed. */
  readonly after?: ObjectOf<Key>;
}

/** `name` or `namespace/name` of an object. */
export function objectKey({ metadata: { namespace, name } }: ObjectOf<KindKey>): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/**
 * The objects of a kind that differ between two snapshots of one source. A source shares every list and object that did not change, so identities are
 * compared: a shared list costs nothing, others their lengths.
 */
export function changedObjects<Key extends KindKey>(
  kind: Key,
  before: ReadableObjects,
  after: ReadableObjects,
): readonly ObjectChange<Key>[] {
  const [former, present]: readonly (readonly ObjectOf<Key>[])[] = [before[kind], after[kind]];
  if (former === undefined || present === undefined || former === present) return [];
  const [known, kept] = [new Set(former), new Set(present)];
  const changes = new Map<string, ObjectChange<Key>>();
  for (const object of former)
    if (!kept.has(object)) changes.set(objectKey(object), { key: objectKey(object), before: object });
  for (const object of present) {
    const key = objectKey(object);
    if (!known.has(object)) changes.set(key, { key, ...changes.get(key), after: object });
  }
  return [...changes.values()];
}
