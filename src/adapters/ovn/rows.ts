import { lazyByObject } from '../../domain/basics/incremental/by-identity.ts';
import { lazyByKey } from '../../domain/basics/incremental/lazy.ts';
import { isSameList } from '../../domain/basics/incremental/list-changes.ts';
import { byName, sortedBy } from '../../domain/basics/names/ordering.ts';
import { nameOfUnnamed } from '../../domain/datapath/northbound/row-name.ts';
import { isList, type NorthboundParent, type NorthboundRow, parentKey } from '../../domain/datapath/northbound/row.ts';
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

const noParents: readonly NorthboundParent[] = [];

/** A parent alone: one list for the thousands of rows that are part of it only. */
const alone = lazyByObject((parent: NorthboundParent): readonly NorthboundParent[] => [parent]);

function isSameContent(left: OwnContent, right: OwnContent): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

function isSameParents(left: readonly NorthboundParent[], right: readonly NorthboundParent[]): boolean {
  if (left === right) return true;
  return left.length === right.length && left.every((parent, place) => isSameParent(parent, right[place]));
}

function isSameParent(left: NorthboundParent, right: NorthboundParent | undefined): boolean {
  return left === right || (left.table === right?.table && left.name === right.name && left.column === right.column);
}

/** A row that was read, and its content then. */
interface KnownRow {
  readonly content: OwnContent;
  readonly row: NorthboundRow;
}

/** Whether a row is the same as it was read: a row that it refers to, or is part of, may have changed. */
function isStillRight({ content, row }: KnownRow, source: Source): boolean {
  return (
    row.network === source.network &&
    isSameContent(content, source.content) &&
    isSameParents(row.parents ?? noParents, source.parents)
  );
}

/** Reads the rows of the Northbound database from its tables. A row that did not change is the same object. */
export class NorthboundRows {
  readonly #tables: NorthboundTables;
  readonly #names: readonly NorthboundTable[];
  readonly #readers: ReadonlyMap<string, TableReader>;
  #known: ReadonlyMap<string, KnownRow> = new Map();
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
        for (const { uuids, parent } of reader.parts(row)) {
          for (const uuid of uuids) {
            const others = parents.get(uuid);
            parents.set(uuid, others === undefined ? alone(parent) : sortedBy([...others, parent], parentKey));
          }
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
    const present = new Map<string, KnownRow>();
    for (const source of sources) {
      const { uuid, content } = source;
      const known = this.#known.get(uuid);
      const isSame = known !== undefined && isStillRight(known, source);
      present.set(uuid, isSame ? known : { content, row: this.#rowFrom(source) });
    }
    this.#known = present;
    const rows = [...present.values()].map(({ row }) => row);
    if (!isSameList(rows, this.#rows)) this.#rows = rows;
    return this.#rows;
  }
}
