import { isJsonObject } from '../json/json-object.ts';
import type { Reply } from './connection.ts';
import { errorText } from './error-text.ts';

/** The result of a transaction. */
export type TransactionResult =
  | {
      readonly outcome: 'done';
      /** Of each operation. */
      readonly results: readonly unknown[];
    }
  | {
      /** An operation failed, or the commit; nothing has changed. */
      readonly outcome: 'failed';
      /** The number of the operation, from 0; as many as there are operations for the commit. */
      readonly at: number;
      /** Whether it is a wait whose condition did not hold. */
      readonly isWait: boolean;
      /** In one line. */
      readonly error: string;
      /** Of the operations before. */
      readonly results: readonly unknown[];
    }
  | {
      readonly outcome: 'unknown';
      /** Completes "the server …". */
      readonly reason: string;
    }
  | {
      /** The whole request was refused; nothing has changed. */
      readonly outcome: 'refused';
      readonly error: string;
    };

/**
 * Reads the reply to a transaction: a result for each operation up to the one that failed, or one more than operations if the commit failed (RFC 7047,
 * section 4.1.3).
 */
export function transactionResult(reply: Reply): TransactionResult {
  if (reply.outcome === 'none') return { outcome: 'unknown', reason: reply.reason };
  if (reply.outcome === 'error') return { outcome: 'refused', error: errorText(reply.error) };
  const results: readonly unknown[] = Array.isArray(reply.result) ? reply.result : [];
  if (results.length === 0) return { outcome: 'unknown', reason: 'sent an empty reply to a change' };
  const at = results.findIndex((result) => isJsonObject(result) && typeof result['error'] === 'string');
  if (at === -1) return { outcome: 'done', results };
  const failure = results[at];
  return {
    outcome: 'failed',
    at,
    isWait: isJsonObject(failure) && failure['error'] === 'timed out',
    error: errorText(failure),
    results: results.slice(0, at),
  };
}

/** The rows that a select found (RFC 7047, 5.2.2). */
export function selectedRows(result: unknown): readonly Readonly<Record<string, unknown>>[] {
  return isJsonObject(result) && Array.isArray(result['rows']) ? result['rows'].filter(isJsonObject) : [];
}
