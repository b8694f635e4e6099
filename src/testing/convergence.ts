import {
  type ClusterSnapshot,
  diffNode,
  type NodePlan,
  type NodeSettings,
  type NodeSnapshot,
  type Operation,
  planNode,
} from '../domain/index.ts';
import { LawViolation } from './laws/violation.ts';
import { NodeModel } from './node-model.ts';

/** What became of a node once its plan was carried out. */
export interface Convergence {
  readonly node: NodeSnapshot;
  readonly plan: NodePlan;
  readonly operations: readonly Operation[];
}

/**
 * Does operations to a model of a node.
 *
 * @param law what is being tried, for the message.
 * @throws LawViolation where one of the operations is nonsense.
 */
export function applyAll(law: string, node: NodeSnapshot, operations: readonly Operation[]): NodeSnapshot {
  const model = new NodeModel(node);
  for (const operation of operations) {
    try {
      model.apply(operation);
    } catch (error) {
      throw new LawViolation(law, `a planned operation cannot be done: ${String(error)}`);
    }
  }
  return model.snapshot;
}

/**
 * Plans a node and carries the plan out on a model of it.
 *
 * @param law what is being tried, for the message.
 * @throws LawViolation where an operation cannot be done.
 */
export function converge(
  law: string,
  cluster: ClusterSnapshot,
  node: NodeSnapshot,
  settings: NodeSettings,
): Convergence {
  const plan = planNode(cluster, node, settings);
  const operations = diffNode(plan, node);
  return { node: applyAll(law, node, operations), plan, operations };
}
