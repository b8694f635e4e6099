import { by, byName } from '../../basics/names/ordering.ts';
import { type Ledger, type LedgerEntry, nameOfEntry } from '../../snapshot/ledger.ts';
import { entryKey } from './entry-kinds.ts';

/** The ledger with entries added; each takes the place of the one of its key. */
export function withEntries(ledger: Ledger, added: readonly LedgerEntry[]): Ledger {
  if (added.length === 0) return ledger;
  const byKey = new Map(added.map((entry) => [entryKey(entry), entry]));
  // A large node has thousands of entries: keys are made for few of them.
  const names = new Set(added.map(nameOfEntry));
  const others = ledger.entries.filter((entry) => !names.has(nameOfEntry(entry)) || !byKey.has(entryKey(entry)));
  const runs: (readonly LedgerEntry[])[] = [];
  let next = 0;
  for (const [key, entry] of [...byKey].sort(by(([each]) => each))) {
    const at = placeOf(key, others, next);
    runs.push(others.slice(next, at), [entry]);
    next = at;
  }
  return { ...ledger, entries: [...runs, others.slice(next)].flat() };
}

/** The index of the first entry, from one on, that does not come before a key. */
function placeOf(key: string, entries: readonly LedgerEntry[], from: number): number {
  let [low, high] = [from, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = entries[middle];
    if (entry !== undefined && byName(entryKey(entry), key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The ledger without the entries for which something holds. */
export function withoutEntries(ledger: Ledger, matches: (entry: LedgerEntry) => boolean): Ledger {
  const entries = ledger.entries.filter((entry) => !matches(entry));
  return entries.length === ledger.entries.length ? ledger : { ...ledger, entries };
}
