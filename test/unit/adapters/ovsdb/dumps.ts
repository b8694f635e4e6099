import fc from 'fast-check';

/** Rows with the values of their columns, in the notation of RFC 7047. */
export type Rows = readonly Readonly<Record<string, unknown>>[];

/** Rows by table name. */
export type Tables = Readonly<Record<string, Rows>>;

/** A dump as printed by ovsdb-client. All rows of a table have the columns of its first row. */
export function dump(tables: Tables): string {
  return Object.entries(tables)
    .map(([name, rows]) => {
      const headings = Object.keys(rows[0] ?? { _uuid: '' });
      const data = rows.map((row) => headings.map((heading) => row[heading]));
      return `${JSON.stringify({ caption: `${name} table`, data, headings })}\n\n`;
    })
    .join('');
}

/** An OVSDB map. */
export function map(pairs: Readonly<Record<string, unknown>> = {}): unknown {
  return ['map', Object.entries(pairs)];
}

/** An OVSDB set. */
export function set(...atoms: readonly unknown[]): unknown {
  return ['set', atoms];
}

/** An OVSDB reference to a row. */
export function uuid(row: string): unknown {
  return ['uuid', row];
}

/** Dumps of the same tables with tables, rows, columns, references and keys in any order. */
export function reorderedDumps(tables: Tables): fc.Arbitrary<string> {
  return fc
    .tuple(...Object.entries(tables).map(reorderedTable))
    .chain(reordered)
    .map((found) => dump(Object.fromEntries(found)));
}

function reordered<Item>(items: readonly Item[]): fc.Arbitrary<Item[]> {
  return fc.shuffledSubarray([...items], { minLength: items.length });
}

function reorderedTable([name, rows]: readonly [string, Rows]): fc.Arbitrary<readonly [string, Rows]> {
  const rowsOf = fc.tuple(...rows.map(reorderedRow)).chain(reordered);
  return rowsOf.map((found) => [name, found]);
}

function reorderedRow(row: Rows[number]): fc.Arbitrary<Rows[number]> {
  const columns = Object.entries(row).map(([name, value]) =>
    reorderedValue(value).map((found) => [name, found] as const),
  );
  return fc
    .tuple(...columns)
    .chain(reordered)
    .map((found) => Object.fromEntries(found));
}

function reorderedValue(value: unknown): fc.Arbitrary<unknown> {
  if (!isSetOrMap(value)) return fc.constant(value);
  return reordered(value[1]).map((items) => [value[0], items]);
}

function isSetOrMap(value: unknown): value is readonly [string, readonly unknown[]] {
  return Array.isArray(value) && Array.isArray(value[1]);
}
