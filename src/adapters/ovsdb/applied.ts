import type { ApplyResult } from '../../ports/apply-result.ts';
import type { Reply } from './connection.ts';
import { transactionResult } from './transaction-result.ts';

/** The result of a transaction whose single results do not matter. @param file of the server, named in errors */
export function applied(reply: Reply, file: string): ApplyResult {
  const result = transactionResult(reply);
  switch (result.outcome) {
    case 'done':
      return { done: true };
    case 'unknown':
      return { done: false, error: `${file}: ovsdb-server ${result.reason}`, isUnavailable: true };
    case 'failed':
    case 'refused':
      return { done: false, error: `${file}: ovsdb-server refused the change: ${result.error}`, isRefused: true };
  }
}

/** A map in the notation of RFC 7047, section 5.1. */
export function mapNotation(entries: Readonly<Record<string, string>>): readonly ['map', readonly unknown[]] {
  return ['map', Object.entries(entries)];
}

/** A set in the notation of RFC 7047, section 5.1. */
export function setNotation(items: readonly unknown[]): readonly ['set', readonly unknown[]] {
  return ['set', items];
}

/** The condition that selects a row. */
export function withUuid(uuid: string): readonly unknown[] {
  return [['_uuid', '==', ['uuid', uuid]]];
}
