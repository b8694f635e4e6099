import type { KindNameOfPort } from '../domain/entities/entity-kinds.ts';
import type { EntityOperation, PutBack, TakeBack } from '../domain/operations/operation.ts';
import type { NodeSnapshot } from '../domain/snapshot/node-snapshot.ts';
import type { ApplyResult } from './apply-result.ts';
import type { Reading } from './input-problem.ts';
import type { Observed } from './observed.ts';

/** What a node's snapshot holds of the kernel's network. */
export type HostSnapshot = Pick<
  NodeSnapshot,
  'links' | 'routes' | 'nextHopObjects' | 'rules' | 'neighbours' | 'neighbourProxies' | 'devlinkPorts'
>;

/** An operation on the kernel's network. */
export type HostOperation = EntityOperation<KindNameOfPort<'hostNetwork'>> | PutBack | TakeBack;

/** The kernel's network on the node. */
export interface HostNetwork extends Observed<Reading<HostSnapshot>> {
  /**
   * Applies an operation, one after the other in the order in which they are asked for. One that is done already may be refused: whoever
   * asked looks again. What was there right before is told of those with which the kernel drops things (`OperationMeaning.displaces`). Never
   * rejects.
   */
  apply(operation: HostOperation): Promise<ApplyResult>;
}
