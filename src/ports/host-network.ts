import type { Operation } from '../domain/operations/operation-kinds.ts';
import type { NodeSnapshot } from '../domain/snapshot/node-snapshot.ts';
import type { CarriedOut } from './carried-out.ts';
import type { Reading } from './input-problem.ts';
import type { SetSysctl } from '../domain/operations/set-sysctl.ts';
import type { Observed } from './observed.ts';
import type { SwitchOperation } from './switch-database.ts';

/** What a node's snapshot holds of the kernel's network. */
export type HostSnapshot = Pick<
  NodeSnapshot,
  'links' | 'routes' | 'nextHopObjects' | 'rules' | 'neighbours' | 'neighbourProxies' | 'devlinkPorts'
>;

/** An operation on the kernel's network: every one that is not about its settings or about Open vSwitch. */
export type HostOperation = Exclude<Operation, SwitchOperation | SetSysctl>;

/** The kernel's network on the node. */
export interface HostNetwork extends Observed<Reading<HostSnapshot>> {
  /**
   * Carries an operation out, one after the other in the order in which they are asked for. One that is done already may be refused: whoever
   * asked looks again. What was there right before is told of those with which the kernel drops things (`OperationKind.dropsThings`). Never
   * rejects.
   */
  carryOut(operation: HostOperation): Promise<CarriedOut>;
}
