/** Values that are computed again and are the former ones where nothing has changed, so that what is cached by identity stays. */
import { lazyByObject } from './by-identity.ts';
import { isSameList } from './list-changes.ts';

/** The former value, if it is equal to the later one: plain data, with keys in one order. */
export function sameIfEqual<Value>(former: Value | undefined, later: Value): Value {
  if (former === undefined || former === later) return later;
  return JSON.stringify(former) === JSON.stringify(later) ? former : later;
}

/** The former list, if it has the same items. */
export function sameIfSameItems<Item>(former: readonly Item[], later: readonly Item[]): readonly Item[] {
  return isSameList(former, later) ? former : later;
}

/** Computes a list for each object on first use: the last one, if it has the same items. */
export function sameItems<Key extends object, Item>(
  compute: (key: Key) => readonly Item[],
): (key: Key) => readonly Item[] {
  let last: readonly Item[] = [];
  return lazyByObject((key: Key) => (last = sameIfSameItems(last, compute(key))));
}

/** Remembers a list for each object: the former one, if the later one has the same items. */
export function sameList<Item>(): (key: object, later: readonly Item[]) => readonly Item[] {
  const former = new WeakMap<object, readonly Item[]>();
  return (key, later) => {
    const same = sameIfSameItems(former.get(key) ?? [], later);
    former.set(key, same);
    return same;
  };
}
