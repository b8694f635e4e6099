import type { ColumnType } from './schema.ts';

/**
 * Applies a change in update2 or update3 to a column. Columns with at most one value are sent whole; of others only values that were added, removed or
 * changed are sent (ovsdb-server(7), 4.1.14).
 *
 * All in the notation of RFC 7047.
 */
export function afterChange(before: unknown, change: unknown, { isMap, isMany }: ColumnType): unknown {
  if (!isMany) return change;
  return isMap ? ['map', afterMapChange(pairsOf(before), pairsOf(change))] : ['set', afterSetChange(before, change)];
}

/** The symmetric difference. */
function afterSetChange(before: unknown, change: unknown): readonly unknown[] {
  const values = new Map(atomsOf(before).map((atom) => [JSON.stringify(atom), atom]));
  for (const atom of atomsOf(change)) {
    const name = JSON.stringify(atom);
    if (!values.delete(name)) values.set(name, atom);
  }
  return [...values.values()];
}

type Pair = readonly unknown[];

/** An equal pair is removed, a pair with another value changed, any other added. */
function afterMapChange(before: readonly Pair[], change: readonly Pair[]): readonly Pair[] {
  const pairs = new Map(before.map((pair) => [JSON.stringify(pair[0]), pair]));
  for (const pair of change) {
    const name = JSON.stringify(pair[0]);
    if (JSON.stringify(pairs.get(name)) === JSON.stringify(pair)) pairs.delete(name);
    else pairs.set(name, pair);
  }
  return [...pairs.values()];
}

function itemsOf(notation: unknown, tag: string): readonly unknown[] | undefined {
  return Array.isArray(notation) && notation[0] === tag && Array.isArray(notation[1]) ? notation[1] : undefined;
}

/** A set of one may be written as its atom. */
function atomsOf(notation: unknown): readonly unknown[] {
  return itemsOf(notation, 'set') ?? [notation];
}

function pairsOf(notation: unknown): readonly Pair[] {
  return (itemsOf(notation, 'map') ?? []).filter((pair): pair is Pair => Array.isArray(pair));
}
