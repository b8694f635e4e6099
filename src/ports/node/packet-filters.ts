import type { KindNameOfPort } from '../../domain/entities/entity-kinds.ts';
import type { EntityOperation } from '../../domain/entities/operations/operation.ts';
import type { PacketFilterSnapshot } from '../../domain/snapshot/datapath.ts';
import type { ApplyResult } from '../apply-result.ts';
import type { Reading } from '../input-problem.ts';
import type { Observed } from '../observed.ts';

/** An operation on a table that filters packets. */
export type FilterOperation = EntityOperation<KindNameOfPort<'packetFilters'>>;

/** The tables that filter packets on the node: those of ovn-uplinks, and what other programs drop, or may drop. */
export interface PacketFilters extends Observed<Reading<PacketFilterSnapshot>> {
  /** Reads them; what has not changed is the same object in consecutive readings. There are none of nftables where the node has none. Never rejects. */
  read(): Promise<Reading<PacketFilterSnapshot>>;
  /** Applies an operation in one transaction, to the table as it is then. Never rejects. */
  apply(operation: FilterOperation): Promise<ApplyResult>;
}
