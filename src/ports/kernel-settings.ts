import type { SetSysctl } from '../domain/operations/set-sysctl.ts';
import type { NodeSnapshot } from '../domain/snapshot/node-snapshot.ts';
import type { CarriedOut } from './carried-out.ts';
import type { Reading } from './input-problem.ts';

/** What a node's snapshot holds of the kernel's settings and of its life. */
export type KernelSnapshot = Pick<NodeSnapshot, 'sysctls' | 'bootId' | 'uptimeSeconds'>;

/** The kernel's settings. Nobody tells when they change: whoever has to know looks again. */
export interface KernelSettings {
  /** The settings that a snapshot holds, of every device; either all is usable or every problem comes back. Never rejects. */
  read(): Promise<Reading<KernelSnapshot>>;
  /** Changes a setting. One of a device that is gone is refused. Never rejects. */
  carryOut(operation: SetSysctl): Promise<CarriedOut>;
}
