/** Values of objects, cached as long as these are referenced. Such an object is never changed: what changes is another object (README.md). */
import { cachedIn, type Computed } from './lazy.ts';
import { isSameList } from './list-changes.ts';

/** Computes a value for each object on first use. */
export function lazyByObject<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  return cachedIn(new WeakMap<Key, Computed<Value>>(), compute);
}

/** Computes a value for each pair of objects on first use. */
export function lazyByObjects<First extends object, Second extends object, Value>(
  compute: (first: First, second: Second) => Value,
): (first: First, second: Second) => Value {
  const ofFirst = lazyByObject((first: First) => lazyByObject((second: Second) => compute(first, second)));
  return (first, second) => ofFirst(first)(second);
}

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
