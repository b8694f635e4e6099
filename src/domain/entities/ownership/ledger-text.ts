/**
 * The ledger as a file: one JSON document.
 *
 * ```json
 * {
 *   "version": 2,
 *   "bootId": "5a1ff1fe-7a3c-4c3f-8f0a-3c3c1f6f0b3e",
 *   "entries": [{ "kind": "membership", "device": "br-blue", "vrf": "blue", "table": 1007, "network": "cluster_udn_blue" }]
 * }
 * ```
 *
 * What makes it hard: the file may have been cut off by a full disk, edited by hand, written by a newer program, or by this one before the
 * node was started again. Nothing may be believed that is not so, and nothing thrown away that a newer program has written: so the three
 * names of the document mean the same in every version, and whatever a newer one has to say is in entries.
 */
import Type from 'typebox';
import { conformanceTo } from '../../api/conformance.ts';
import { partOf } from '../../api/schema.ts';
import { emptyLedger, type Ledger, LEDGER_VERSION, type LedgerEntry } from '../../snapshot/ledger.ts';
import { readLedgerEntry } from './ledger-entry.ts';
import { withEntries } from './write-ledger.ts';

const conform = conformanceTo(
  partOf({ version: Type.Integer(), bootId: Type.Optional(Type.String()), entries: Type.Array(Type.Unknown()) }),
);

/** The first version that there was. */
const FIRST_VERSION = 1;

/**
 * Reads the ledger. Entries that this version does not understand are kept as unknown ones, to be written back as they are.
 *
 * @param text of the whole file
 * @param bootId the kernel's name of this boot; absent where it is not known, which counts as the ledger's
 * @returns an empty ledger that says why, as it completes "the ledger …", where the text cannot be used
 */
export function readLedger(text: string, bootId: string | undefined): Ledger {
  const parsed = parseJson(text);
  if (parsed === undefined) return unusable('is not valid JSON: it is truncated or was edited by hand');
  const document = conform(parsed.value);
  if (!document.conforms) {
    const findings = document.findings.map(
      ({ path, expected, found }) => `${path === '' ? '' : `${path}: `}expected ${expected}, found ${found}`,
    );
    return unusable(`does not match the schema of a ledger: ${findings.join('; ')}`);
  }
  const { version, bootId: of, entries } = document.value;
  if (version < FIRST_VERSION) return unusable(`is of version ${version}, which does not exist`);
  if (of !== undefined && bootId !== undefined && of !== bootId) {
    return unusable(`is of boot ${of}, and this is boot ${bootId}: what it describes is gone`);
  }
  const read = entries.map((entry) => ({ entry, known: readLedgerEntry(entry) }));
  return {
    version: Math.max(version, LEDGER_VERSION),
    entries: lastOfEachKey(read.flatMap(({ known }) => (known === undefined ? [] : [known]))),
    unknown: read.flatMap(({ entry, known }) => (known === undefined ? [entry] : [])),
  };
}

/**
 * Writes the ledger: reading it back gives the same, unknown entries included. Why an earlier text could not be used is not
 * written.
 *
 * @param bootId the kernel's name of this boot; absent where it is not known
 */
export function writeLedger({ version, entries, unknown }: Ledger, bootId: string | undefined): string {
  return `${JSON.stringify({ version, bootId, entries: [...entries, ...unknown] }, null, 2)}\n`;
}

/** Of two with one key the last one counts; duplicates come from manual edits only. */
function lastOfEachKey(entries: readonly LedgerEntry[]): readonly LedgerEntry[] {
  return withEntries(emptyLedger, entries).entries;
}

function unusable(problem: string): Ledger {
  return { ...emptyLedger, problem };
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  // eslint-disable-next-line no-restricted-syntax -- The language's only parser of JSON throws; it goes no further than this.
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
