/**
 * Values that are computed from a node, cached as long as everything that was read for them is the same.
 *
 * An observation reads the parts of a node that have changed, and shares the others with the one before. What is computed from a node is given one that
 * records which parts are read, so no dependency can be forgotten.
 */
import { isSameList } from '../lazy.ts';
import type { NodeSnapshot } from './node-snapshot.ts';
import { type NodeView, viewNode } from './node-view.ts';

/** The parts that were read, as they were. */
interface Read {
  readonly parts: Map<string | symbol, unknown>;
  /** Whether the parts were listed: it matters then whether there are others. */
  isListed: boolean;
  /** Other cached values that were asked for: they may stay the same though parts that they are computed from change. */
  readonly values: (readonly [ask: (node: NodeSnapshot) => unknown, value: unknown])[];
}

/** The nodes that record, with what they record for. */
const recorders = new WeakMap<NodeSnapshot, { readonly node: NodeSnapshot; readonly read: Read }>();

/** The node, which records what is read of it. */
function recording(node: NodeSnapshot, read: Read): NodeSnapshot {
  const recorder = new Proxy(node, {
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
  recorders.set(recorder, { node, read });
  return recorder;
}

interface Made<Value> {
  readonly value: Value;
  readonly inputs: readonly unknown[];
  /** The last node that it was found to be right for: mostly it is asked for several times about one node. */
  node: NodeSnapshot;
  readonly read: Read;
}

function isRightFor(made: Made<unknown>, node: NodeSnapshot): boolean {
  if (made.node === node) return true;
  const { isListed, parts, values } = made.read;
  if (isListed) return false;
  for (const [part, value] of parts) if (Reflect.get(node, part) !== value) return false;
  if (!values.every(([ask, value]) => ask(node) === value)) return false;
  made.node = node;
  return true;
}

/**
 * Caches the last value of each object: it is computed again when one of the inputs, a part of the node that was read for it, or another cached value
 * that was asked for is another object.
 *
 * @returns a function of the object, the inputs besides the node, the node, and the computation. This must read the node that it is given, and nothing of
 * it after it has returned.
 */
export function lastByReadParts<Value>(): (
  key: object,
  inputs: readonly unknown[],
  node: NodeView,
  make: (node: NodeView) => Value,
) => Value {
  const made = new WeakMap<object, Made<Value>>();
  return (key, inputs, { snapshot }, make) => {
    const ask = (node: NodeSnapshot): Value => {
      const known = made.get(key);
      if (known !== undefined && isSameList(known.inputs, inputs) && isRightFor(known, node)) return known.value;
      const read: Read = { parts: new Map(), isListed: false, values: [] };
      const value = make(viewNode(recording(node, read)));
      made.set(key, { value, inputs, node, read });
      return value;
    };
    const recorder = recorders.get(snapshot);
    if (recorder === undefined) return ask(snapshot);
    const value = ask(recorder.node);
    recorder.read.values.push([ask, value]);
    return value;
  };
}
