import { describeValue } from '../../domain/api/conformance.ts';
import { lazyByObject } from '../../domain/incremental/by-identity.ts';
import { lazyByKey } from '../../domain/incremental/lazy.ts';
import { byName } from '../../domain/ordering.ts';
import { nameOfUnnamed } from '../../domain/snapshot/northbound-names.ts';
import {
  type ColumnValue,
  type Columns,
  isNamed,
  type NamedTable,
  namedReferences,
  type NorthboundParent,
  type NorthboundRow,
  type NorthboundTable,
  northboundTables,
  ROW_OWNER_KEY,
  ZONE_ROW_OWNER_KEY,
} from '../../domain/snapshot/northbound-row.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { expectedFound, fieldPlace, problemAt } from '../json/conforming.ts';
import { allOf, mapReading } from '../../ports/readings.ts';
import type { Row, Tables } from '../ovsdb/row.ts';
import { type Atom, type OvsdbValue, readValue } from '../ovsdb/values.ts';
import { type ColumnForm, referenceColumns, tableColumns } from './columns.ts';

const expectations: Readonly<Record<ColumnForm, string>> = {
  value: 'one value',
  optional: 'one value at most',
  set: 'a set of values',
  map: 'a map',
  reference: 'a reference to one row at most',
};

function textOf(atom: Atom): string {
  return typeof atom === 'object' ? atom.uuid : String(atom);
}

/** The UUID of the row that a column refers to, or an empty set; undefined if this is not a reference. */
function plainReference(atoms: readonly Atom[]): ColumnValue | undefined {
  const [atom] = atoms;
  if (atom === undefined) return [];
  return typeof atom === 'object' && atoms.length === 1 ? atom.uuid : undefined;
}

/** The value of a column; absent if it is of another form. */
function plainValue(value: OvsdbValue, form: ColumnForm): ColumnValue | undefined {
  if (value.kind === 'map') {
    if (form !== 'map') return undefined;
    const entries = value.pairs.map(([key, item]) => [textOf(key), textOf(item)] as const);
    return Object.fromEntries(entries.toSorted(([left], [right]) => byName(left, right)));
  }
  if (form === 'reference') return plainReference(value.atoms);
  const atoms = value.atoms.filter((atom) => typeof atom !== 'object');
  if (form === 'map' || atoms.length < value.atoms.length) return undefined;
  if (form === 'set') return atoms.map(String).sort(byName);
  return atoms.length > 1 || (atoms.length === 0 && form === 'value') ? undefined : (atoms[0] ?? []);
}

/** The name and value of a column as an object entry; absent where the database has no such column. */
function readColumn(row: Row, column: string, form: ColumnForm): Reading<readonly (readonly [string, ColumnValue])[]> {
  if (!row.columns.has(column)) return { read: true, value: [] };
  const notation = row.columns.get(column);
  const value = readValue(notation);
  const plain = value && plainValue(value, form);
  if (plain !== undefined) return { read: true, value: [[column, plain]] };
  const message = expectedFound(expectations[form], describeValue(notation));
  return { read: false, problems: [problemAt(fieldPlace(row.place, column), message)] };
}

function readColumns(row: Row, forms: Readonly<Record<string, ColumnForm>>): Reading<Columns> {
  const columns = Object.entries(forms).map(([column, form]) => readColumn(row, column, form));
  return mapReading(allOf(columns), (entries) => Object.fromEntries(entries.flat()));
}

/** The columns of a row without references. */
interface OwnContent {
  readonly name?: string;
  readonly network?: string;
  readonly isOfZone?: true;
  readonly externalIds?: Readonly<Record<string, string>>;
  readonly columns: Columns;
}

function readContent(table: NorthboundTable, row: Row): Reading<OwnContent> {
  const forms = {
    ...tableColumns[table],
    ...(isNamed(table) && { name: 'value' as const }),
    external_ids: 'map' as const,
  };
  return mapReading(readColumns(row, forms), ({ name, external_ids: all = {}, ...columns }) => {
    const { [ROW_OWNER_KEY]: ofRouter, [ZONE_ROW_OWNER_KEY]: ofZone, ...externalIds } = all as Record<string, string>;
    const network = ofZone ?? ofRouter;
    return {
      columns,
      ...(typeof name === 'string' && { name }),
      ...(network !== undefined && { network }),
      ...(ofZone !== undefined && { isOfZone: true }),
      ...(Object.keys(externalIds).length > 0 && { externalIds }),
    };
  });
}

/** The rows that a row refers to, by uuid. */
function referencesOf(table: NorthboundTable, row: Row): readonly (readonly [string, NorthboundParent])[] {
  const name = row.columns.get('name');
  if (typeof name !== 'string') return [];
  return (referenceColumns[table] ?? []).flatMap((column) => {
    const value = readValue(row.columns.get(column));
    const parent: NorthboundParent = { table, name, column };
    if (value?.kind !== 'set') return [];
    return value.atoms.flatMap((atom) => (typeof atom === 'object' ? [[atom.uuid, parent] as const] : []));
  });
}

type ByTable<Value> = Readonly<Record<NorthboundTable, Value>>;

function byTable<Value>(make: (table: NorthboundTable) => Value): ByTable<Value> {
  // The compiler cannot infer that these are all tables.
  return Object.fromEntries(northboundTables.map((table) => [table, make(table)])) as ByTable<Value>;
}

/** A row that did not change is not read again. */
const contentOf = byTable((table) => lazyByObject((row: Row) => readContent(table, row)));
const references = byTable((table) => lazyByObject((row: Row) => referencesOf(table, row)));

function parentsIn(tables: Tables): ReadonlyMap<string, NorthboundParent> {
  const parents = new Map<string, NorthboundParent>();
  for (const table of northboundTables) {
    if (referenceColumns[table] === undefined) continue;
    for (const row of tables.get(table) ?? []) {
      for (const [uuid, parent] of references[table](row)) parents.set(uuid, parent);
    }
  }
  return parents;
}

/** The networks of router ports, by the names of the ports. */
function networksOfPorts(tables: Tables): ReadonlyMap<ColumnValue | undefined, string> {
  const networks = new Map<ColumnValue | undefined, string>();
  for (const row of tables.get('Logical_Router_Port') ?? []) {
    const content = contentOf.Logical_Router_Port(row);
    if (!content.read) continue;
    const { name, network } = content.value;
    if (network !== undefined) networks.set(name, network);
  }
  return networks;
}

type RowNames = ReadonlyMap<ColumnValue | undefined, string>;

/** The names of the rows of a table, by UUID. */
function namesIn(tables: Tables, table: NamedTable): RowNames {
  return new Map(
    (tables.get(table) ?? []).flatMap(({ uuid, columns }) => {
      const name = columns.get('name');
      return typeof name === 'string' ? [[uuid, name] as const] : [];
    }),
  );
}

/** The content of a row, with names instead of the UUIDs of rows that it refers to. */
function withNames(
  content: OwnContent,
  references: Readonly<Record<string, NamedTable>>,
  names: (table: NamedTable) => RowNames,
): OwnContent {
  const named = Object.entries(references).flatMap(([column, table]) => {
    const name = names(table).get(content.columns[column]);
    return name === undefined ? [] : [[column, name] as const];
  });
  return named.length === 0 ? content : { ...content, columns: { ...content.columns, ...Object.fromEntries(named) } };
}

/** The input of a row. */
interface Source {
  readonly table: NorthboundTable;
  readonly uuid: string;
  readonly content: OwnContent;
  readonly parent: NorthboundParent | undefined;
  readonly network: string | undefined;
}

/** A row is read again if a row that it refers to has changed. */
function isSameContent(left: OwnContent, right: OwnContent): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

function isSameSource(left: Source, right: Source): boolean {
  return (
    isSameContent(left.content, right.content) &&
    left.network === right.network &&
    left.parent?.name === right.parent?.name &&
    left.parent?.column === right.parent?.column
  );
}

function rowFrom({ table, uuid, content, parent, network }: Source): NorthboundRow {
  const { name, network: _, ...others } = content;
  return {
    table,
    uuid,
    name: isNamed(table) ? (name ?? '') : nameOfUnnamed(table, content.columns, parent?.name),
    ...others,
    ...(network !== undefined && { network }),
    ...(parent && { parent }),
  };
}

/** Reads the rows of the Northbound database from its tables. A row that did not change is the same object. */
export class NorthboundRows {
  #known: ReadonlyMap<string, { readonly source: Source; readonly row: NorthboundRow }> = new Map();
  #rows: readonly NorthboundRow[] = [];

  /** The rows, or the problems of those that are malformed; the same list if none has changed. */
  of(tables: Tables): Reading<readonly NorthboundRow[]> {
    const parents = parentsIn(tables);
    const networks = networksOfPorts(tables);
    const names = lazyByKey((table: NamedTable) => namesIn(tables, table));
    const sources = northboundTables.flatMap((table) =>
      (tables.get(table) ?? []).map((row) =>
        mapReading(contentOf[table](row), (found): Source => {
          const content = withNames(found, namedReferences[table] ?? {}, names);
          const network =
            table === 'Static_MAC_Binding' ? networks.get(content.columns['logical_port']) : content.network;
          return { table, uuid: row.uuid, content, parent: parents.get(row.uuid), network };
        }),
      ),
    );
    return mapReading(allOf(sources), (found) => this.#rowsFrom(found));
  }

  #rowsFrom(sources: readonly Source[]): readonly NorthboundRow[] {
    const entries = sources.map((source) => {
      const known = this.#known.get(source.uuid);
      return known !== undefined && isSameSource(known.source, source) ? known : { source, row: rowFrom(source) };
    });
    this.#known = new Map(entries.map((entry) => [entry.source.uuid, entry]));
    const rows = entries.map(({ row }) => row);
    const isSame = rows.length === this.#rows.length && rows.every((row, index) => row === this.#rows[index]);
    if (!isSame) this.#rows = rows;
    return this.#rows;
  }
}
