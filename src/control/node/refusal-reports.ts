import type { NodeReport } from '../../ports/node/node-report.ts';
import type { OperationRefusal } from './state.ts';

/** The report on an attempt that was refused: once it is known whether it is still planned. */
export function refusalReports(refused: OperationRefusal | undefined, isPlanned: boolean): readonly NodeReport[] {
  if (refused?.isAttempt !== true) return [];
  const { operation, uplinks, error } = refused;
  return [{ kind: isPlanned ? 'refused' : 'superseded', operation, uplinks, error }];
}
