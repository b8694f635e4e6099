/**
 * Objects by name and by label, so that evaluating a selector costs what it selects, not the size of the cluster.
 */
import type { ObjectMeta } from '../api/object-meta.ts';
import { by } from '../basics/names/ordering.ts';
import { type Labels, meetsAll, type UnderstoodSelector } from './label-selector.ts';

/** Anything with a name and labels. */
export interface Labelled {
  readonly metadata: ObjectMeta;
}

/** Objects of one kind, found by name or by selector. */
export interface LabelIndex<Item extends Labelled> {
  /** Every object, by name order. */
  readonly all: readonly Item[];
  readonly byName: ReadonlyMap<string, Item>;
  /** The objects that a selector picks, by name order; none for a selector that is not understood. */
  selectedBy(selector: UnderstoodSelector): readonly Item[];
}

/**
 * Indexes objects by their labels.
 *
 * @param labelsOf the labels of an object, if not only those of its metadata.
 */
export function labelIndex<Item extends Labelled>(
  items: readonly Item[],
  labelsOf: (item: Item) => Labels = (item) => item.metadata.labels ?? {},
): LabelIndex<Item> {
  const all = [...items].sort(by((item) => item.metadata.name));
  const holders = new Map<string, Map<string, Item[]>>();
  for (const item of all) {
    for (const [key, value] of Object.entries(labelsOf(item))) {
      const byValue = holders.get(key) ?? new Map<string, Item[]>();
      const withValue = byValue.get(value) ?? [];
      withValue.push(item);
      holders.set(key, byValue.set(value, withValue));
    }
  }
  // The requirement with the fewest matches bounds the search; for several values of one key it is the sum.
  const candidates = (selector: UnderstoodSelector & { understood: true }): readonly Item[] =>
    selector.requirements
      .filter(({ operator, values }) => operator === 'In' && values.length === 1)
      .map(({ key, values }) => holders.get(key)?.get(values[0] ?? '') ?? [])
      .reduce<readonly Item[]>((fewest, next) => (next.length < fewest.length ? next : fewest), all);
  return {
    all,
    byName: new Map(all.map((item) => [item.metadata.name, item])),
    selectedBy: (selector) =>
      selector.understood ? candidates(selector).filter((item) => meetsAll(labelsOf(item), selector.requirements)) : [],
  };
}
