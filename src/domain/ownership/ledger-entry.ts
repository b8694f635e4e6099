import Type from 'typebox';
import { conformanceTo } from '../api/conformance.ts';
import type { LedgerEntry } from '../snapshot/ledger.ts';
import { entryKinds } from './entry-kinds.ts';
import { ownSettingOf } from './own-settings.ts';

const conform = conformanceTo(Type.Union(Object.values(entryKinds).map(({ schema }) => schema)));

/** The entry that a value is; absent where this version does not understand it. */
export function readLedgerEntry(value: unknown): LedgerEntry | undefined {
  const conformance = conform(value);
  if (!conformance.conforms) return undefined;
  // The schemas of the kinds are those of their types.
  const entry = conformance.value as LedgerEntry;
  return entry.kind === 'sysctl' && ownSettingOf(entry) === undefined ? undefined : entry;
}
