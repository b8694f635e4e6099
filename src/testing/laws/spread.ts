/**
 * Some of a list's items, spread over it.
 *
 * @param most how many at most
 * @param seed selects which
 */
export function spread<Item>(items: readonly Item[], most: number, seed: number): readonly Item[] {
  const step = Math.max(1, Math.ceil(items.length / most));
  return items.filter((_item, index) => (index + seed) % step === 0);
}
