/** Values of objects, cached as long as these are referenced. Such an object is never changed: what changes is another object (README.md). */
import { type Computed, lazyByKey } from './lazy.ts';
import { isSameList } from './list-changes.ts';

/** Computes a value for each object on first use. */
export function lazyByObject<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const store = new WeakMap<Key, Value>();
  return (key) => {
    const known = store.get(key);
    // There are caches with a value for each of thousands of rows: no object of its own for each.
    if (known !== undefined || store.has(key)) return known as Value;
    const value = compute(key);
    store.set(key, value);
    return value;
  };
}

/** An object that stands for another one: the two are compared by it later, and the other one is not kept for that. */
export const identityOf = lazyByObject((_: object): object => ({}));

/** Computes a value for each pair of objects on first use. */
export function lazyByObjects<First extends object, Second extends object, Value>(
  compute: (first: First, second: Second) => Value,
): (first: First, second: Second) => Value {
  const ofFirst = lazyByObject((first: First) => lazyByObject((second: Second) => compute(first, second)));
  return (first, second) => ofFirst(first)(second);
}

/** Computes a value for each pair of an object and a key on first use. */
export function lazyByObjectAndKey<First extends object, Key, Value>(
  compute: (first: First, key: Key) => Value,
): (first: First, key: Key) => Value {
  const ofFirst = lazyByObject((first: First) => lazyByKey((key: Key) => compute(first, key)));
  return (first, key) => ofFirst(first)(key);
}

/** A list of one object: the same list for the thousands of values that have it. */
export const alone = lazyByObject((item: object): readonly object[] => [item]) as <Item extends object>(
  item: Item,
) => readonly Item[];

/** Caches the last value of each object with a list of parts; it is computed again when one of the parts is another object. */
export function lastByObject<Value>(): (key: object, parts: readonly unknown[], compute: () => Value) => Value {
  const last = new WeakMap<object, Computed<Value> & { readonly parts: readonly unknown[] }>();
  return (key, parts, compute) => {
    const known = last.get(key);
    if (known !== undefined && isSameList(known.parts, parts)) return known.value;
    const value = compute();
    last.set(key, { parts, value });
    return value;
  };
}
