import { diffNode } from '../../diff/diff-node.ts';
import type { Command } from '../../entities/command.ts';
import type { Operation } from '../../entities/operations/operation.ts';
import { applyOperation, isOn, semanticsOf } from '../../entities/operations/operation-semantics.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { NodePlan } from '../../plan/node-plan.ts';

/** An operation of a plan, and its command. */
export interface PlannedOperation {
  readonly operation: Operation;
  /** Its command after the operations before it; absent if no single program does it. */
  readonly command: Command | undefined;
}

/**
 * Operations with their commands, each for the node as the operations before it leave it.
 *
 * A command reads nothing of a node but texts that are shared and replaced as a whole, such as the bridge mappings. So only operations that change
 * such a text are applied to the node here: the cost is linear in the number of networks.
 */
export function withCommands(operations: readonly Operation[], node: NodeSnapshot): readonly PlannedOperation[] {
  let before = node;
  return operations.map((operation) => {
    const command = semanticsOf(operation).command(operation, before);
    const isShared = isOn(operation, 'bridge-mapping') || isOn(operation, 'interconnection');
    const change = isShared ? applyOperation(operation, before) : undefined;
    // A refused operation leaves the node as it is.
    if (change?.done === true) before = change.node;
    return { operation, command };
  });
}

/** The operations of a plan, in order. */
export function plannedOperations(plan: NodePlan, node: NodeSnapshot): readonly PlannedOperation[] {
  return withCommands(diffNode(plan, node), node);
}
