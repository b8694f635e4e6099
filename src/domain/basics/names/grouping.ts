/** Items by name, in the given order. */
export function groupBy<Item, Name extends string>(
  items: Iterable<Item>,
  nameOf: (item: Item) => Name,
): ReadonlyMap<Name, readonly Item[]> {
  const groups = new Map<Name, Item[]>();
  for (const item of items) {
    const name = nameOf(item);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return groups;
}
