/** Differences of two lists, whose items are compared by identity, and of two maps. */

/** Whether two lists have the same values. */
export function isSameList(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left === right || (left.length === right.length && left.every((value, index) => value === right[index]));
}

/** The items that only one of two lists has, in the order of that list. */
export interface ListChanges<Item> {
  /** Only the first one has them. */
  readonly removed: readonly Item[];
  /** Only the second one has them. */
  readonly added: readonly Item[];
}

const unchanged: ListChanges<never> = { removed: [], added: [] };

function withoutCommon<Item>(removed: readonly Item[], added: readonly Item[]): ListChanges<Item> {
  if (removed.length === 0 || added.length === 0) return { removed, added };
  const [before, after] = [new Set(removed), new Set(added)];
  return { removed: removed.filter((item) => !after.has(item)), added: added.filter((item) => !before.has(item)) };
}

/**
 * Compares two lists. An item that both have in the same place, from the start or from the end, costs one comparison of references; the others are
 * collected.
 */
export function listChanges<Item>(before: readonly Item[], after: readonly Item[]): ListChanges<Item> {
  if (before === after) return unchanged;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const [left, right] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  // Items that were replaced in their places, or removed by putting the last one in their place, leave everything between them as it is.
  return withoutCommon(
    left.filter((item, index) => item !== right[index]),
    right.filter((item, index) => item !== left[index]),
  );
}

/** The items that only one of two lists has: those of the first one, then those of the second one. */
export function differingItems<Item>(left: readonly Item[], right: readonly Item[]): readonly Item[] {
  const { removed, added } = listChanges(left, right);
  return [...removed, ...added];
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
