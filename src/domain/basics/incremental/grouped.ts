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

/** How the items of a group are kept. */
interface Form<Item, Group> {
  readonly of: (items: readonly Item[]) => Group;
  readonly ofAll: (groups: Groups<Item>) => ReadonlyMap<string, Group>;
  readonly items: (group: Group) => readonly Item[];
}

/** The groups without some items and with others, which are last in their groups. */
function regrouped<Item, Group>(
  groups: ReadonlyMap<string, Group>,
  left: Groups<Item>,
  joined: Groups<Item>,
  form: Form<Item, Group>,
): ReadonlyMap<string, Group> {
  const changes = new Map<string, Group | undefined>();
  for (const name of new Set([...left.keys(), ...joined.keys()])) {
    const group = groups.get(name);
    const former = group === undefined ? [] : form.items(group);
    const items = [...without(former, left.get(name) ?? []), ...(joined.get(name) ?? [])];
    changes.set(name, items.length === 0 ? undefined : form.of(items));
  }
  return withChanges(groups, changes);
}

function groupedInForm<Item, Group>(
  namesOf: NamesOf<Item>,
  form: Form<Item, Group>,
): (items: readonly Item[]) => ReadonlyMap<string, Group> {
  let last: { readonly items: readonly Item[]; readonly groups: ReadonlyMap<string, Group> } = {
    items: [],
    groups: new Map(),
  };
  // Two lists may be asked for in turns.
  return lazyByObject((items: readonly Item[]) => {
    const { removed, added } = listChanges(last.items, items);
    const isAnew = last.groups.size === 0 || removed.length + added.length > items.length;
    const groups = isAnew
      ? form.ofAll(grouped(items, namesOf))
      : regrouped(last.groups, grouped(removed, namesOf), grouped(added, namesOf), form);
    last = { items, groups };
    return groups;
  });
}

/**
 * Groups items by name. The groups of the last list are cached: those of the next one cost what differs.
 *
 * @param namesOf an item may be in several groups, or in none
 * @returns a function of a list; within a group, items are in any order
 */
export function groupedByName<Item>(namesOf: NamesOf<Item>): (items: readonly Item[]) => Groups<Item> {
  return groupedInForm<Item, readonly Item[]>(namesOf, {
    of: (items) => items,
    ofAll: (groups) => groups,
    items: (group) => group,
  });
}

/** A group of items, most of which are alone: no list is kept for each of tens of thousands. */
export type CompactGroup<Item extends object> = Item | readonly Item[];

/** The items of a group; none if it is undefined. */
export function itemsIn<Item extends object>(group: CompactGroup<Item> | undefined): readonly Item[] {
  if (group === undefined) return [];
  return Array.isArray(group) ? (group as readonly Item[]) : [group as Item];
}

/** Groups items by name, as `groupedByName` does. Items are no lists. */
export function groupedCompactly<Item extends object>(
  namesOf: NamesOf<Item>,
): (items: readonly Item[]) => ReadonlyMap<string, CompactGroup<Item>> {
  const of = (items: readonly Item[]) => (items.length === 1 ? (items[0] ?? items) : items);
  return groupedInForm<Item, CompactGroup<Item>>(namesOf, {
    of,
    ofAll: (groups) => new Map([...groups].map(([name, items]) => [name, of(items)] as const)),
    items: itemsIn,
  });
}
