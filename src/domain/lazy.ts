/** Values that are computed on first use, and then cached. */

interface Store<Key, Value> {
  get(key: Key): Computed<Value> | undefined;
  set(key: Key, made: Computed<Value>): unknown;
}

/** A value, possibly undefined. */
interface Computed<Value> {
  readonly value: Value;
}

function remembering<Key, Value>(make: (key: Key) => Value, store: Store<Key, Value>): (key: Key) => Value {
  return (key) => {
    const known = store.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    store.set(key, { value });
    return value;
  };
}

/** Computes a value on first use. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: Computed<Value> | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Computes a value for each key on first use. */
export function lazyByKey<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  return remembering(make, new Map<Key, Computed<Value>>());
}

/** Computes a value for each object on first use; cached as long as the object is referenced. The objects must not change. */
export function lazyByObject<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  return remembering(make, new WeakMap<Key, Computed<Value>>());
}

/** Caches the result for each pair of objects. */
export function lazyByObjects<First extends object, Second extends object, Value>(
  make: (first: First, second: Second) => Value,
): (first: First, second: Second) => Value {
  const ofFirst = lazyByObject((first: First) => lazyByObject((second: Second) => make(first, second)));
  return (first, second) => ofFirst(first)(second);
}

/** Whether two lists have the same values. */
export function isSameList(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index]);
}

/** Caches the last value of each object with a list of parts; it is computed again when one of the parts is another object. */
export function lastByObject<Value>(): (key: object, parts: readonly unknown[], make: () => Value) => Value {
  const made = new WeakMap<object, Computed<Value> & { readonly parts: readonly unknown[] }>();
  return (key, parts, make) => {
    const known = made.get(key);
    if (known !== undefined && isSameList(known.parts, parts)) return known.value;
    const value = make();
    made.set(key, { parts, value });
    return value;
  };
}

/** Default number of cached texts: the addresses of a large node, which every decision uses. */
const CACHED_TEXTS = 20_000;

/**
 * Computes a value for each text on first use.
 *
 * @param most maximum number of cached values; the next one empties the cache
 */
export function lazyByText<Value>(make: (text: string) => Value, most = CACHED_TEXTS): (text: string) => Value {
  const made = new Map<string, Computed<Value>>();
  return remembering(make, {
    get: (text) => made.get(text),
    set: (text, value) => {
      if (made.size >= most) made.clear();
      made.set(text, value);
    },
  });
}
