import type { KindNameOfPort, SetKindName } from '../../domain/entities/entity-kinds.ts';
import type { EntityOperation, SetOperation } from '../../domain/entities/operations/operation.ts';
import type { DatapathSnapshot } from '../../domain/snapshot/datapath.ts';
import type { Bridge } from '../../domain/snapshot/node-snapshot.ts';
import type { ApplyResult } from '../apply-result.ts';
import type { Reading } from '../input-problem.ts';
import type { SwitchSnapshot } from './switch-database.ts';

/** The part of a node snapshot that is read from the switches themselves. */
export type FlowSnapshot = Pick<DatapathSnapshot, 'flows' | 'fdbEntries' | 'noFloodPorts' | 'bridgesWithoutSwitch'>;

/** An operation on flows, port settings or the MAC learning table of a bridge. */
export type FlowOperation =
  EntityOperation<KindNameOfPort<'flowTables'>> | SetOperation<KindNameOfPort<'flowTables'> & SetKindName>;

/** The part of Open vSwitch's bridges that is not in its database: flows, port settings, static entries of the MAC learning table. */
export interface FlowTables {
  /**
   * Reads all bridges but OVN's integration bridge, or returns the problems of some. What has not changed is the same object in consecutive readings.
   * Never rejects.
   *
   * @param switches as in the database, for the numbers of ports. A bridge is empty while its switch is missing or refuses OpenFlow connections; the
   * reason is reported when it has to be changed.
   */
  read(switches: SwitchSnapshot): Promise<Reading<FlowSnapshot>>;
  /**
   * Applies an operation; changes of flows take effect together. Changes that the switch refuses, whose port has no number yet, or which would
   * replace a flow that another program has added since the last reading, are left out and reported. OpenFlow has no conditional addition, so a flow
   * that is added in the few milliseconds after this check is replaced. Connections with a source that no flow translates to any more are deleted.
   * Never rejects.
   *
   * @param bridges as in the database
   */
  apply(operation: FlowOperation, bridges: readonly Bridge[]): Promise<ApplyResult>;
  /**
   * Calls a listener whenever another program may have changed a flow of a bridge that was read, or everything when the switch was restarted; may
   * call it too often. Not for FDB entries, whose changes Open vSwitch does not report: they are read again after some minutes. Changes by `apply`
   * are not reported. One listener; it must not throw.
   */
  onChange(listener: () => void): void;
  /** Releases all resources; pending reads fail. Never rejects. */
  close(): Promise<void>;
}
