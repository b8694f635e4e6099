/** Maps that share most of their entries: each costs what differs from the last ones, and so does a comparison with the one that it was made from. */
import { identityOf } from './by-identity.ts';

/** A map with some entries that another one does not have, or has with other values. */
class LayeredMap<Value> implements ReadonlyMap<string, Value> {
  readonly base: ReadonlyMap<string, Value>;
  /** Undefined where the base has an entry, and this map has none. */
  readonly changes: ReadonlyMap<string, Value | undefined>;
  readonly size: number;

  constructor(base: ReadonlyMap<string, Value>, changes: ReadonlyMap<string, Value | undefined>) {
    this.base = base;
    this.changes = changes;
    let { size } = base;
    for (const [key, value] of changes) size += Number(value !== undefined) - Number(base.has(key));
    this.size = size;
  }

  get(key: string): Value | undefined {
    const changed = this.changes.get(key);
    if (changed !== undefined) return changed;
    const found = this.base.get(key);
    return found === undefined || this.changes.has(key) ? undefined : found;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  *entries(): MapIterator<[string, Value]> {
    for (const entry of this.base) if (!this.changes.has(entry[0])) yield entry;
    for (const [key, value] of this.changes) if (value !== undefined) yield [key, value];
  }

  *keys(): MapIterator<string> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): MapIterator<Value> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries();
  }

  forEach(call: (value: Value, key: string, map: ReadonlyMap<string, Value>) => void): void {
    for (const [key, value] of this.entries()) call(value, key, this);
  }
}

/** The map that each was made from, and the keys of the entries in which they may differ. */
const origins = new WeakMap<object, { readonly former: object; readonly keys: ReadonlySet<string> }>();

/**
 * The keys under which a map may differ from another one, if it was made from that; undefined otherwise.
 *
 * @param former what stands for the other one (`identityOf`)
 */
export function changedKeys(former: object, later: ReadonlyMap<string, unknown>): ReadonlySet<string> | undefined {
  const origin = origins.get(later);
  return origin?.former === former ? origin.keys : undefined;
}

/** Share of the entries that may be in the upper layer: where more are, all are copied into one map. */
const MOST_CHANGED = 1 / 8;

/** Number of entries up to which a map is copied rather than layered. */
const SMALL = 64;

/**
 * Makes a map that differs from a former one in some entries.
 *
 * @param changes the new values; undefined for entries that are removed. No value of a map is undefined
 * @returns entries in any order. The former map stays as it is
 */
export function withChanges<Value>(
  former: ReadonlyMap<string, Value>,
  changes: ReadonlyMap<string, Value | undefined>,
): ReadonlyMap<string, Value> {
  if (changes.size === 0) return former;
  const [base, all] =
    former instanceof LayeredMap
      ? [former.base as ReadonlyMap<string, Value>, new Map([...(former as LayeredMap<Value>).changes, ...changes])]
      : [former, changes];
  const layered = new LayeredMap(base, all);
  const isLayered = base.size > SMALL && all.size <= Math.max(SMALL, base.size * MOST_CHANGED);
  const later = isLayered ? layered : new Map(layered);
  origins.set(later, { former: identityOf(former), keys: new Set(changes.keys()) });
  return later;
}
