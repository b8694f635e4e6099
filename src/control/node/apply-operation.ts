import type { Operation } from '../../domain/operations/operation.ts';
import { meaningOf } from '../../domain/operations/operation-meaning.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import type { HostOperation } from '../../ports/host-network.ts';
import type { SettingOperation } from '../../ports/kernel-settings.ts';
import type { SwitchOperation } from '../../ports/switch-database.ts';
import type { NodePorts } from './ports.ts';

/** Applies an operation through the port of its kind of entity. Never rejects. */
export function applyOperation(ports: NodePorts, operation: Operation): Promise<ApplyResult> {
  // The table of kinds maps each operation to its port; the compiler cannot infer that.
  switch (meaningOf(operation).port) {
    case 'hostNetwork':
      return ports.hostNetwork.apply(operation as HostOperation);
    case 'switchDatabase':
      return ports.switchDatabase.apply(operation as SwitchOperation);
    case 'kernelSettings':
      return ports.kernelSettings.apply(operation as SettingOperation);
  }
}
