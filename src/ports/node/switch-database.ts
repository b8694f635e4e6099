import type { KindNameOfPort } from '../../domain/entities/entity-kinds.ts';
import type { EntityOperation } from '../../domain/entities/operations/operation.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import type { ApplyResult } from '../apply-result.ts';
import type { Reading } from '../input-problem.ts';
import type { Observed } from '../observed.ts';

/** The Open vSwitch database in a node snapshot. */
export type SwitchSnapshot = Pick<NodeSnapshot, 'switchExternalIds' | 'bridges' | 'openVSwitchVersion'>;

/** An operation on Open vSwitch's database. */
export type SwitchOperation = EntityOperation<KindNameOfPort<'switchDatabase'>>;

/**
 * Open vSwitch's database on the node. It does not report changes that are about ports alone which pods have in networks of their own (`hostInterfaceName`): the
 * next read has them.
 */
export interface SwitchDatabase extends Observed<Reading<SwitchSnapshot>> {
  /**
   * Applies an operation. The text that it changes is shared with other programs: if it loses a race it is recomputed and retried until the adapter's
   * deadline. Succeeds if it is done already. Fails if the connection is lost meanwhile; the caller observes again. Never rejects.
   */
  apply(operation: SwitchOperation): Promise<ApplyResult>;
}
