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
