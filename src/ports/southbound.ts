import type { RemoteChassisEntity } from '../domain/entities/remote-chassis.ts';
import type { EntityOperation, SetOperation } from '../domain/operations/operation.ts';
import type { DatapathSnapshot } from '../domain/snapshot/datapath.ts';
import type { ApplyResult } from './apply-result.ts';
import type { Reading } from './input-problem.ts';
import type { Observed } from './observed.ts';

/** What a node snapshot has of OVN's Southbound database. */
export type SouthboundSnapshot = Pick<DatapathSnapshot, 'chassis'>;

/** An operation on chassis of other nodes. */
export type SouthboundOperation =
  EntityOperation<RemoteChassisEntity['kind']> | SetOperation<RemoteChassisEntity['kind']>;

/** OVN's Southbound database on the node. A chassis that did not change is the same object in consecutive readings. */
export interface Southbound extends Observed<Reading<SouthboundSnapshot>> {
  /**
   * Applies an operation in one transaction, which fails as a whole if another program has added, changed or deleted one of the chassis since. Never
   * rejects.
   */
  apply(operation: SouthboundOperation): Promise<ApplyResult>;
}
