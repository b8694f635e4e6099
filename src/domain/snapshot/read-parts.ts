import { pairKeys } from '../basics/incremental/interned.ts';
import { lastByReads } from '../basics/incremental/recorded-reads.ts';
import type { NodeSnapshot } from './node-snapshot.ts';
import { type NodeView, viewNode } from './node-view.ts';

/** Caches the last value of each object that is computed from a view of a node, as long as what was read of the node for it is the same (docs/design/node-plan.md). */
export function lastByReadParts<Value>(): (
  key: object,
  inputs: readonly unknown[],
  node: NodeView,
  compute: (node: NodeView) => Value,
) => Value {
  const last = lastByReads<NodeSnapshot, Value>();
  return (key, inputs, { snapshot }, compute) => last(key, inputs, snapshot, (node) => compute(viewNode(node)));
}

/** Caches the last value of each pair of an object and a name, likewise. */
export function lastByReadPartsOfPair<Value>(): (
  pair: readonly [object: object, name: string],
  inputs: readonly unknown[],
  node: NodeView,
  compute: (node: NodeView) => Value,
) => Value {
  const [keyOf, last] = [pairKeys(), lastByReadParts<Value>()];
  return ([object, name], inputs, node, compute) => last(keyOf(object, name), inputs, node, compute);
}
