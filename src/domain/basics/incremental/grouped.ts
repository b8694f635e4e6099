/** Items by name, for one list after the other: a group whose items have not changed is the same list. */
import { lazyByObject } from './by-identity.ts';
import { withChanges } from './layered-map.ts';
import { listChanges, without } from './list-changes.ts';

type Groups<Item> = ReadonlyMap<string, readonly Item[]>;

/** The names of an item: one, several, or undefined for none. */
export type NamesOf<Item> = (item: Item) => string | readonly string[] | undefined;

function grouped<Item>(items: readonly Item[], namesOf: NamesOf<Item>): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  const add = (name: string, item: Item): void => {
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  };
  for (const item of items) {
    const names = namesOf(item);
    if (typeof names === 'string') add(names, item);
    else if (names !== undefined) for (const name of names) add(name, item);
  }
  return groups;
}

/** The groups without some items and with others, which are last in their groups. */
function regrouped<Item>(groups: Groups<Item>, left: Groups<Item>, joined: Groups<Item>): Groups<Item> {
  if (groups.size === 0) return joined;
  const changes = new Map<string, readonly Item[] | undefined>();
  for (const name of new Set([...left.keys(), ...joined.keys()])) {
    const group = [...without(groups.get(name) ?? [], left.get(name) ?? []), ...(joined.get(name) ?? [])];
    changes.set(name, group.length === 0 ? undefined : group);
  }
  return withChanges(groups, changes);
}

/**
 * Groups items by name. The groups of the last list are cached: those of the next one cost what differs.
 *
 * @param namesOf an item may be in several groups, or in none
 * @returns a function of a list; within a group, items are in any order
 */
export function groupedByName<Item>(namesOf: NamesOf<Item>): (items: readonly Item[]) => Groups<Item> {
  let last: { readonly items: readonly Item[]; readonly groups: Groups<Item> } = { items: [], groups: new Map() };
  // Two lists may be asked for in turns.
  return lazyByObject((items: readonly Item[]) => {
    const { removed, added } = listChanges(last.items, items);
    const groups =
      // Less is left to do than to begin anew.
      removed.length + added.length > items.length
        ? grouped(items, namesOf)
        : regrouped(last.groups, grouped(removed, namesOf), grouped(added, namesOf));
    last = { items, groups };
    return groups;
  });
}
