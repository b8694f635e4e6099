import { lazyByKey } from '../../domain/basics/incremental/lazy.ts';
import { isSameList } from '../../domain/basics/incremental/list-changes.ts';
import { sameIfSameItems } from '../../domain/basics/incremental/same-if-equal.ts';
import { byName } from '../../domain/basics/names/ordering.ts';
import { nameOfUnnamed } from '../../domain/datapath/northbound/row-name.ts';
import { isList, type NorthboundParent, type NorthboundRow } from '../../domain/datapath/northbound/row.ts';
import {
  type ColumnValue,
  isNamed,
  type NorthboundTable,
  type NorthboundTables,
  northboundTables,
  tableNames,
} from '../../domain/datapath/northbound/tables.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { allOf, mapReading } from '../../ports/readings.ts';
import type { Row, Tables } from '../ovsdb/row.ts';
import { isSameParent, RowParents } from './row-parents.ts';
import { type OwnContent, TableReader } from './table-reader.ts';

type RowNames = ReadonlyMap<string, string>;

/** The names of the rows of a table, by UUID. */
function namesIn(rows: readonly Row[]): RowNames {
  return new Map(
    rows.flatMap(({ uuid, columns }) => {
      const { name } = columns;
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

function isSameContent(left: OwnContent, right: OwnContent): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

function isSameParents(left: readonly NorthboundParent[], right: readonly NorthboundParent[]): boolean {
  if (left === right) return true;
  if (left.length !== right.length) return false;
  return left.every((parent, place) => isSameParent(parent, right[place] ?? parent));
}

/** A row as it was read last. */
interface KnownRow {
  /** The row of the replica that it was read from. */
  readonly from: Row;
  readonly content: OwnContent;
  readonly row: NorthboundRow;
}

/** Whether a row is the same as it was read: a row that it refers to, or is part of, may have changed. */
function isStillRight({ content, row }: KnownRow, source: Source): boolean {
  return (
    row.network === source.network &&
    isSameContent(content, source.content) &&
    isSameParents(row.parents ?? [], source.parents)
  );
}

/** A table as it was read last. */
interface KnownTable {
  readonly from: readonly Row[];
  readonly rows: Reading<readonly NorthboundRow[]>;
  /** The last ones that could be read. */
  readonly lastRead: readonly NorthboundRow[];
  /** By UUID. */
  readonly known: Map<string, KnownRow>;
}

const nothingKnown = (): KnownTable => ({
  from: [],
  rows: { read: true, value: [] },
  lastRead: [],
  known: new Map(),
});

/** Adds rows to those that are known, and drops all others. */
function remember(known: Map<string, KnownRow>, present: readonly KnownRow[]): void {
  for (const each of present) known.set(each.from.uuid, each);
  if (known.size === present.length) return;
  const there = new Set(present.map(({ from }) => from.uuid));
  for (const uuid of known.keys()) if (!there.has(uuid)) known.delete(uuid);
}

/** The other input of rows. */
interface RowContext {
  /** The tables some of whose rows have changed. */
  readonly changed: ReadonlySet<string>;
  /** The UUIDs of rows that have other parents than before. */
  readonly moved: ReadonlySet<string>;
  readonly names: (table: string) => RowNames;
  readonly networks: (table: string) => ReadonlyMap<ColumnValue | undefined, string>;
}

/** The rows of a table that is not there: the same list each time, as it has not changed then. */
const noRows: readonly Row[] = [];

/** Reads the rows of the Northbound database from its tables. A row that did not change is the same object, and costs a comparison. */
export class NorthboundRows {
  readonly #tables: NorthboundTables;
  readonly #names: readonly NorthboundTable[];
  readonly #readers: ReadonlyMap<NorthboundTable, TableReader>;
  readonly #parents: RowParents;
  readonly #known = new Map<NorthboundTable, KnownTable>();
  #lists: readonly (readonly NorthboundRow[])[] = [];
  #rows: readonly NorthboundRow[] = [];

  constructor(tables: NorthboundTables = northboundTables) {
    this.#tables = tables;
    this.#names = tableNames(tables);
    this.#readers = new Map(this.#names.map((table) => [table, new TableReader(table, tables)]));
    this.#parents = new RowParents([...this.#readers].filter(([table]) => tables[table].parts.length > 0));
  }

  /** The rows, or the problems of those that are malformed; the same list if none has changed. */
  of(tables: Tables): Reading<readonly NorthboundRow[]> {
    const context: RowContext = {
      changed: new Set(this.#names.filter((table) => (tables.get(table) ?? noRows) !== this.#known.get(table)?.from)),
      moved: this.#parents.read(tables),
      names: lazyByKey((table: string) => namesIn(tables.get(table) ?? noRows)),
      networks: lazyByKey((table: string) => this.#networksIn(tables, table)),
    };
    const readings = this.#names.map((table) => this.#rowsOf(table, tables.get(table) ?? noRows, context));
    return mapReading(allOf(readings), (lists) => this.#joined(lists));
  }

  #joined(lists: readonly (readonly NorthboundRow[])[]): readonly NorthboundRow[] {
    if (!isSameList(lists, this.#lists)) this.#rows = lists.flat();
    this.#lists = lists;
    return this.#rows;
  }

  #rowsOf(table: NorthboundTable, from: readonly Row[], context: RowContext): Reading<readonly NorthboundRow[]> {
    const before = this.#known.get(table) ?? nothingKnown();
    const { known } = before;
    const { moved } = context;
    // Where a row could not be read, what had changed then has to be found again.
    const isAnew = !before.rows.read || this.#namesChanged(table, context);
    const hasMoved = [...moved].some((uuid) => known.has(uuid));
    if (before.from === from && !isAnew && !hasMoved) return before.rows;
    const readings = from.map((row): Reading<KnownRow> => {
      const last = known.get(row.uuid);
      if (last?.from === row && !isAnew && !moved.has(row.uuid)) return { read: true, value: last };
      return this.#readRow(table, row, last, context);
    });
    const present = allOf(readings);
    if (present.read) remember(known, present.value);
    const rows = mapReading(present, (all) =>
      sameIfSameItems(
        before.lastRead,
        all.map(({ row }) => row),
      ),
    );
    this.#known.set(table, { from, rows, lastRead: rows.read ? rows.value : before.lastRead, known });
    return rows;
  }

  /** Whether a table has changed whose rows those of a table name. */
  #namesChanged(table: NorthboundTable, { changed }: RowContext): boolean {
    const { references, ownedThrough } = this.#tables[table];
    const isReferred = Object.values(references).some((reference) => changed.has(reference.table));
    return isReferred || (ownedThrough !== undefined && changed.has(ownedThrough.table));
  }

  #readRow(
    table: NorthboundTable,
    from: Row,
    last: KnownRow | undefined,
    { names, networks }: RowContext,
  ): Reading<KnownRow> {
    const { references, ownedThrough } = this.#tables[table];
    return mapReading(this.#contentOf(table, from), (found): KnownRow => {
      const content = withNames(found, references, names);
      const network =
        ownedThrough === undefined
          ? content.network
          : networks(ownedThrough.table).get(content.columns[ownedThrough.column]);
      const source = { table, uuid: from.uuid, content, parents: this.#parents.of(from.uuid), network };
      const isSame = last !== undefined && isStillRight(last, source);
      return isSame ? { ...last, from } : { from, content, row: this.#rowFrom(source) };
    });
  }

  #contentOf(table: NorthboundTable, row: Row): Reading<OwnContent> {
    const reader = this.#readers.get(table);
    if (reader === undefined) throw new Error(`no reader of table ${table}`);
    return reader.content(row);
  }

  /** The networks of the rows of a table, by their names. */
  #networksIn(tables: Tables, table: string): ReadonlyMap<ColumnValue | undefined, string> {
    const reader = this.#readers.get(table as NorthboundTable);
    return new Map(
      (tables.get(table) ?? noRows).flatMap((row) => {
        const content = reader?.content(row);
        if (content?.read !== true) return [];
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
}
