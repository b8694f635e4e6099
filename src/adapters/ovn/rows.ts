import { describeValue } from '../../domain/api/conformance.ts';
import { lazyByObject } from '../../domain/incremental/by-identity.ts';
import { lazyByKey } from '../../domain/incremental/lazy.ts';
import { isSameList } from '../../domain/incremental/list-changes.ts';
import { byName, sortedBy } from '../../domain/names/ordering.ts';
import { nameOfUnnamed } from '../../domain/northbound/row-name.ts';
import {
  isList,
  type NorthboundParent,
  type NorthboundRow,
  parentKey,
  ROW_OWNER_KEY,
  ZONE_ROW_OWNER_KEY,
} from '../../domain/northbound/row.ts';
import {
  type ColumnForm,
  type Columns,
  type ColumnValue,
  isNamed,
  type NorthboundTable,
  type NorthboundTables,
  northboundTables,
  tableNames,
} from '../../domain/northbound/tables.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { expectedFound, fieldPlace, problemAt } from '../json/conforming.ts';
import { allOf, mapReading } from '../../ports/readings.ts';
import type { Row, Tables } from '../ovsdb/row.ts';
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
  if (!row.columns.has(column)) return { read: true, value: [] };
  const notation = row.columns.get(column);
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
interface OwnContent {
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

/** The parts of a row, by UUID, with the row as their parent. */
function partsOf(
  table: NorthboundTable,
  row: Row,
  columns: readonly string[],
): readonly (readonly [string, NorthboundParent])[] {
  const name = row.columns.get('name');
  if (typeof name !== 'string') return [];
  return columns.flatMap((column) => {
    const value = readValue(row.columns.get(column));
    const parent: NorthboundParent = { table, name, column };
    if (value?.kind !== 'set') return [];
    return value.atoms.flatMap((atom) => (typeof atom === 'object' ? [[atom.uuid, parent] as const] : []));
  });
}

/** The rows of one table. A row that did not change is not read again. */
class TableReader {
  readonly content: (row: Row) => Reading<OwnContent>;
  readonly parts: (row: Row) => readonly (readonly [string, NorthboundParent])[];

  constructor(table: NorthboundTable, tables: NorthboundTables) {
    const forms = formsOf(table, tables);
    this.content = lazyByObject((row) => readContent(row, forms));
    const { parts } = tables[table];
    this.parts = parts.length === 0 ? () => [] : lazyByObject((row) => partsOf(table, row, parts));
  }
}

type RowNames = ReadonlyMap<string, string>;

/** The names of the rows of a table, by UUID. */
function namesIn(rows: readonly Row[]): RowNames {
  return new Map(
    rows.flatMap(({ uuid, columns }) => {
      const name = columns.get('name');
      return typeof name === 'string' ? [[uuid, name] as const] : [];
    }),
  );
}

/** References with names instead of UUIDs, as far as the rows have names. */
function named(value: ColumnValue, names: RowNames): ColumnValue {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (!isList(value) || value.length === 0) return value;
  return value.map((uuid) => names.get(uuid) ?? uuid).sort(byName);
}

/** The content of a row, with names instead of the UUIDs of rows that it refers to. */
function withNames(
  content: OwnContent,
  references: NorthboundTables[NorthboundTable]['references'],
  names: (table: string) => RowNames,
): OwnContent {
  const columns = Object.entries(references).flatMap(([column, { table }]) => {
    const value = content.columns[column];
    if (value === undefined) return [];
    const inNames = named(value, names(table));
    return inNames === value ? [] : [[column, inNames] as const];
  });
  return columns.length === 0
    ? content
    : { ...content, columns: { ...content.columns, ...Object.fromEntries(columns) } };
}

/** The input of a row. */
interface Source {
  readonly table: NorthboundTable;
  readonly uuid: string;
  readonly content: OwnContent;
  readonly parents: readonly NorthboundParent[];
  readonly network: string | undefined;
}

const noParents: readonly NorthboundParent[] = [];

function isSameContent(left: OwnContent, right: OwnContent): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

function isSameParents(left: readonly NorthboundParent[], right: readonly NorthboundParent[]): boolean {
  return left.length === right.length && left.every((parent, place) => isSameParent(parent, right[place]));
}

function isSameParent(left: NorthboundParent, right: NorthboundParent | undefined): boolean {
  return left === right || (left.table === right?.table && left.name === right.name && left.column === right.column);
}

/** A row is read again if a row that it refers to, or is part of, has changed. */
function isSameSource(left: Source, right: Source): boolean {
  return (
    left.network === right.network &&
    isSameContent(left.content, right.content) &&
    isSameParents(left.parents, right.parents)
  );
}

/** Reads the rows of the Northbound database from its tables. A row that did not change is the same object. */
export class NorthboundRows {
  readonly #tables: NorthboundTables;
  readonly #names: readonly NorthboundTable[];
  readonly #readers: ReadonlyMap<string, TableReader>;
  #known: ReadonlyMap<string, { readonly source: Source; readonly row: NorthboundRow }> = new Map();
  #rows: readonly NorthboundRow[] = [];

  constructor(tables: NorthboundTables = northboundTables) {
    this.#tables = tables;
    this.#names = tableNames(tables);
    this.#readers = new Map(this.#names.map((table) => [table, new TableReader(table, tables)]));
  }

  /** The rows, or the problems of those that are malformed; the same list if none has changed. */
  of(tables: Tables): Reading<readonly NorthboundRow[]> {
    const parents = this.#parentsIn(tables);
    const names = lazyByKey((table: string) => namesIn(tables.get(table) ?? []));
    const networks = lazyByKey((table: string) => this.#networksIn(tables, table));
    const sources = this.#names.flatMap((table) => {
      const { references, ownedThrough } = this.#tables[table];
      return this.#contentOf(tables, table).map(({ uuid, content: reading }) =>
        mapReading(reading, (found): Source => {
          const content = withNames(found, references, names);
          const network =
            ownedThrough === undefined
              ? content.network
              : networks(ownedThrough.table).get(content.columns[ownedThrough.column]);
          return { table, uuid, content, parents: parents.get(uuid) ?? noParents, network };
        }),
      );
    });
    return mapReading(allOf(sources), (found) => this.#rowsFrom(found));
  }

  #contentOf(tables: Tables, table: string) {
    const reader = this.#readers.get(table);
    if (reader === undefined) return [];
    return (tables.get(table) ?? []).map((row) => ({ uuid: row.uuid, content: reader.content(row) }));
  }

  /** The parents of rows, by UUID. */
  #parentsIn(tables: Tables): ReadonlyMap<string, readonly NorthboundParent[]> {
    const parents = new Map<string, readonly NorthboundParent[]>();
    for (const [table, reader] of this.#readers) {
      for (const row of tables.get(table) ?? []) {
        for (const [uuid, parent] of reader.parts(row)) {
          const others = parents.get(uuid);
          parents.set(uuid, others === undefined ? [parent] : sortedBy([...others, parent], parentKey));
        }
      }
    }
    return parents;
  }

  /** The networks of the rows of a table, by their names. */
  #networksIn(tables: Tables, table: string): ReadonlyMap<ColumnValue | undefined, string> {
    return new Map(
      this.#contentOf(tables, table).flatMap(({ content }) => {
        if (!content.read) return [];
        const { name, network } = content.value;
        return name === undefined || network === undefined ? [] : [[name, network] as const];
      }),
    );
  }

  #rowFrom({ table, uuid, content, parents, network }: Source): NorthboundRow {
    const { name, network: _, ...others } = content;
    const tables = this.#tables;
    return {
      table,
      uuid,
      name: isNamed(table, tables) ? (name ?? '') : nameOfUnnamed(table, content.columns, parents[0]?.name, tables),
      ...others,
      ...(network !== undefined && { network }),
      ...(parents.length > 0 && { parents }),
    };
  }

  #rowsFrom(sources: readonly Source[]): readonly NorthboundRow[] {
    const entries = sources.map((source) => {
      const known = this.#known.get(source.uuid);
      return known !== undefined && isSameSource(known.source, source) ? known : { source, row: this.#rowFrom(source) };
    });
    this.#known = new Map(entries.map((entry) => [entry.source.uuid, entry]));
    const rows = entries.map(({ row }) => row);
    if (!isSameList(rows, this.#rows)) this.#rows = rows;
    return this.#rows;
  }
}
