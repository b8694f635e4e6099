import type { Operation } from '../../domain/operations/operation.ts';
import { meaningOf } from '../../domain/operations/operation-meaning.ts';
import type { CarriedOut } from '../../ports/carried-out.ts';
import type { SettingOperation } from '../../ports/kernel-settings.ts';
import type { SwitchOperation } from '../../ports/switch-database.ts';
import type { NodePorts } from './ports.ts';

/** Has an operation carried out by the port of its kind of entity. Never rejects. */
export function carryOut(ports: NodePorts, operation: Operation): Promise<CarriedOut> {
  // The table of kinds gives each operation its port, which the compiler cannot follow.
  switch (meaningOf(operation).port) {
    case 'hostNetwork':
      return ports.hostNetwork.carryOut(operation);
    case 'switchDatabase':
      return ports.switchDatabase.carryOut(operation as SwitchOperation);
    case 'kernelSettings':
      return ports.kernelSettings.carryOut(operation as SettingOperation);
  }
}
