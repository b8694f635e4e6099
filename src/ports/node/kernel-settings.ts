import type { KindNameOfPort } from '../../domain/entities/entity-kinds.ts';
import type { EntityOperation } from '../../domain/entities/operations/operation.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import type { ApplyResult } from '../apply-result.ts';
import type { Reading } from '../input-problem.ts';
import type { Observed } from '../observed.ts';

/** An operation on the kernel's settings. */
export type SettingOperation = EntityOperation<KindNameOfPort<'kernelSettings'>>;

/** The kernel's settings, release, boot id and uptime in a node snapshot. */
export type KernelSnapshot = Pick<NodeSnapshot, 'sysctls' | 'kernelRelease' | 'bootId' | 'uptimeSeconds'>;

/**
 * The kernel settings in a snapshot, of the devices that are asked for. Reports what programs write to those that were read last through the same /proc, as
 * long as inotify watches are available; not what the kernel changes by itself or with another setting.
 */
export interface KernelSettings extends Omit<Observed<Reading<KernelSnapshot>>, 'read'> {
  /**
   * Reads the settings of devices, of `all`, of `default`, and of sockets; leaves out those of missing devices. Returns every problem. Never rejects.
   *
   * @param devices names of network devices. Nothing is kept of those that were read before and are not among them.
   */
  read(devices: ReadonlySet<string>): Promise<Reading<KernelSnapshot>>;
  /** Changes a setting. Refuses one of a missing device. Never rejects. */
  apply(operation: SettingOperation): Promise<ApplyResult>;
}
