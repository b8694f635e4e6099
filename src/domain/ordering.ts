/** Order of names in everything that is printed or written: by code unit, the same on every machine and in every locale. */
export function byName(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** An order of things by a name that each of them has. */
export function by<Item>(name: (item: Item) => string): (left: Item, right: Item) => number {
  return (left, right) => byName(name(left), name(right));
}

/** The distinct values, in name order. */
export function distinct<Value extends string>(values: Iterable<Value>): readonly Value[] {
  return [...new Set(values)].sort(byName);
}

/**
 * The same value in the one spelling of all that differ by order alone: keys in name order, and lists too, for values in which every list
 * is a set.
 */
export function canonical<Value>(value: Value): Value {
  // Order aside nothing changes, so the type does not either; the compiler cannot see that.
  return canonicalUnknown(value) as Value;
}

function canonicalUnknown(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(canonicalUnknown);
    return items.length < 2 ? items : items.sort(by((item) => JSON.stringify(item)));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(by(([key]) => key))
      .map(([key, item]: [string, unknown]) => [key, canonicalUnknown(item)]),
  );
}

/** The least item by a comparison; absent where there is none. */
export function least<Item>(items: readonly Item[], compare: (left: Item, right: Item) => number): Item | undefined {
  return items.reduce<Item | undefined>(
    (best, item) => (best === undefined || compare(item, best) < 0 ? item : best),
    undefined,
  );
}
