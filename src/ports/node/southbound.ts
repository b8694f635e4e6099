import type { KindNameOfPort } from '../../domain/entities/entity-kinds.ts';
import type { EntityOperation, SetOperation } from '../../domain/entities/operations/operation.ts';
import type { DatapathSnapshot } from '../../domain/snapshot/datapath.ts';
import type { ApplyResult } from '../apply-result.ts';
import type { Reading } from '../input-problem.ts';
import type { Observed } from '../observed.ts';

/** The part of a node snapshot that is read from OVN's Southbound database. */
export type SouthboundSnapshot = Pick<DatapathSnapshot, 'chassis' | 'remotePorts'>;

/** The kinds of entities that it has. */
type SouthboundKind = KindNameOfPort<'southbound'>;

/** A change of a chassis or a port of another node. */
export type SouthboundChange = EntityOperation<SouthboundKind>;

/** An operation on chassis or ports of other nodes. */
export type SouthboundOperation = SouthboundChange | SetOperation<SouthboundKind>;

/** OVN's Southbound database on the node. A chassis or port that did not change is the same object in consecutive readings. */
export interface Southbound extends Observed<Reading<SouthboundSnapshot>> {
  /**
   * Applies an operation in one transaction, which fails as a whole if another program has added, changed or deleted one of the chassis or ports since.
   * Where it binds ports that ovn-northd has not bound, resolves once the node's ovn-controller has processed that. A chassis at whose address another one
   * will be is deleted before, and ovn-controller has processed that then. Never rejects.
   */
  apply(operation: SouthboundOperation): Promise<ApplyResult>;
}
