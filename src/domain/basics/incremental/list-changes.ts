/** Differences of two lists, whose items are compared by identity, and of two maps. */

/** Whether two lists have the same values. */
export function isSameList(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left === right || (left.length === right.length && left.every((value, index) => value === right[index]));
}

/** The items that only one of two lists has: those of the first one, then those of the second one. */
export function differingItems<Item>(left: readonly Item[], right: readonly Item[]): readonly Item[] {
  if (isSameList(left, right)) return [];
  const [before, after] = [new Set(left), new Set(right)];
  return [...left.filter((item) => !after.has(item)), ...right.filter((item) => !before.has(item))];
}

/** The keys whose values are not the same in two maps; a value that is missing is undefined. */
export function differingKeys<Value>(
  left: ReadonlyMap<string, Value>,
  right: ReadonlyMap<string, Value>,
  isSame: (left: Value | undefined, right: Value | undefined) => boolean,
): readonly string[] {
  if (left === right) return [];
  const added = [...right.keys()].filter((key) => !left.has(key));
  return [...[...left.keys()].filter((key) => !isSame(left.get(key), right.get(key))), ...added];
}
