import type { KindNameOfPort, SetKindName } from '../domain/entities/entity-kinds.ts';
import type { EntityOperation, SetOperation } from '../domain/operations/operation.ts';
import type { DatapathSnapshot } from '../domain/snapshot/datapath.ts';
import type { Bridge } from '../domain/snapshot/node-snapshot.ts';
import type { ApplyResult } from './apply-result.ts';
import type { Reading } from './input-problem.ts';

/** What a node snapshot has of the switches themselves. */
export type FlowSnapshot = Pick<DatapathSnapshot, 'flows' | 'fdbEntries' | 'noFloodPorts'>;

/** An operation on flows, port settings or the MAC learning table of a bridge. */
export type FlowOperation =
  EntityOperation<KindNameOfPort<'flowTables'>> | SetOperation<KindNameOfPort<'flowTables'> & SetKindName>;

/** What Open vSwitch's bridges do, which its database does not have: flows, port settings, static entries of the MAC learning table. */
export interface FlowTables {
  /**
   * Reads it of some bridges, or returns every problem. Never rejects.
   *
   * @param bridges as the database has them, for the numbers of their ports. A bridge whose switch is not there yet has nothing.
   */
  read(bridges: readonly Bridge[]): Promise<Reading<FlowSnapshot>>;
  /**
   * Applies an operation; changes of flows take effect together. A change that the switch refuses, or whose port has no number yet, is left out and
   * reported, and the others are made. Never rejects.
   *
   * @param bridges as of `read`
   */
  apply(operation: FlowOperation, bridges: readonly Bridge[]): Promise<ApplyResult>;
  /**
   * Calls a listener whenever something may have changed on a bridge that was read: a flow, or everything, as the switch was started again. May call it
   * too often. One listener; it must not throw.
   */
  onChange(listener: () => void): void;
  /** Releases all resources; pending reads fail. Never rejects. */
  close(): Promise<void>;
}
