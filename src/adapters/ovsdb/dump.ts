import Type from 'typebox';
import { describeValue } from '../../domain/api/conformance.ts';
import { partOf, type Shape } from '../../domain/api/schema.ts';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import { conforming, expectedFound, fieldPlace, type Place, problemAt } from '../json/conforming.ts';
import { readJson } from '../json/json-text.ts';
import { allOf, mapReading, thenRead } from '../../ports/readings.ts';
import { type Row, rowOf, type Tables } from './row.ts';
import { readValue } from './values.ts';

const captioned = conforming(partOf({ caption: Type.String() }));
const tableSchema = partOf({ headings: Type.Array(Type.String()), data: Type.Array(Type.Array(Type.Unknown())) });
const table = conforming(tableSchema);

/** The content of a database. */
export interface Dump {
  readonly tables: Tables;
  /** The names of the columns, by table. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A table with its name. */
interface DumpedTable {
  readonly name: string;
  readonly columns: ReadonlySet<string>;
  readonly rows: readonly Row[];
}

/**
 * Reads tables from the output of `ovsdb-client --format=json dump DATABASE` (ovsdb-client(1)): one JSON object per line and table. Lines of other
 * tables only have to be complete.
 *
 * @param file named in problems
 * @param required names of tables; a missing one is a problem
 * @param optional names of further tables, which older versions do not have
 */
export function readDump(
  text: string,
  file: string,
  required: readonly string[],
  optional: readonly string[] = [],
): Reading<Dump> {
  const names = [...required, ...optional];
  const lines = text.split('\n').map((line, index) => readLine(line, index + 1, file, names));
  return thenRead(allOf(lines), (found): Reading<Dump> => {
    const all = found.flat();
    const tables: Tables = new Map(all.map(({ name, rows }) => [name, rows]));
    const missing = required.filter((name) => !tables.has(name));
    if (missing.length === 0)
      return { read: true, value: { tables, columns: new Map(all.map(({ name, columns }) => [name, columns])) } };
    return {
      read: false,
      problems: missing.map((name) => ({
        origin: inFile(file),
        message: `holds no table ${name}: it is truncated or of another database`,
      })),
    };
  });
}

/** The table of a line; absent for a blank line or another table. */
function readLine(
  line: string,
  number: number,
  file: string,
  names: readonly string[],
): Reading<readonly DumpedTable[]> {
  if (line.trim() === '') return { read: true, value: [] };
  const place: Place = { file, object: `line ${number}`, path: '' };
  return thenRead(readJson(line, file, number), (value) =>
    thenRead(captioned(value, place), ({ caption }) => {
      const name = caption.replace(/ table$/, '');
      if (!names.includes(name)) return { read: true, value: [] };
      return thenRead(table(value, place), (fields) =>
        mapReading(readRows(name, fields, place), (rows) => [{ name, columns: new Set(fields.headings), rows }]),
      );
    }),
  );
}

function readRows(name: string, { headings, data }: Shape<typeof tableSchema>, place: Place): Reading<readonly Row[]> {
  return allOf(data.map((values, index) => readRow(name, headings, values, fieldPlace(place, `data[${index}]`))));
}

function readRow(name: string, headings: readonly string[], values: readonly unknown[], place: Place): Reading<Row> {
  if (values.length !== headings.length)
    return broken(place, `a value for each of ${headings.length} columns`, String(values.length));
  const columns = Object.fromEntries(headings.map((heading, index) => [heading, values[index]]));
  const uuid = rowUuid(columns['_uuid']);
  if (uuid === undefined) return broken(place, 'a uuid in the column _uuid', describeValue(columns['_uuid']));
  return { read: true, value: rowOf(name, uuid, columns, place.file) };
}

function broken(place: Place, expected: string, found: string): Reading<Row> {
  return { read: false, problems: [problemAt(place, expectedFound(expected, found))] };
}

function rowUuid(notation: unknown): string | undefined {
  const value = readValue(notation);
  const atom = value?.kind === 'set' ? value.atoms[0] : undefined;
  return typeof atom === 'object' ? atom.uuid : undefined;
}
