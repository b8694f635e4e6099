/**
 * How a fault is put into an engine.
 */
import {
  type ClusterSnapshot,
  semanticsOf,
  type NodePlan,
  type NodeSnapshot,
  type Operation,
} from '../../domain/index.ts';
import { narrowed, type SingleOperation } from '../../domain/entities/operations/operation.ts';
import { applyOperation } from '../../domain/entities/operations/operation-semantics.ts';
import { type Engine, engine } from '../engine.ts';
import type { LawName } from '../laws/violation.ts';

/** An engine with one fault, which a law must find. */
export interface SeededFault {
  readonly law: LawName;
  /** For a person, in a sentence without its full stop. */
  readonly fault: string;
  readonly engine: Engine;
}

/** An engine whose operations are changed. */
export function withOperations(
  change: (operations: readonly Operation[], node: NodeSnapshot, plan: NodePlan) => readonly Operation[],
): Engine {
  return { ...engine, diffNode: (plan, node) => change(engine.diffNode(plan, node), node, plan) };
}

/** An engine that forgets changes, also those that are made together with others. */
export function without(isForgotten: (change: SingleOperation) => boolean): Engine {
  return withOperations((operations) =>
    operations.flatMap((operation) => narrowed(operation, (change) => !isForgotten(change))),
  );
}

/** An engine whose plans of nodes are changed. */
export function withPlan(change: (plan: NodePlan, cluster: ClusterSnapshot) => NodePlan): Engine {
  return {
    ...engine,
    planNode: (cluster, node, settings) => change(engine.planNode(cluster, node, settings), cluster),
  };
}

/** An engine that plans from another cluster or node than it is given. */
export function withOtherInput(see: {
  readonly cluster?: (cluster: ClusterSnapshot) => ClusterSnapshot;
  readonly node?: (node: NodeSnapshot) => NodeSnapshot;
}): Engine {
  return {
    ...engine,
    planNode: (cluster, node, settings) =>
      engine.planNode(see.cluster?.(cluster) ?? cluster, see.node?.(node) ?? node, settings),
  };
}

/** Whether an operation removes something. */
export function isRemoval(operation: Operation): boolean {
  return semanticsOf(operation).mark === '-';
}

/** The operations that remove all managed entities, and then bring the node to its plan. */
export function rebuild(node: NodeSnapshot, plan: NodePlan): readonly Operation[] {
  const removals = engine.diffNode({ ...plan, dataplane: { ...plan.dataplane, programmed: [], desired: [] } }, node);
  const emptied = removals.reduce((before, operation) => {
    const change = applyOperation(operation, before);
    return change.done ? change.node : before;
  }, node);
  return [...removals, ...engine.diffNode(plan, emptied)];
}
