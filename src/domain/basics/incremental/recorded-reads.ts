/**
 * Values that are computed from a snapshot, cached as long as everything that was read for them is the same.
 *
 * An observation reads the parts that have changed, and shares the others with the snapshot before. What is computed from a snapshot is given one that
 * records which parts are read, and under which keys, so no read of it can be forgotten. What was read is kept as what stands for it (`identityOf`): a value
 * that is not asked for again does not keep the snapshot that it was computed from.
 */
import { identityOf, lazyByObject } from './by-identity.ts';
import { changedKeys } from './layered-map.ts';
import { isSameList } from './list-changes.ts';

type Name = string | symbol;

/** An index of parts of a snapshot. */
export interface SnapshotIndex<Snapshot extends object, Found> {
  /** The parts that it is made from. */
  readonly parts: readonly (keyof Snapshot & string)[];
  /** Makes it, or returns the one that was made. It, and what is under each key, is the same object as for another snapshot as long as that has not changed. */
  readonly of: (snapshot: Snapshot) => ReadonlyMap<string, Found>;
}

type AnySnapshot = Readonly<Record<string, unknown>>;
type AnyIndex = SnapshotIndex<AnySnapshot, unknown>;

/** Another cached value that was asked for: it may stay the same though parts that it is computed from change. */
interface ValueRead {
  readonly ask: (snapshot: object) => Last<unknown>;
  readonly value: unknown;
  /** The parts that it depended on when it was found to be the same last. */
  names: readonly Name[];
}

/** Reads of an index. */
interface KeysRead {
  /** The index, when this was found to be the same last. */
  index: object;
  /** The keys, with what was found. */
  readonly found: Map<string, unknown>;
  /** Whether it was found to have nothing; undefined where that was not asked. */
  isEmpty: boolean | undefined;
}

/** Everything that was read. */
interface Read {
  /** The parts that were read as a whole. */
  readonly parts: Map<Name, unknown>;
  /** Reads of each index. */
  readonly keys: Map<AnyIndex, KeysRead>;
  readonly values: ValueRead[];
  /** Whether the parts were listed: it matters then whether there are others. */
  isListed: boolean;
}

interface Last<Value> {
  readonly value: Value;
  readonly inputs: readonly unknown[];
  readonly read: Read;
  /** The parts of the last snapshot that it was found to be right for: mostly it is asked for several times about one. */
  snapshot: Parts;
  /** Every part of that snapshot that it depends on, also by other values: nothing else has to be looked at while they are the same. */
  names: readonly Name[];
  found: readonly unknown[];
}

/** Parts of a snapshot by their names, as far as they were asked for: what stands for each (`identityOf`), or a value that is no object. */
type Parts = Map<Name, unknown>;

const partsOf = lazyByObject((_snapshot: object): Parts => new Map());

/** A part of a snapshot: an object that stands for it, or the value itself if it is none. */
function partOf(snapshot: object, parts: Parts, name: Name): unknown {
  const known = parts.get(name);
  if (known !== undefined) return known;
  const value: unknown = Reflect.get(snapshot, name);
  const part = typeof value === 'object' && value !== null ? identityOf(value) : value;
  parts.set(name, part);
  return part;
}

/** The snapshots that record, with what they record for. */
const recorders = new WeakMap<object, { readonly snapshot: object; readonly read: Read }>();

/** The snapshot, which records what is read of it. */
function recording<Snapshot extends object>(snapshot: Snapshot, read: Read): Snapshot {
  const recorder = new Proxy(snapshot, {
    get(target, part) {
      read.parts.set(part, partOf(target, partsOf(target), part));
      return Reflect.get(target, part) as unknown;
    },
    has(target, part) {
      read.isListed = true;
      return Reflect.has(target, part);
    },
    ownKeys(target) {
      read.isListed = true;
      return Reflect.ownKeys(target);
    },
  });
  recorders.set(recorder, { snapshot, read });
  return recorder;
}

/** An index of a snapshot, whose reads are recorded if those of the snapshot are. */
export interface IndexReader<Found> {
  isEmpty(): boolean;
  get(key: string): Found | undefined;
}

/** Reads an index of a snapshot by keys. What is computed from them stays as long as the same objects are found under these, whatever else changes. */
export function readerOf<Snapshot extends object, Found>(
  snapshot: Snapshot,
  index: SnapshotIndex<Snapshot, Found>,
): IndexReader<Found> {
  const recorder = recorders.get(snapshot);
  if (recorder === undefined) {
    const read = index.of(snapshot);
    return { isEmpty: () => read.size === 0, get: (key) => read.get(key) };
  }
  const { keys } = recorder.read;
  // A recorder is made of a snapshot of the same type; the compiler cannot infer that from a map of all of them.
  const untyped = index as unknown as AnyIndex;
  const read = index.of(recorder.snapshot as Snapshot);
  const reads: KeysRead = keys.get(untyped) ?? { index: identityOf(read), found: new Map(), isEmpty: undefined };
  keys.set(untyped, reads);
  return {
    isEmpty: () => (reads.isEmpty = read.size === 0),
    get: (key) => {
      const found = read.get(key);
      reads.found.set(key, found);
      return found;
    },
  };
}

/** Reads what an index of a snapshot has under one key. */
export function readKey<Snapshot extends object, Found>(
  snapshot: Snapshot,
  index: SnapshotIndex<Snapshot, Found>,
  key: string,
): Found | undefined {
  return readerOf(snapshot, index).get(key);
}

/** Every part that a value depends on. */
function namesOf({ parts, keys, values }: Read): readonly Name[] {
  const names = new Set<Name>(parts.keys());
  for (const index of keys.keys()) for (const part of index.parts) names.add(part);
  for (const read of values) for (const name of read.names) names.add(name);
  return [...names];
}

/** Notes what a value depends on, as it is in a snapshot that the value is right for. @param isChanged whether a part may not be as it was noted last */
function settle(last: Last<unknown>, snapshot: object, isChanged: (name: Name) => boolean): void {
  const { keys, values } = last.read;
  let isNamed = last.names.length > 0;
  for (const read of values) {
    if (read.names.length > 0 && !read.names.some(isChanged)) continue;
    const { names } = read.ask(snapshot);
    isNamed &&= names === read.names;
    read.names = names;
  }
  for (const [index, read] of keys)
    if (index.parts.some(isChanged)) read.index = identityOf(index.of(snapshot as AnySnapshot));
  if (!isNamed) last.names = namesOf(last.read);
  last.snapshot = partsOf(snapshot);
  last.found = last.names.map((name) => partOf(snapshot, last.snapshot, name));
}

/** Whether an index has the same under the keys that were read of it. */
function isSameIndex({ index, found, isEmpty }: KeysRead, present: ReadonlyMap<string, unknown>): boolean {
  if (identityOf(present) === index) return true;
  if (isEmpty !== undefined && isEmpty !== (present.size === 0)) return false;
  const changed = changedKeys(index, present);
  if (changed === undefined || changed.size > found.size) {
    for (const [key, value] of found) if (present.get(key) !== value) return false;
    return true;
  }
  for (const key of changed) if (found.has(key) && present.get(key) !== found.get(key)) return false;
  return true;
}

/** Whether what was read in parts that have changed is the same. */
function isReadAgain({ parts, keys, values }: Read, snapshot: object, changed: ReadonlySet<Name>): boolean {
  const present = partsOf(snapshot);
  for (const [part, value] of parts) if (changed.has(part) && partOf(snapshot, present, part) !== value) return false;
  for (const [index, read] of keys) {
    const isChanged = index.parts.some((part) => changed.has(part));
    if (isChanged && !isSameIndex(read, index.of(snapshot as AnySnapshot))) return false;
  }
  return values.every(
    ({ ask, value, names }) => !names.some((name) => changed.has(name)) || ask(snapshot).value === value,
  );
}

function isRightFor(last: Last<unknown>, snapshot: object): boolean {
  const parts = partsOf(snapshot);
  if (last.snapshot === parts) return true;
  if (last.read.isListed) return false;
  const { names, found } = last;
  let changed: Set<Name> | undefined;
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] ?? '';
    if (partOf(snapshot, parts, name) !== found[index]) (changed ??= new Set()).add(name);
  }
  if (changed === undefined) {
    last.snapshot = parts;
    return true;
  }
  if (!isReadAgain(last.read, snapshot, changed)) return false;
  const different = changed;
  settle(last, snapshot, (name) => different.has(name));
  return true;
}

/**
 * Caches the last value of each object: it is computed again when one of the inputs, what was read of the snapshot for it, or another cached value that was
 * asked for is another object.
 *
 * @returns a function of the object, the inputs besides the snapshot, the snapshot, and the computation. This must read the snapshot that it is given, and
 * nothing of it after it has returned.
 */
export function lastByReads<Snapshot extends object, Value>(): (
  key: object,
  inputs: readonly unknown[],
  snapshot: Snapshot,
  compute: (snapshot: Snapshot) => Value,
) => Value {
  const cached = new WeakMap<object, Last<Value>>();
  return (key, inputs, asked, compute) => {
    const ask = (snapshot: Snapshot): Last<Value> => {
      const known = cached.get(key);
      if (known !== undefined && isSameList(known.inputs, inputs) && isRightFor(known, snapshot)) return known;
      const read: Read = { parts: new Map(), keys: new Map(), values: [], isListed: false };
      const value = compute(recording(snapshot, read));
      const last: Last<Value> = { value, inputs, read, snapshot: partsOf(snapshot), names: [], found: [] };
      settle(last, snapshot, () => true);
      cached.set(key, last);
      return last;
    };
    const recorder = recorders.get(asked);
    if (recorder === undefined) return ask(asked).value;
    // As above, the snapshot of a recorder has its type.
    const askUntyped = ask as (snapshot: object) => Last<Value>;
    const { value, read } = askUntyped(recorder.snapshot);
    recorder.read.values.push({ ask: askUntyped, value, names: [] });
    if (read.isListed) recorder.read.isListed = true;
    return value;
  };
}
