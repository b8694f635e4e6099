/** Values that are computed on first use, and then cached. */

/** A value, possibly undefined. */
export interface Computed<Value> {
  readonly value: Value;
}

interface Store<Key, Value> {
  get(key: Key): Computed<Value> | undefined;
  set(key: Key, computed: Computed<Value>): unknown;
}

/** Computes a value for each key that a store does not have. */
export function cachedIn<Key, Value>(store: Store<Key, Value>, compute: (key: Key) => Value): (key: Key) => Value {
  return (key) => {
    const known = store.get(key);
    if (known !== undefined) return known.value;
    const value = compute(key);
    store.set(key, { value });
    return value;
  };
}

/** Computes a value on first use. */
export function lazy<Value>(compute: () => Value): () => Value {
  let computed: Computed<Value> | undefined;
  return () => (computed ??= { value: compute() }).value;
}

/** Computes a value for each key on first use. Cached as long as the function is referenced: for functions that a snapshot, or a value of it, has. */
export function lazyByKey<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  return cachedIn(new Map<Key, Computed<Value>>(), compute);
}

/** Default number of cached texts: the addresses of a large node, which every decision uses. */
const CACHED_TEXTS = 20_000;

/**
 * Computes a value for each text on first use.
 *
 * @param most number of values up to which all are cached; of more, those that were asked for last are
 */
export function lazyByText<Value>(compute: (text: string) => Value, most = CACHED_TEXTS): (text: string) => Value {
  let [present, former] = [new Map<string, Computed<Value>>(), new Map<string, Computed<Value>>()];
  const set = (text: string, computed: Computed<Value>): void => {
    if (present.size >= most) [present, former] = [new Map<string, Computed<Value>>(), present];
    present.set(text, computed);
  };
  const get = (text: string): Computed<Value> | undefined => {
    const known = present.get(text);
    if (known !== undefined) return known;
    const again = former.get(text);
    if (again !== undefined) set(text, again);
    return again;
  };
  return cachedIn({ get, set }, compute);
}
