import type { ObjectWrite } from '../../domain/objects/object-write.ts';
import type { ApplyResult } from '../apply-result.ts';
import type { ClusterReading } from './cluster-source.ts';
import type { Reading } from '../input-problem.ts';
import type { Observed } from '../observed.ts';

/**
 * The objects of the cluster, and writes to them. The last valid version of an object stays in use while the current one is invalid, with a warning. One
 * of which no version was valid since the start does not count as absent: the reading names it as unreadable, or there is no reading.
 * Readings share what did not change (`ClusterReading`). The listener need not be called for our own writes; the next reading includes them.
 */
export interface ResourceStore extends Observed<Reading<ClusterReading>> {
  /**
   * Writes one object, after the former writes of it. Never rejects.
   *
   * It fails if there is no such object, unless its kind is created. Once an object is gone, nothing is left to write a status to: then that succeeds, also
   * with metadata beside it, and metadata or a spec alone fail. Deleting succeeds if there is no object. Claims of ids are not stored if the stored ones, or the reports of nodes that let claims end, are not those that the change was decided on.
   */
  write(write: ObjectWrite): Promise<ApplyResult>;
}
