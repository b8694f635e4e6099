import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import type { InputProblem, Reading } from '../input-problem.ts';

/**
 * The objects of a cluster, and their files.
 *
 * Readings of a source share the snapshot, each list and each object that did not change: `changedObjects` compares identities, and indexes are cached
 * for each list.
 */
export interface ClusterReading {
  /** An object that exists and cannot be read is not absent: `ClusterSnapshot.unreadable` names it, or nothing is read. */
  readonly snapshot: ClusterSnapshot;
  /** The file of each object, if any, by `Kind/name` or `Kind/namespace/name`. */
  readonly origins: ReadonlyMap<string, string>;
  /** Problems of usable objects. */
  readonly warnings: readonly InputProblem[];
}

/** A source of cluster objects. */
export interface ClusterSource {
  /** Reads all objects, or returns every problem. Never throws for bad input. */
  read(): Promise<Reading<ClusterReading>>;
}
