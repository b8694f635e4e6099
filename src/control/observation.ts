import type { ClusterSnapshot } from '../domain/snapshot/cluster-snapshot.ts';
import type { NodeSnapshot } from '../domain/snapshot/node-snapshot.ts';
import type { InputProblem } from '../ports/input-problem.ts';

/** The input of a node's plan. */
export interface Observation {
  readonly cluster: ClusterSnapshot;
  readonly node: NodeSnapshot;
  /** Problems of usable cluster objects. */
  readonly warnings: readonly InputProblem[];
}
