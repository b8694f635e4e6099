import type { KindNameOfPort } from '../domain/entities/entity-kinds.ts';
import type { EntityOperation } from '../domain/operations/operation.ts';
import type { NodeSnapshot } from '../domain/snapshot/node-snapshot.ts';
import type { ApplyResult } from './apply-result.ts';
import type { Reading } from './input-problem.ts';
import type { Observed } from './observed.ts';

/** What a node's snapshot holds of Open vSwitch's database. */
export type SwitchSnapshot = Pick<NodeSnapshot, 'switchExternalIds' | 'bridges'>;

/** An operation on Open vSwitch's database. */
export type SwitchOperation = EntityOperation<KindNameOfPort<'switchDatabase'>>;

/** Open vSwitch's database on the node. */
export interface SwitchDatabase extends Observed<Reading<SwitchSnapshot>> {
  /**
   * Applies an operation. The text that it changes is shared with others: where one of them was quicker, it is made anew for what they
   * left, until it succeeds or the deadline of the adapter has passed. One that is done already succeeds. Where the connection is lost meanwhile
   * nobody knows whether it is done: it fails, and whoever asked looks again. Never rejects.
   */
  apply(operation: SwitchOperation): Promise<ApplyResult>;
}
