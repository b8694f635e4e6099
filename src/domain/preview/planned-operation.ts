import { diffNode } from '../diff/diff-node.ts';
import type { Command } from '../entities/command.ts';
import type { Operation } from '../operations/operation.ts';
import { applyOperation, isOn, meaningOf } from '../operations/operation-meaning.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { NodePlan } from '../plan/node-plan.ts';

/** One operation that brings a node to its plan, and what would be run for it. */
export interface PlannedOperation {
  readonly operation: Operation;
  /** As it is once the operations before this one are done; absent where no single program does it. */
  readonly command: Command | undefined;
}

/**
 * Operations with their commands, as they are if these operations alone are done, in this order.
 *
 * Each command is made for the node as those before it leave it. All that a command reads of a node is a text that is shared with others
 * and replaced as a whole, so only what changes such a text is done to the node here: many networks cost as much as each of them.
 */
export function withCommands(operations: readonly Operation[], node: NodeSnapshot): readonly PlannedOperation[] {
  let before = node;
  return operations.map((operation) => {
    const command = meaningOf(operation).command(operation, before);
    const change = isOn(operation, 'bridge-mapping') ? applyOperation(operation, before) : undefined;
    // One that the node refuses leaves it as it is.
    if (change?.done === true) before = change.node;
    return { operation, command };
  });
}

/** The operations that bring a node to its plan, in order. */
export function plannedOperations(plan: NodePlan, node: NodeSnapshot): readonly PlannedOperation[] {
  return withCommands(diffNode(plan, node), node);
}
