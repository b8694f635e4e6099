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

/** Number of items that may differ where as few are the same: after more, two lists are not compared place by place any more. */
const MOST_DIFFERENT = 64;

/** By how many places an item is further on in a list; undefined if it is not among the next ones. */
function distanceTo(item: unknown, items: readonly unknown[], from: number): number | undefined {
  for (let distance = 1; distance <= LOOK_AHEAD && from + distance < items.length; distance += 1) {
    if (items[from + distance] === item) return distance;
  }
  return undefined;
}

/** The parts of two lists that are left without the items that both have at the start and at the end. */
function withoutCommonEnds<Item>(
  before: readonly Item[],
  after: readonly Item[],
): readonly [left: readonly Item[], right: readonly Item[]] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)];
}

/**
 * Compares two lists, in which an item may be several times. An item that both have in the same place, or moved by some that were put in or left out
 * before it, costs one comparison of references; the others are collected.
 */
export function listChanges<Item>(before: readonly Item[], after: readonly Item[]): ListChanges<Item> {
  if (before === after) return unchanged;
  const [left, right] = withoutCommonEnds(before, after);
  const [removed, added]: [Item[], Item[]] = [[], []];
  let [at, to] = [0, 0];
  const isAlike = () => removed.length + added.length < MOST_DIFFERENT + (at + to) / 2;
  while (at < left.length && to < right.length && isAlike()) {
    if (left[at] === right[to]) {
      at += 1;
      to += 1;
      continue;
    }
    const gone = distanceTo(right[to], left, at) ?? Infinity;
    const come = distanceTo(left[at], right, to) ?? Infinity;
    const [skippedLeft, skippedRight] =
      gone === Infinity && come === Infinity ? [1, 1] : gone <= come ? [gone, 0] : [0, come];
    removed.push(...left.slice(at, at + skippedLeft));
    added.push(...right.slice(to, to + skippedRight));
    at += skippedLeft;
    to += skippedRight;
  }
  return withoutCommon([...removed, ...left.slice(at)], [...added, ...right.slice(to)]);
}

/** The items that only one of two lists has: those of the first one, then those of the second one. */
export function differingItems<Item>(left: readonly Item[], right: readonly Item[]): readonly Item[] {
  const { removed, added } = listChanges(left, right);
  return [...removed, ...added];
}
