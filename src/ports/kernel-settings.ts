import type { SetSysctl } from '../domain/operations/set-sysctl.ts';
import type { NodeSnapshot } from '../domain/snapshot/node-snapshot.ts';
import type { CarriedOut } from './carried-out.ts';
import type { Reading } from './input-problem.ts';
import type { Observed } from './observed.ts';

/** What a node's snapshot holds of the kernel's settings and of its life. */
export type KernelSnapshot = Pick<NodeSnapshot, 'sysctls' | 'bootId' | 'uptimeSeconds'>;

/**
 * The kernel's settings: those that a snapshot holds, of every device. What somebody writes to a setting is told; of what the kernel itself changes,
 * such as the settings of all devices with the one for all, only the link or the address that it comes with may be, by whoever tells of those.
 */
export interface KernelSettings extends Observed<Reading<KernelSnapshot>> {
  /** Changes a setting. One of a device that is gone is refused. Never rejects. */
  carryOut(operation: SetSysctl): Promise<CarriedOut>;
}
