import { externalIdsTransaction, type MappingKeys } from '../../domain/entities/switch/bridge-mapping-command.ts';
import { describeProblem } from '../../ports/input-problem.ts';
import type { Reply } from '../ovsdb/connection.ts';
import { rowOf } from '../ovsdb/row.ts';
import { selectedRows, transactionResult } from '../ovsdb/transaction-result.ts';
import { externalIdsOf, type SwitchExternalIds } from './switch.ts';

/** The result of a change of the external_ids. */
export type ExternalIdsChangeResult =
  | { readonly outcome: 'done' }
  /** Another client changed them first. */
  | { readonly outcome: 'lost-race'; readonly now: SwitchExternalIds }
  | { readonly outcome: 'refused'; readonly error: string }
  /** The server has ended, or does not answer: it may be made. */
  | { readonly outcome: 'unknown'; readonly error: string };

/** The guarded transaction, after a select that returns the current value in case the guard fails. */
export function changeOperations(before: SwitchExternalIds, wanted: MappingKeys): readonly unknown[] {
  const select = { op: 'select', table: 'Open_vSwitch', where: [], columns: ['external_ids'] };
  return [select, ...externalIdsTransaction(before, wanted)];
}

/**
 * Reads the reply to `changeOperations`.
 *
 * @param socket named in errors
 */
export function changeResult(reply: Reply, socket: string): ExternalIdsChangeResult {
  const result = transactionResult(reply);
  switch (result.outcome) {
    case 'done':
      return { outcome: 'done' };
    case 'unknown':
      return { ...refused(socket, result.reason), outcome: 'unknown' };
    case 'refused':
      return refused(socket, `refused the change: ${result.error}`);
    case 'failed':
      return result.at === 1 && result.isWait
        ? lostRace(result.results[0], socket)
        : refused(socket, `refused the change: ${result.error}`);
  }
}

function lostRace(selected: unknown, socket: string): ExternalIdsChangeResult {
  const found = selectedRows(selected).map((row) => rowOf('Open_vSwitch', '.', row, socket));
  const now = externalIdsOf(new Map([['Open_vSwitch', found]]));
  if (!now.read) return { outcome: 'refused', error: now.problems.map(describeProblem).join('; ') };
  return now.value === undefined ? refused(socket, NOT_INITIALIZED) : { outcome: 'lost-race', now: now.value };
}

/** Completes "the server …". */
export const NOT_INITIALIZED = 'has an uninitialized database: start ovs-vswitchd, or run ovs-vsctl init';

function refused(socket: string, reason: string) {
  return { outcome: 'refused', error: `${socket}: ovsdb-server ${reason}` } as const;
}
