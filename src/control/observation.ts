import type { ClusterSnapshot } from '../domain/snapshot/cluster-snapshot.ts';
import type { NodeSnapshot } from '../domain/snapshot/node-snapshot.ts';
import type { InputProblem } from '../ports/input-problem.ts';

/** The input of a node's plan at one moment. */
export interface Observation {
  readonly cluster: ClusterSnapshot;
  readonly node: NodeSnapshot;
  /** Problems of the cluster's objects that do not keep them from being used. */
  readonly warnings: readonly InputProblem[];
}
