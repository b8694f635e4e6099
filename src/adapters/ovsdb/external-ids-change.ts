import { externalIdsTransaction, type MappingKeys } from '../../domain/entities/bridge-mapping-words.ts';
import { describeProblem } from '../../ports/input-problem.ts';
import type { SwitchSnapshot } from '../../ports/switch-database.ts';
import type { Reply } from './connection.ts';
import { errorWords } from './error-words.ts';
import { isJsonObject } from '../json/json-object.ts';
import { rowOf } from './row.ts';
import { externalIdsOf } from './switch.ts';

type ExternalIds = SwitchSnapshot['switchExternalIds'];

/** What became of a change of the external_ids. */
export type ChangeResult =
  | { readonly outcome: 'done' }
  /** Somebody else was quicker. */
  | { readonly outcome: 'lost-race'; readonly now: ExternalIds }
  | { readonly outcome: 'refused'; readonly error: string };

/** The guarded transaction, and before it a look at what is there: where the guard refuses, that look tells at once for what. */
export function changeOperations(before: ExternalIds, wanted: MappingKeys): readonly unknown[] {
  const look = { op: 'select', table: 'Open_vSwitch', where: [], columns: ['external_ids'] };
  return [look, ...externalIdsTransaction(before, wanted)];
}

/**
 * Reads the reply to `changeOperations`: a result for each operation up to the one that failed, or one more than operations where the whole
 * could not be committed (RFC 7047, section 4.1.3).
 *
 * @param socket named in errors
 */
export function changeResult(reply: Reply, socket: string): ChangeResult {
  if (reply.outcome === 'none') return refused(socket, reply.reason);
  if (reply.outcome === 'error') return refused(socket, `refused the change: ${errorWords(reply.error)}`);
  const results: readonly unknown[] = Array.isArray(reply.result) ? reply.result : [];
  const failed = results.findIndex((result) => isJsonObject(result) && typeof result['error'] === 'string');
  if (failed === -1) return results.length === 0 ? refused(socket, 'gave no answer to a change') : { outcome: 'done' };
  const failure = results[failed];
  if (failed === 1 && isJsonObject(failure) && failure['error'] === 'timed out') return lostRace(results[0], socket);
  return refused(socket, `refused the change: ${errorWords(failure)}`);
}

function lostRace(look: unknown, socket: string): ChangeResult {
  const rows = isJsonObject(look) && Array.isArray(look['rows']) ? look['rows'] : [];
  const found = rows
    .filter(isJsonObject)
    .map((row) => rowOf('Open_vSwitch', '.', new Map(Object.entries(row)), socket));
  const now = externalIdsOf(new Map([['Open_vSwitch', found]]));
  if (!now.read) return { outcome: 'refused', error: now.problems.map(describeProblem).join('; ') };
  return now.value === undefined ? refused(socket, NOT_INITIALISED) : { outcome: 'lost-race', now: now.value };
}

/** As it completes "the server …". */
export const NOT_INITIALISED = 'has a database that nobody has initialised: start ovs-vswitchd, or run ovs-vsctl init';

function refused(socket: string, reason: string): ChangeResult {
  return { outcome: 'refused', error: `${socket}: ovsdb-server ${reason}` };
}
