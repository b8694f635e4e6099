/** Differences of two lists, whose items are compared by identity. */

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

/** A list without some items, each of which is left out as often as it is given. */
export function without<Item>(items: readonly Item[], others: readonly Item[]): readonly Item[] {
  const counts = new Map<Item, number>();
  for (const item of others) counts.set(item, (counts.get(item) ?? 0) + 1);
  return items.filter((item) => {
    const count = counts.get(item) ?? 0;
    if (count > 0) counts.set(item, count - 1);
    return count === 0;
  });
}

function withoutCommon<Item>(removed: readonly Item[], added: readonly Item[]): ListChanges<Item> {
  if (removed.length === 0 || added.length === 0) return { removed, added };
  return { removed: without(removed, added), added: without(added, removed) };
}

/** Number of items next to each other that may be put in or left out for what follows to be found in its place. */
const LOOK_AHEAD = 8;

/** By how many places an item is further on in a list; undefined if it is not among the next ones. */
function distanceTo(item: unknown, items: readonly unknown[], from: number, end: number): number | undefined {
  for (let distance = 1; distance <= LOOK_AHEAD && from + distance < end; distance += 1) {
    if (items[from + distance] === item) return distance;
  }
  return undefined;
}

/**
 * Compares two lists, in which an item may be several times. An item that both have in the same place, or moved by some that were put in or left out
 * before it, costs one comparison of references; the others are collected.
 */
export function listChanges<Item>(before: readonly Item[], after: readonly Item[]): ListChanges<Item> {
  if (before === after) return unchanged;
  let [left, right] = [0, 0];
  let [leftEnd, rightEnd] = [before.length, after.length];
  while (left < leftEnd && left < rightEnd && before[left] === after[left]) left += 1;
  right = left;
  while (left < leftEnd && right < rightEnd && before[leftEnd - 1] === after[rightEnd - 1]) {
    leftEnd -= 1;
    rightEnd -= 1;
  }
  const [removed, added]: [Item[], Item[]] = [[], []];
  while (left < leftEnd && right < rightEnd) {
    if (before[left] !== after[right]) {
      const gone = distanceTo(after[right], before, left, leftEnd) ?? Infinity;
      const come = distanceTo(before[left], after, right, rightEnd) ?? Infinity;
      const [skippedLeft, skippedRight] =
        gone === Infinity && come === Infinity ? [1, 1] : gone <= come ? [gone, 0] : [0, come];
      removed.push(...before.slice(left, left + skippedLeft));
      added.push(...after.slice(right, right + skippedRight));
      left += skippedLeft;
      right += skippedRight;
    } else {
      left += 1;
      right += 1;
    }
  }
  return withoutCommon([...removed, ...before.slice(left, leftEnd)], [...added, ...after.slice(right, rightEnd)]);
}

/** The items that only one of two lists has: those of the first one, then those of the second one. */
export function differingItems<Item>(left: readonly Item[], right: readonly Item[]): readonly Item[] {
  const { removed, added } = listChanges(left, right);
  return [...removed, ...added];
}
