/** Items by name, for one list after the other: a group whose items have not changed is the same list. */
import { groupBy } from '../names/grouping.ts';
import { lazyByObject } from './by-identity.ts';
import { listChanges } from './list-changes.ts';

type Groups<Item> = ReadonlyMap<string, readonly Item[]>;

/** The groups without some items and with others, which are last in their groups. */
function regrouped<Item>(
  groups: Groups<Item>,
  removed: readonly Item[],
  added: readonly Item[],
  nameOf: (item: Item) => string,
): Groups<Item> {
  const [left, joined] = [groupBy(removed, nameOf), groupBy(added, nameOf)];
  const next = new Map(groups);
  for (const name of new Set([...left.keys(), ...joined.keys()])) {
    const gone = new Set(left.get(name));
    const group = [...(next.get(name) ?? []).filter((item) => !gone.has(item)), ...(joined.get(name) ?? [])];
    if (group.length === 0) next.delete(name);
    else next.set(name, group);
  }
  return next;
}

/**
 * Groups items by name. The groups of the last list are cached: those of the next one cost what differs.
 *
 * @param nameOf undefined for an item that is in no group
 * @returns a function of a list; within a group, items are in any order
 */
export function groupedByName<Item>(
  nameOf: (item: Item) => string | undefined,
): (items: readonly Item[]) => Groups<Item> {
  let last: { readonly items: readonly Item[]; readonly groups: Groups<Item> } = { items: [], groups: new Map() };
  const isGrouped = (item: Item) => nameOf(item) !== undefined;
  // Two lists may be asked for in turns.
  return lazyByObject((items: readonly Item[]) => {
    const { removed, added } = listChanges(last.items, items);
    const groups = regrouped(
      last.groups,
      removed.filter(isGrouped),
      added.filter(isGrouped),
      (item) => nameOf(item) ?? '',
    );
    last = { items, groups };
    return groups;
  });
}
