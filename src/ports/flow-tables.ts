import type { KindNameOfPort, SetKindName } from '../domain/entities/entity-kinds.ts';
import type { EntityOperation, SetOperation } from '../domain/operations/operation.ts';
import type { DatapathSnapshot } from '../domain/snapshot/datapath.ts';
import type { Bridge } from '../domain/snapshot/node-snapshot.ts';
import type { ApplyResult } from './apply-result.ts';
import type { Reading } from './input-problem.ts';
import type { SwitchSnapshot } from './switch-database.ts';

/** What a node snapshot has of the switches themselves. */
export type FlowSnapshot = Pick<DatapathSnapshot, 'flows' | 'fdbEntries' | 'noFloodPorts' | 'bridgesWithoutSwitch'>;

/** An operation on flows, port settings or the MAC learning table of a bridge. */
export type FlowOperation =
  EntityOperation<KindNameOfPort<'flowTables'>> | SetOperation<KindNameOfPort<'flowTables'> & SetKindName>;

/** What Open vSwitch's bridges do, which its database does not have: flows, port settings, static entries of the MAC learning table. */
export interface FlowTables {
  /**
   * Reads it of all bridges but OVN's integration bridge, or returns problems of some. What has not changed is the same object from one reading to the next.
   * Never rejects.
   *
   * @param switches as the database has them, for the numbers of their ports. A bridge has nothing while its switch is not there, or does not let itself be
   *   programmed; why is told when it is to be changed.
   */
  read(switches: SwitchSnapshot): Promise<Reading<FlowSnapshot>>;
  /**
   * Applies an operation; changes of flows take effect together. A change that the switch refuses, or whose port has no number yet, is left out and
   * reported, and the others are made. So is a flow that would replace one which another program has added since the last reading; one that is added in the
   * few milliseconds between this check and the change is replaced: OpenFlow cannot add a flow on condition that there is none. Connections with a source that
   * no flow translates to any more are ended. Never rejects.
   *
   * @param bridges as the database has them
   */
  apply(operation: FlowOperation, bridges: readonly Bridge[]): Promise<ApplyResult>;
  /**
   * Calls a listener whenever another program may have changed something on a bridge that was read: a flow, or everything, as the switch was started again.
   * May call it too often; not for FDB entries, whose changes Open vSwitch does not report: they are read again after some minutes. What `apply` changes
   * is only read again. One listener; it must not throw.
   */
  onChange(listener: () => void): void;
  /** Releases all resources; pending reads fail. Never rejects. */
  close(): Promise<void>;
}
