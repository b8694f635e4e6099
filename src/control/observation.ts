import type { ClusterSnapshot } from '../domain/snapshot/cluster-snapshot.ts';
import type { NodeSnapshot } from '../domain/snapshot/node-snapshot.ts';
import type { InputProblem } from '../ports/input-problem.ts';

/** Everything that a node's plan is made from, as it was at one moment. */
export interface Observation {
  readonly cluster: ClusterSnapshot;
  readonly node: NodeSnapshot;
  /** What is odd about the cluster's objects and does not keep them from being used. */
  readonly warnings: readonly InputProblem[];
}
