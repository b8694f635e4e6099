import Type from 'typebox';
import { conformanceTo } from '../../api/conformance.ts';
import { partOf, stringEnum } from '../../api/schema.ts';
import type { LedgerEntry } from '../../snapshot/ledger.ts';
import { entryKinds } from './entry-kinds.ts';
import { ownSettingOf } from './own-settings.ts';

const conform = conformanceTo(Type.Union(Object.values(entryKinds).map(({ schema }) => schema)));

const conformToVersion1 = conformanceTo(
  partOf({ kind: stringEnum(['displaced']), thing: partOf({ type: Type.String() }) }),
);

/** In version 1 what was displaced was a `thing` of a `type`; an agent that is updated finds such entries. */
function updated(value: unknown): unknown {
  const former = conformToVersion1(value);
  if (!former.conforms) return value;
  const { thing, ...entry } = former.value;
  const { type: kind, ...entity } = thing;
  return { ...entry, entity: { ...entity, kind } };
}

/** The entry that a value is; absent where this version does not understand it. */
export function readLedgerEntry(value: unknown): LedgerEntry | undefined {
  const conformance = conform(updated(value));
  if (!conformance.conforms) return undefined;
  // The schemas of the kinds are those of their types.
  const entry = conformance.value as LedgerEntry;
  return entry.kind === 'sysctl' && ownSettingOf(entry) === undefined ? undefined : entry;
}
