import type { ClusterSnapshot } from '../domain/snapshot/cluster-snapshot.ts';
import type { InputProblem, Reading } from './input-problem.ts';

/**
 * A cluster's objects, and the files that they came from.
 *
 * What changed from one reading of a source to the next is told by identity: a source shares the snapshot, each list and each object that did not
 * change. So whoever keeps the former snapshot gets kind and key of every change from `changedObjects`, and indexes are kept for each list.
 */
export interface ClusterReading {
  readonly snapshot: ClusterSnapshot;
  /** The file of each object that came from one, by `Kind/name` or `Kind/namespace/name`. */
  readonly origins: ReadonlyMap<string, string>;
  /** Problems that do not keep the objects from being used. */
  readonly warnings: readonly InputProblem[];
}

/** Where a cluster's objects come from. */
export interface ClusterSource {
  /** Reads every object: either all are usable, or every problem is returned. Never throws for bad input. */
  read(): Promise<Reading<ClusterReading>>;
}
