/**
 * Values that are made when they are first asked for, and then remembered.
 */

interface Store<Key, Value> {
  get(key: Key): Made<Value> | undefined;
  set(key: Key, made: Made<Value>): unknown;
}

/** A value, which may be nothing. */
interface Made<Value> {
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

/** Makes a value when it is first asked for. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: Made<Value> | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Makes a value for each key when it is first asked for. */
export function lazyByKey<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  return remembering(make, new Map<Key, Made<Value>>());
}

/** Makes a value for each of some objects that never change, when it is first asked for; kept as long as the object is referenced. */
export function lazyByObject<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  return remembering(make, new WeakMap<Key, Made<Value>>());
}

/** The same for each pair of objects. */
export function lazyByObjects<First extends object, Second extends object, Value>(
  make: (first: First, second: Second) => Value,
): (first: First, second: Second) => Value {
  const ofFirst = lazyByObject((first: First) => lazyByObject((second: Second) => make(first, second)));
  return (first, second) => ofFirst(first)(second);
}

/** How many texts are remembered: the addresses of a large node, whose every decision asks for them again. */
const REMEMBERED = 20_000;

/**
 * Makes a value for each text when it is first asked for.
 *
 * @param most how many are remembered; with one more it begins anew
 */
export function lazyByText<Value>(make: (text: string) => Value, most = REMEMBERED): (text: string) => Value {
  const made = new Map<string, Made<Value>>();
  return remembering(make, {
    get: (text) => made.get(text),
    set: (text, value) => {
      if (made.size >= most) made.clear();
      made.set(text, value);
    },
  });
}
