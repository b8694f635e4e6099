import type { ClusterSnapshot } from '../domain/snapshot/cluster-snapshot.ts';
import type { InputProblem, Reading } from './input-problem.ts';

/** A cluster's objects and where each of them came from. */
export interface ClusterReading {
  readonly snapshot: ClusterSnapshot;
  /** The file of each object, by `Kind/name` or `Kind/namespace/name`. */
  readonly origins: ReadonlyMap<string, string>;
  /** What is odd about the objects and does not keep them from being used. */
  readonly warnings: readonly InputProblem[];
}

/** Where a cluster's objects come from. */
export interface ClusterSource {
  /** Reads every object; either all of it is usable or every problem comes back. Never throws for bad input. */
  read(): Promise<Reading<ClusterReading>>;
}
