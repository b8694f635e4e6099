import { describeValue } from '../../domain/api/conformance.ts';
import { lazyByObject } from '../../domain/basics/incremental/by-identity.ts';
import { byName } from '../../domain/basics/names/ordering.ts';
import {
  type NorthboundParent,
  GATEWAY_ROW_OWNER_KEY,
  LOGICAL_NETWORK_ROW_OWNER_KEY,
} from '../../domain/datapath/northbound/row.ts';
import {
  type ColumnForm,
  type Columns,
  type ColumnValue,
  isNamed,
  type NorthboundTable,
  type NorthboundTables,
} from '../../domain/datapath/northbound/tables.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { allOf, mapReading } from '../../ports/readings.ts';
import { expectedFound, fieldPlace, problemAt } from '../json/conforming.ts';
import type { Row } from '../ovsdb/row.ts';
import { type Atom, type OvsdbValue, readValue } from '../ovsdb/values.ts';

/** The form of a column that is read: with references, `reference` for at most one and `references` for any number. */
type ReadForm = ColumnForm | 'reference' | 'references';

const expectations: Readonly<Record<ReadForm, string>> = {
  value: 'one value',
  optional: 'one value at most',
  set: 'a set of values',
  map: 'a map',
  reference: 'a reference to one row at most',
  references: 'a set of references',
};

function textOf(atom: Atom): string {
  return typeof atom === 'object' ? atom.uuid : String(atom);
}

/** The UUID of the row that a column refers to, those of all, or an empty set; undefined if something is not a reference. */
function plainReferences(atoms: readonly Atom[], form: 'reference' | 'references'): ColumnValue | undefined {
  const uuids = atoms.flatMap((atom) => (typeof atom === 'object' ? [atom.uuid] : []));
  if (uuids.length < atoms.length) return undefined;
  if (form === 'references') return uuids;
  const [uuid = [], ...others] = uuids;
  return others.length === 0 ? uuid : undefined;
}

/** The value of a column; absent if it is of another form. */
function plainValue(value: OvsdbValue, form: ReadForm): ColumnValue | undefined {
  if (value.kind === 'map') {
    if (form !== 'map') return undefined;
    const entries = value.pairs.map(([key, item]) => [textOf(key), textOf(item)] as const);
    return Object.fromEntries(entries.toSorted(([left], [right]) => byName(left, right)));
  }
  if (form === 'reference' || form === 'references') return plainReferences(value.atoms, form);
  const atoms = value.atoms.filter((atom) => typeof atom !== 'object');
  if (form === 'map' || atoms.length < value.atoms.length) return undefined;
  if (form === 'set') return atoms.map(String).sort(byName);
  return atoms.length > 1 || (atoms.length === 0 && form === 'value') ? undefined : (atoms[0] ?? []);
}

/** The name and value of a column as an object entry; absent where the database has no such column. */
function readColumn(row: Row, column: string, form: ReadForm): Reading<readonly (readonly [string, ColumnValue])[]> {
  if (!Object.hasOwn(row.columns, column)) return { read: true, value: [] };
  const notation = row.columns[column];
  const value = readValue(notation);
  const plain = value && plainValue(value, form);
  if (plain !== undefined) return { read: true, value: [[column, plain]] };
  const message = expectedFound(expectations[form], describeValue(notation));
  return { read: false, problems: [problemAt(fieldPlace(row.place, column), message)] };
}

function readColumns(row: Row, forms: Readonly<Record<string, ReadForm>>): Reading<Columns> {
  const columns = Object.entries(forms).map(([column, form]) => readColumn(row, column, form));
  return mapReading(allOf(columns), (entries) => Object.fromEntries(entries.flat()));
}

/** The columns of a row without references. */
export interface OwnContent {
  readonly name?: string;
  readonly network?: string;
  readonly isOfZone?: true;
  readonly externalIds?: Readonly<Record<string, string>>;
  readonly columns: Columns;
}

/** The forms of the columns of a table, but those that refer to parts. */
function formsOf(table: NorthboundTable, tables: NorthboundTables): Readonly<Record<string, ReadForm>> {
  const { columns, references } = tables[table];
  const ofReferences = Object.entries(references).map(
    ([column, { number }]) => [column, number === 'one' ? 'reference' : 'references'] as const,
  );
  return {
    ...columns,
    ...Object.fromEntries(ofReferences),
    ...(isNamed(table, tables) && { name: 'value' }),
    external_ids: 'map',
  };
}

function readContent(row: Row, forms: Readonly<Record<string, ReadForm>>): Reading<OwnContent> {
  return mapReading(readColumns(row, forms), ({ name, external_ids: all = {}, ...columns }) => {
    const {
      [GATEWAY_ROW_OWNER_KEY]: ofRouter,
      [LOGICAL_NETWORK_ROW_OWNER_KEY]: ofNetwork,
      ...externalIds
    } = all as Record<string, string>;
    const network = ofNetwork ?? ofRouter;
    return {
      columns,
      ...(typeof name === 'string' && { name }),
      ...(network !== undefined && { network }),
      ...(ofNetwork !== undefined && { isOfZone: true }),
      ...(Object.keys(externalIds).length > 0 && { externalIds }),
    };
  });
}

/** Parts of a row. */
export interface PartsOfRow {
  readonly uuids: ReadonlySet<string>;
  /** The row as their parent. */
  readonly parent: NorthboundParent;
}

/** The parts of a row in each of its columns. */
function partsOf(table: NorthboundTable, row: Row, columns: readonly string[]): readonly PartsOfRow[] {
  const { name } = row.columns;
  if (typeof name !== 'string') return [];
  return columns.flatMap((column): readonly PartsOfRow[] => {
    const value = readValue(row.columns[column]);
    if (value?.kind !== 'set') return [];
    const uuids = new Set(value.atoms.flatMap((atom) => (typeof atom === 'object' ? [atom.uuid] : [])));
    return uuids.size === 0 ? [] : [{ uuids, parent: { table, name, column } }];
  });
}

/** The rows of one table. A row that did not change is not read again. */
export class TableReader {
  readonly content: (row: Row) => Reading<OwnContent>;
  readonly parts: (row: Row) => readonly PartsOfRow[];

  constructor(table: NorthboundTable, tables: NorthboundTables) {
    const forms = formsOf(table, tables);
    this.content = lazyByObject((row) => readContent(row, forms));
    const { parts } = tables[table];
    this.parts = (row) => partsOf(table, row, parts);
  }
}
