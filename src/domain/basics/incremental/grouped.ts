/** Items by name, for one list after the other: a group whose items have not changed is the same list. */
import { lazyByObject } from './by-identity.ts';
import { withChanges } from './layered-map.ts';
import { listChanges, without } from './list-changes.ts';

type Groups<Item> = ReadonlyMap<string, readonly Item[]>;

/** The names of an item: one, several, or undefined for none. */
export type NamesOf<Item> = (item: Item) => string | readonly string[] | undefined;

/** How the items of a group are kept. */
interface Form<Item, Group> {
  /** The group with a further item; a new one with the first. May change the group, which is not used any more. */
  readonly joined: (group: Group | undefined, item: Item) => Group;
  readonly items: (group: Group) => readonly Item[];
}

function grouped<Item, Group>(
  items: readonly Item[],
  namesOf: NamesOf<Item>,
  { joined }: Form<Item, Group>,
): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  const add = (name: string, item: Item): void => {
    const before = groups.get(name);
    const group = joined(before, item);
    if (group !== before) groups.set(name, group);
  };
  for (const item of items) {
    const names = namesOf(item);
    if (typeof names === 'string') add(names, item);
    else if (names !== undefined) for (const name of names) add(name, item);
  }
  return groups;
}

/** Lists as groups. */
const inLists = <Item>(): Form<Item, Item[]> => ({
  joined: (group, item) => {
    if (group === undefined) return [item];
    group.push(item);
    return group;
  },
  items: (group) => group,
});

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
    changes.set(name, items.reduce<Group | undefined>(form.joined, undefined));
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
  const lists = (items: readonly Item[]) => grouped(items, namesOf, inLists<Item>());
  // Two lists may be asked for in turns.
  return lazyByObject((items: readonly Item[]) => {
    const { removed, added } = listChanges(last.items, items);
    // Less is left to do than to begin anew.
    const isAnew = last.items.length === 0 || removed.length + added.length > items.length;
    const groups = isAnew ? grouped(items, namesOf, form) : regrouped(last.groups, lists(removed), lists(added), form);
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
  return groupedInForm<Item, Item[]>(namesOf, inLists<Item>());
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
  return groupedInForm<Item, Item | Item[]>(namesOf, {
    joined: (group, item) => {
      if (group === undefined) return item;
      if (!Array.isArray(group)) return [group, item];
      group.push(item);
      return group;
    },
    items: itemsIn,
  });
}
