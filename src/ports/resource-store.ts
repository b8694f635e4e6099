import type { UplinkState } from '../domain/api/uplink-state.ts';
import type { TimedCondition } from '../domain/status/transition-times.ts';
import type { ApplyResult } from './apply-result.ts';
import type { ClusterReading } from './cluster-source.ts';
import type { Reading } from './input-problem.ts';
import type { Observed } from './observed.ts';

/** Status that the cluster manager writes to an object that users create. */
export interface ObjectStatus {
  readonly kind: 'Uplink' | 'ClusterUserDefinedNetwork';
  readonly name: string;
  /** All finalizers, including those of others; absent for a kind without managed ones. */
  readonly finalizers?: readonly string[];
  /** Our conditions; those of others are kept. */
  readonly conditions: readonly TimedCondition[];
}

/**
 * The objects of the cluster, and writes to them. The last valid version of an object stays in use while the current one is invalid, with a warning. One
 * of which no version was valid since the start does not count as absent: the reading names it as unreadable, or there is no reading.
 * Readings share what did not change (`ClusterReading`). The listener need not be called for our own writes; the next reading includes them.
 */
export interface ResourceStore extends Observed<Reading<ClusterReading>> {
  /**
   * Writes or creates a whole UplinkState, atomically. Never rejects.
   *
   * @param state its conditions with lastTransitionTime
   */
  writeState(state: UplinkState): Promise<ApplyResult>;
  /** Deletes an UplinkState; succeeds if there is none. Never rejects. */
  deleteState(name: string): Promise<ApplyResult>;
  /** Writes conditions and finalizers of an Uplink or a network; fails if it does not exist. They are deleted with the object. Never rejects. */
  writeStatus(status: ObjectStatus): Promise<ApplyResult>;
}
