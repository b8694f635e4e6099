import { externalIdsTransaction, type MappingKeys } from '../../domain/entities/bridge-mapping-words.ts';
import { describeProblem } from '../../ports/input-problem.ts';
import type { SwitchSnapshot } from '../../ports/switch-database.ts';
import type { Reply } from '../ovsdb/connection.ts';
import { errorText } from '../ovsdb/error-text.ts';
import { isJsonObject } from '../json/json-object.ts';
import { rowOf } from '../ovsdb/row.ts';
import { externalIdsOf } from './switch.ts';

type ExternalIds = SwitchSnapshot['switchExternalIds'];

/** The result of a change of the external_ids. */
export type ExternalIdsChangeResult =
  | { readonly outcome: 'done' }
  /** Another client changed them first. */
  | { readonly outcome: 'lost-race'; readonly now: ExternalIds }
  | { readonly outcome: 'refused'; readonly error: string };

/** The guarded transaction, after a select that returns the current value in case the guard fails. */
export function changeOperations(before: ExternalIds, wanted: MappingKeys): readonly unknown[] {
  const select = { op: 'select', table: 'Open_vSwitch', where: [], columns: ['external_ids'] };
  return [select, ...externalIdsTransaction(before, wanted)];
}

/**
 * Reads the reply to `changeOperations`: a result for each operation up to the one that failed, or one more than operations if the
 * commit failed (RFC 7047, section 4.1.3).
 *
 * @param socket named in errors
 */
export function changeResult(reply: Reply, socket: string): ExternalIdsChangeResult {
  if (reply.outcome === 'none') return refused(socket, reply.reason);
  if (reply.outcome === 'error') return refused(socket, `refused the change: ${errorText(reply.error)}`);
  const results: readonly unknown[] = Array.isArray(reply.result) ? reply.result : [];
  const failed = results.findIndex((result) => isJsonObject(result) && typeof result['error'] === 'string');
  if (failed === -1)
    return results.length === 0 ? refused(socket, 'sent an empty reply to a change') : { outcome: 'done' };
  const failure = results[failed];
  if (failed === 1 && isJsonObject(failure) && failure['error'] === 'timed out') return lostRace(results[0], socket);
  return refused(socket, `refused the change: ${errorText(failure)}`);
}

function lostRace(selected: unknown, socket: string): ExternalIdsChangeResult {
  const rows = isJsonObject(selected) && Array.isArray(selected['rows']) ? selected['rows'] : [];
  const found = rows
    .filter(isJsonObject)
    .map((row) => rowOf('Open_vSwitch', '.', new Map(Object.entries(row)), socket));
  const now = externalIdsOf(new Map([['Open_vSwitch', found]]));
  if (!now.read) return { outcome: 'refused', error: now.problems.map(describeProblem).join('; ') };
  return now.value === undefined ? refused(socket, NOT_INITIALIZED) : { outcome: 'lost-race', now: now.value };
}

/** Completes "the server …". */
export const NOT_INITIALIZED = 'has an uninitialized database: start ovs-vswitchd, or run ovs-vsctl init';

function refused(socket: string, reason: string): ExternalIdsChangeResult {
  return { outcome: 'refused', error: `${socket}: ovsdb-server ${reason}` };
}
