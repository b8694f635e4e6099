import type { UplinkState } from '../domain/api/uplink-state.ts';
import type { CarriedOut } from './carried-out.ts';
import type { ClusterReading } from './cluster-source.ts';
import type { Reading } from './input-problem.ts';
import type { Observed } from './observed.ts';

/** A condition with the moment at which its status became what it is. */
export interface StoredCondition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
  /** RFC 3339, UTC, seconds. */
  readonly lastTransitionTime: string;
}

/** What the cluster's controller says of an object that people write. */
export interface ObjectStatus {
  readonly kind: 'Uplink' | 'ClusterUserDefinedNetwork';
  readonly name: string;
  /** All that shall stand there, others' included; absent where the kind has none of ours. */
  readonly finalizers?: readonly string[];
  /** Those of this project; others' conditions stay. */
  readonly conditions: readonly StoredCondition[];
}

/**
 * The cluster's objects, and what this project says of them. Other than `Observed` says of reading in general, an object that was usable and is not
 * any more stays in use as it was, with a warning. What is written by this store itself need not be told to its listener; it is in the next reading.
 */
export interface ResourceStore extends Observed<Reading<ClusterReading>> {
  /**
   * Writes an UplinkState, all of it: made where there is none. Nobody ever reads a half of it. Never rejects.
   *
   * @param state as it shall stand, conditions with their lastTransitionTime
   */
  writeState(state: UplinkState): Promise<CarriedOut>;
  /** Deletes an UplinkState. One that is gone already is as good. Never rejects. */
  deleteState(name: string): Promise<CarriedOut>;
  /** Writes what is said of an Uplink or a network, which goes when the object goes. Of one that is gone it is refused. Never rejects. */
  writeStatus(status: ObjectStatus): Promise<CarriedOut>;
}
