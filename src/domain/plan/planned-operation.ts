import { diffNode } from '../diff/diff-node.ts';
import type { Command } from '../operations/operation.ts';
import { applyOperation, meaningOf, type Operation } from '../operations/operation-kinds.ts';
import { withSettledLedger } from '../ownership/restored.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { NodePlan } from './node-plan.ts';

/** One operation that brings a node to its plan, and what would be run for it. */
export interface PlannedOperation {
  readonly operation: Operation;
  /** As it is once the operations before this one are done. */
  readonly command: Command;
}

/**
 * The operations that bring a node to its plan, in order.
 *
 * Each command is made for the node as those before it leave it: a change of a text that is shared with others replaces what the one before
 * has made of it. An operation that the node refuses leaves it as it is.
 */
export function plannedOperations(plan: NodePlan, node: NodeSnapshot): readonly PlannedOperation[] {
  let before = withSettledLedger(node);
  return diffNode(plan, node).map((operation) => {
    const command = meaningOf(operation).command(operation, before);
    const change = applyOperation(operation, before);
    if (change.done) before = change.node;
    return { operation, command };
  });
}
