import type { Operation } from '../../domain/operations/operation-kinds.ts';
import type { CarriedOut } from '../../ports/carried-out.ts';
import type { NodePorts } from './ports.ts';

/** Has an operation carried out by whom it is for. Never rejects. */
export function carryOut(ports: NodePorts, operation: Operation): Promise<CarriedOut> {
  switch (operation.kind) {
    case 'add-bridge-mapping':
    case 'remove-bridge-mapping':
      return ports.switchDatabase.carryOut(operation);
    case 'set-sysctl':
      return ports.kernelSettings.carryOut(operation);
    default:
      return ports.hostNetwork.carryOut(operation);
  }
}
