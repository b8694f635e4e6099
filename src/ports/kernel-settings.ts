import type { KindNameOfPort } from '../domain/entities/entity-kinds.ts';
import type { EntityOperation } from '../domain/operations/operation.ts';
import type { NodeSnapshot } from '../domain/snapshot/node-snapshot.ts';
import type { ApplyResult } from './apply-result.ts';
import type { Reading } from './input-problem.ts';
import type { Observed } from './observed.ts';

/** An operation on the kernel's settings. */
export type SettingOperation = EntityOperation<KindNameOfPort<'kernelSettings'>>;

/** What a node's snapshot holds of the kernel's settings and of its life. */
export type KernelSnapshot = Pick<NodeSnapshot, 'sysctls' | 'bootId' | 'uptimeSeconds'>;

/**
 * The kernel's settings: those that a snapshot holds, of every device. What a program writes to one of them is told, if it
 * writes by the same /proc and if the system has a watch to spare; what the kernel changes by itself, or with another setting, is not.
 */
export interface KernelSettings extends Observed<Reading<KernelSnapshot>> {
  /** Changes a setting. One of a device that is gone is refused. Never rejects. */
  apply(operation: SettingOperation): Promise<ApplyResult>;
}
