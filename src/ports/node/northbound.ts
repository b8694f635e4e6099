import type { NorthboundOperation } from '../../domain/entities/operations/northbound-changes.ts';
import type { DatapathSnapshot } from '../../domain/snapshot/datapath.ts';
import type { ApplyResult } from '../apply-result.ts';
import type { Reading } from '../input-problem.ts';
import type { Observed } from '../observed.ts';

/** The part of a node snapshot that is read from OVN's Northbound database. */
export type NorthboundSnapshot = Pick<DatapathSnapshot, 'northbound' | 'isNorthboundRead' | 'missingNorthboundColumns'>;

export type { NorthboundOperation };

/** OVN's Northbound database on the node. A row that did not change is the same object in consecutive readings. */
export interface Northbound extends Observed<Reading<NorthboundSnapshot>> {
  /**
   * Applies an operation in one transaction, which fails as a whole if another program has changed one of the rows since they were read. Resolves
   * once the node's ovn-controller has processed the change (ovn-nb(5), NB_Global, hv_cfg) and, where that can be seen, its flows are there; except for rows of
   * a router whose port is still closed: the operation that opens it is confirmed. What OVN has not confirmed is read as such, until the same operation is
   * applied again and confirmed. Router ports that cannot be opened or closed are left out. Never rejects.
   */
  apply(operation: NorthboundOperation): Promise<ApplyResult>;
}
