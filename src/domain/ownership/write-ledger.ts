import { by } from '../ordering.ts';
import type { Ledger, LedgerEntry } from '../snapshot/ledger.ts';
import { entryKey } from './entry-kinds.ts';

/** The ledger with entries added; each takes the place of the one of its key. */
export function withEntries(ledger: Ledger, added: readonly LedgerEntry[]): Ledger {
  if (added.length === 0) return ledger;
  const byKey = new Map([...ledger.entries, ...added].map((entry) => [entryKey(entry), entry]));
  return { ...ledger, entries: [...byKey].sort(by(([key]) => key)).map(([, entry]) => entry) };
}

/** The ledger without the entries for which something holds. */
export function withoutEntries(ledger: Ledger, matches: (entry: LedgerEntry) => boolean): Ledger {
  const entries = ledger.entries.filter((entry) => !matches(entry));
  return entries.length === ledger.entries.length ? ledger : { ...ledger, entries };
}
