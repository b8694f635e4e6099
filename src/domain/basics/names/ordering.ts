/** Order of names in everything that is printed or written: by code unit, the same on every machine and in every locale. */
export function byName(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** An order of items by a name of each. */
export function by<Item>(name: (item: Item) => string): (left: Item, right: Item) => number {
  return (left, right) => byName(name(left), name(right));
}

/** Items in the order of their names. Each name is computed once: for many items, or names that are expensive. */
export function sortedBy<Item>(items: readonly Item[], name: (item: Item) => string): readonly Item[] {
  const named = items.map((item) => ({ item, name: name(item) }));
  return named.sort(by((each) => each.name)).map(({ item }) => item);
}

/** The distinct values, in name order. */
export function distinct<Value extends string>(values: Iterable<Value>): readonly Value[] {
  return [...new Set(values)].sort(byName);
}

/** The value with the keys of every object in name order, without those that are undefined; lists stay as they are. */
export function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.sort(by(([key]) => key)).map(([key, item]) => [key, withSortedKeys(item)]));
}

/** The canonical form of values that differ only in order: keys in name order, and lists too, for values in which every list is a set. */
export function canonical<Value>(value: Value): Value {
  // Only the order changes, so the type stays the same; the compiler cannot infer that.
  return canonicalUnknown(value) as Value;
}

/** A value in canonical form is not copied: most are used more than once. */
function canonicalUnknown(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    if (value.length === 0) return value;
    const items = value.map(canonicalUnknown);
    const sorted = items.length > 1 ? sortedBy(items, (item) => JSON.stringify(item)) : items;
    return sorted.every((item, index) => item === value[index]) ? value : sorted;
  }
  const found = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(found);
  if (keys.some((key, index) => index > 0 && key < (keys[index - 1] ?? ''))) {
    return Object.fromEntries(keys.sort(byName).map((key) => [key, canonicalUnknown(found[key])]));
  }
  let copy: Record<string, unknown> | undefined;
  for (const key of keys) {
    const item = canonicalUnknown(found[key]);
    if (item !== found[key]) (copy ??= { ...found })[key] = item;
  }
  return copy ?? value;
}

/** The least item by a comparison; undefined for none. */
export function least<Item>(items: readonly Item[], compare: (left: Item, right: Item) => number): Item | undefined {
  return items.reduce<Item | undefined>(
    (best, item) => (best === undefined || compare(item, best) < 0 ? item : best),
    undefined,
  );
}
