/**
 * Values that are computed from a snapshot, cached as long as everything that was read for them is the same.
 *
 * An observation reads the parts that have changed, and shares the others with the snapshot before. What is computed from a snapshot is given one that
 * records which parts are read, so no dependency can be forgotten.
 */
import { isSameList } from './list-changes.ts';

/** The parts that were read, as they were. */
interface Read {
  readonly parts: Map<string | symbol, unknown>;
  /** Whether the parts were listed: it matters then whether there are others. */
  isListed: boolean;
  /** Other cached values that were asked for: they may stay the same though parts that they are computed from change. */
  readonly values: (readonly [ask: (snapshot: object) => unknown, value: unknown])[];
}

/** The snapshots that record, with what they record for. */
const recorders = new WeakMap<object, { readonly snapshot: object; readonly read: Read }>();

/** The snapshot, which records what is read of it. */
function recording<Snapshot extends object>(snapshot: Snapshot, read: Read): Snapshot {
  const recorder = new Proxy(snapshot, {
    get(target, part) {
      const value: unknown = Reflect.get(target, part);
      read.parts.set(part, value);
      return value;
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

interface Last<Value> {
  readonly value: Value;
  readonly inputs: readonly unknown[];
  /** The last snapshot that it was found to be right for: mostly it is asked for several times about one. */
  snapshot: object;
  readonly read: Read;
}

function isRightFor(last: Last<unknown>, snapshot: object): boolean {
  if (last.snapshot === snapshot) return true;
  const { isListed, parts, values } = last.read;
  if (isListed) return false;
  for (const [part, value] of parts) if (Reflect.get(snapshot, part) !== value) return false;
  if (!values.every(([ask, value]) => ask(snapshot) === value)) return false;
  last.snapshot = snapshot;
  return true;
}

/**
 * Caches the last value of each object: it is computed again when one of the inputs, a part of the snapshot that was read for it, or another cached value
 * that was asked for is another object.
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
    const ask = (snapshot: Snapshot): Value => {
      const known = cached.get(key);
      if (known !== undefined && isSameList(known.inputs, inputs) && isRightFor(known, snapshot)) return known.value;
      const read: Read = { parts: new Map(), isListed: false, values: [] };
      const value = compute(recording(snapshot, read));
      cached.set(key, { value, inputs, snapshot, read });
      return value;
    };
    const recorder = recorders.get(asked);
    if (recorder === undefined) return ask(asked);
    // A recorder is made of a snapshot of the same type; the compiler cannot infer that from a map of all of them.
    const askUntyped = ask as (snapshot: object) => Value;
    const value = askUntyped(recorder.snapshot);
    recorder.read.values.push([askUntyped, value]);
    return value;
  };
}
