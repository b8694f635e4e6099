import type { UplinkState } from '../domain/api/uplink-state.ts';
import type { ApplyResult } from './apply-result.ts';
import type { ClusterReading } from './cluster-source.ts';
import type { Reading } from './input-problem.ts';
import type { Observed } from './observed.ts';

/** A condition with the time of its last transition. */
export interface StoredCondition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
  /** RFC 3339, UTC, seconds. */
  readonly lastTransitionTime: string;
}

/** What the cluster manager writes to an object that people write. */
export interface ObjectStatus {
  readonly kind: 'Uplink' | 'ClusterUserDefinedNetwork';
  readonly name: string;
  /** All that are to be there, others' included; absent where the kind has none of ours. */
  readonly finalizers?: readonly string[];
  /** Ours; others' conditions stay. */
  readonly conditions: readonly StoredCondition[];
}

/**
 * The cluster's objects, and what this project writes to them. Unlike `Observed` in general, an object that was usable and is not any more stays in
 * use as it was, with a warning. Readings share what did not change (`ClusterReading`). Its own writes need not be reported to the listener; they are
 * in the next reading.
 */
export interface ResourceStore extends Observed<Reading<ClusterReading>> {
  /**
   * Writes a whole UplinkState, or creates it. Nobody ever reads a part of it. Never rejects.
   *
   * @param state its conditions with lastTransitionTime
   */
  writeState(state: UplinkState): Promise<ApplyResult>;
  /** Deletes an UplinkState; succeeds where there is none. Never rejects. */
  deleteState(name: string): Promise<ApplyResult>;
  /** Writes conditions and finalizers of an Uplink or a network; refused where that does not exist. They go with the object. Never rejects. */
  writeStatus(status: ObjectStatus): Promise<ApplyResult>;
}
