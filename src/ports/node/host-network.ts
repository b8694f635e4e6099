import type { KindNameOfPort } from '../../domain/entities/entity-kinds.ts';
import type { EntityOperation, PutBack, TakeBack } from '../../domain/entities/operations/operation.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import type { ApplyResult } from '../apply-result.ts';
import type { Reading } from '../input-problem.ts';
import type { Observed } from '../observed.ts';

/** The kernel's network in a node snapshot. */
export type HostSnapshot = Pick<
  NodeSnapshot,
  'links' | 'routes' | 'nextHopObjects' | 'rules' | 'neighbours' | 'neighbourProxies' | 'devlinkPorts'
>;

/** The part of it that changes most. */
export type NeighbourSnapshot = Pick<HostSnapshot, 'neighbours' | 'neighbourProxies'>;

/** The extent of a change: nothing but neighbours, or anything. */
export type HostChange = 'neighbours' | 'hostNetwork';

/** An operation on the kernel's network. */
export type HostOperation = EntityOperation<KindNameOfPort<'hostNetwork'>> | PutBack | TakeBack;

/** The kernel's network on the node. */
export interface HostNetwork extends Observed<Reading<HostSnapshot>, [change: HostChange]> {
  /** Reads the neighbours alone, or returns every problem. Never rejects. */
  readNeighbours(): Promise<Reading<NeighbourSnapshot>>;
  /**
   * Applies operations one after the other, in the order of the calls. May refuse one that is done already: the caller observes again. Returns
   * what existed right before an operation with which the kernel drops entities (`OperationSemantics.displaces`). Never rejects.
   */
  apply(operation: HostOperation): Promise<ApplyResult>;
  /**
   * As of every source, but not for changes of the host's ends of interfaces that pods have in networks of their own (`hostInterfaceName`): the next read
   * has them. Calls another function once for each reason for which changes may be noticed late or parts of the network are not known, with a text for the log. It must not
   * throw either.
   */
  onChange(listener: (change: HostChange) => void, reportProblem?: (problem: string) => void): void;
}
