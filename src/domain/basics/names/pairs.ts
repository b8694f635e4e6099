/** Values and sets of pairs of names: an uplink and a node, a namespace and a node. */

/** A value for each of some pairs. */
export class Pairs<Value, First extends string = string> {
  readonly #none: ReadonlyMap<string, Value> = new Map();
  readonly #rows = new Map<First, Map<string, Value>>();

  /** The values of all pairs with a first name, by the second one. */
  of(first: First): ReadonlyMap<string, Value> {
    return this.#rows.get(first) ?? this.#none;
  }

  get(first: First, second: string): Value | undefined {
    return this.#rows.get(first)?.get(second);
  }

  set(first: First, second: string, value: Value): void {
    const row = this.#rows.get(first);
    if (row === undefined) this.#rows.set(first, new Map([[second, value]]));
    else row.set(second, value);
  }

  delete(first: First, second: string): void {
    const row = this.#rows.get(first);
    row?.delete(second);
    if (row?.size === 0) this.#rows.delete(first);
  }

  deleteAll(first: First): void {
    this.#rows.delete(first);
  }
}

/** Pairs, each with the number of things that it stands for. */
export class CountedPairs<First extends string = string> {
  readonly #rows = new Map<First, Map<string, number>>();

  has(first: First, second: string): boolean {
    return this.#rows.get(first)?.has(second) === true;
  }

  /** The second names of all pairs with a first name. */
  of(first: First): Iterable<string> {
    return this.#rows.get(first)?.keys() ?? [];
  }

  /**
   * Counts one more or one less of some pairs with a first name.
   *
   * @returns the second names of those of which it is the first one, or was the last one
   */
  count(first: First, seconds: Iterable<string>, change: 1 | -1): readonly string[] {
    const row = this.#rows.get(first) ?? new Map<string, number>();
    const turned: string[] = [];
    for (const second of seconds) {
      const before = row.get(second) ?? 0;
      const after = before + change;
      if (after === 0) row.delete(second);
      else row.set(second, after);
      if ((before === 0) !== (after === 0)) turned.push(second);
    }
    if (row.size === 0) this.#rows.delete(first);
    else this.#rows.set(first, row);
    return turned;
  }

  deleteAll(first: First): void {
    this.#rows.delete(first);
  }
}

/** Some pairs, each once, by the first name. */
export class PairSet<First extends string = string> implements Iterable<
  readonly [first: First, seconds: ReadonlySet<string>]
> {
  readonly #rows = new Map<First, Set<string>>();

  add(first: First, second: string): void {
    addTo(this.#rows, first, second);
  }

  addAll(first: First, seconds: readonly string[]): void {
    const row = this.#rows.get(first);
    if (row === undefined) this.#rows.set(first, new Set(seconds));
    else for (const second of seconds) row.add(second);
  }

  [Symbol.iterator](): Iterator<readonly [First, ReadonlySet<string>]> {
    return this.#rows.entries();
  }
}

/** Adds an item to the set of a key. */
export function addTo<Key, Item>(sets: Map<Key, Set<Item>>, key: Key, item: Item): void {
  const known = sets.get(key);
  if (known === undefined) sets.set(key, new Set([item]));
  else known.add(item);
}

/** Removes an item from the set of a key. */
export function removeFrom<Key, Item>(sets: Map<Key, Set<Item>>, key: Key, item: Item): void {
  const known = sets.get(key);
  known?.delete(item);
  if (known?.size === 0) sets.delete(key);
}
