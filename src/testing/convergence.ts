import type { ClusterSnapshot, NodePlan, NodeSettings, NodeSnapshot, Operation } from '../domain/index.ts';
import type { Engine } from './engine.ts';
import { type LawName, LawViolation } from './laws/violation.ts';
import { NodeModel } from './node-model.ts';

/** The input of a node's plan, besides the node itself. */
export interface Surroundings {
  readonly cluster: ClusterSnapshot;
  readonly settings: NodeSettings;
}

/** A plan that was applied to the model of a node. */
export interface Convergence {
  /** The node afterwards. */
  readonly node: NodeSnapshot;
  readonly plan: NodePlan;
  readonly operations: readonly Operation[];
  /** The node before the first operation and after each of them. */
  readonly states: readonly NodeSnapshot[];
}

/** The node before the first operation and after each of them. @throws LawViolation where the model refuses an operation. */
export function statesOf(law: LawName, node: NodeSnapshot, operations: readonly Operation[]): readonly NodeSnapshot[] {
  const model = new NodeModel(node);
  const after = operations.map((operation) => {
    try {
      model.apply(operation);
    } catch (error) {
      throw new LawViolation(law, `a planned operation is refused: ${String(error)}`);
    }
    return model.snapshot;
  });
  return [node, ...after];
}

/** The node after some operations. @throws LawViolation where the model refuses one of them. */
export function applyAll(law: LawName, node: NodeSnapshot, operations: readonly Operation[]): NodeSnapshot {
  return statesOf(law, node, operations).at(-1) ?? node;
}

/** The work of an engine on a node: its plan, and the operations for it. */
interface Planned {
  readonly plan: NodePlan;
  readonly operations: readonly Operation[];
}

/** Plans a node, and finds the operations for that. */
export function decide(engine: Engine, { cluster, settings }: Surroundings, node: NodeSnapshot): Planned {
  const plan = engine.planNode(cluster, node, settings);
  return { plan, operations: engine.diffNode(plan, node) };
}

/** Plans a node and applies the operations to a model of it. @throws LawViolation where the model refuses an operation. */
export function converge(engine: Engine, law: LawName, surroundings: Surroundings, node: NodeSnapshot): Convergence {
  const { plan, operations } = decide(engine, surroundings, node);
  const states = statesOf(law, node, operations);
  return { node: states.at(-1) ?? node, plan, operations, states };
}

/** The node after the first operation of its plan; undefined where nothing is to do. @throws LawViolation where the model refuses it. */
export function afterFirst(
  engine: Engine,
  law: LawName,
  surroundings: Surroundings,
  node: NodeSnapshot,
): NodeSnapshot | undefined {
  const [first] = decide(engine, surroundings, node).operations;
  return first && applyAll(law, node, [first]);
}
