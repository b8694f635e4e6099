import { afterChange } from './difference.ts';
import { interned } from '../../domain/basics/incremental/interned.ts';
import { isJsonObject } from '../json/json-object.ts';
import { type Row, type RowColumns, rowOf, type Tables } from './row.ts';
import type { ColumnType, DatabaseSchema } from './schema.ts';

/** A row that has changed. */
export interface RowChange {
  readonly table: string;
  /** Absent for a new row. */
  readonly before?: Row;
  /** Absent for a deleted row. */
  readonly after?: Row;
}

/** The result of updates. */
export type UpdateResult =
  | {
      readonly applied: true;
      /** The rows that are different now. */
      readonly changed: readonly RowChange[];
    }
  | {
      readonly applied: false;
      /** Why they do not fit; completes "the server …". The replica is then invalid. */
      readonly reason: string;
    };

/** The change of a row: its new content, its deletion, or why it does not fit. */
type RowUpdate = { readonly columns: RowColumns } | 'gone' | { readonly reason: string };

/** Reads the change of a row. */
type Dialect = (row: Row | undefined, update: Readonly<Record<string, unknown>>, table: string) => RowUpdate;

/** Number of external_ids up to which all are the same objects for equal ones: more than there are networks and pods on a node. */
const SHARED_IDS = 10_000;

/** A copy of some columns of a database, kept by the updates of a monitor. */
export class Replica {
  readonly #file: string;
  readonly #tables = new Map<string, Map<string, Row>>();
  /** Those of tables that have not changed since they were asked for. */
  readonly #lists = new Map<string, readonly Row[]>();
  readonly #sharedIds = interned<object>(SHARED_IDS);
  #schema: DatabaseSchema = new Map();

  /** @param file named in problems of rows */
  constructor(file: string) {
    this.#file = file;
  }

  /** The rows: the same list as before for a table of which none has changed. */
  get tables(): Tables {
    for (const [name, rows] of this.#tables) if (!this.#lists.has(name)) this.#lists.set(name, [...rows.values()]);
    return new Map(this.#lists);
  }

  /** Clears all rows, and uses a schema. */
  clear(schema: DatabaseSchema): void {
    this.#tables.clear();
    this.#lists.clear();
    this.#schema = schema;
  }

  /** Applies `<table-updates>` (RFC 7047, section 4.1.6): whole rows. */
  apply(updates: unknown): UpdateResult {
    return this.#applyAll(updates, (_row, update) => {
      if (isJsonObject(update['new'])) return { columns: update['new'] };
      return 'gone';
    });
  }

  /** Applies `<table-updates2>` (ovsdb-server(7), 4.1.14): new rows without default values, differences of changed ones. */
  applyDifferences(updates: unknown): UpdateResult {
    return this.#applyAll(updates, (row, update, table) => {
      const added = update['initial'] ?? update['insert'];
      if (isJsonObject(added)) return { columns: this.#completed(table, added) };
      const modified = update['modify'];
      if (!isJsonObject(modified)) return 'gone';
      if (row === undefined) return { reason: 'changed an unknown row' };
      return this.#modified(row, table, modified);
    });
  }

  #applyAll(updates: unknown, dialect: Dialect): UpdateResult {
    const changed: RowChange[] = [];
    for (const [table, rows] of entriesOf(updates)) {
      for (const [uuid, update] of entriesOf(rows)) {
        const before = this.#tables.get(table)?.get(uuid);
        const change = isJsonObject(update) ? dialect(before, update, table) : { reason: 'sent an invalid update' };
        if (change !== 'gone' && 'reason' in change)
          return { applied: false, reason: `${change.reason}: ${table} ${uuid}` };
        const after =
          change === 'gone' ? undefined : rowOf(table, uuid, this.#withSharedIds(change.columns), this.#file);
        if (isSameRow(before, after)) continue;
        changed.push({ table, ...(before && { before }), ...(after && { after }) });
        this.#put(table, uuid, after);
      }
    }
    return { applied: true, changed };
  }

  #put(table: string, uuid: string, row: Row | undefined): void {
    const rows = this.#tables.get(table) ?? new Map<string, Row>();
    this.#tables.set(table, rows);
    this.#lists.delete(table);
    if (row === undefined) rows.delete(uuid);
    else rows.set(uuid, row);
  }

  /** The columns of a row with external_ids that are the same object for many rows: mostly they only say whose these are. */
  #withSharedIds(columns: RowColumns): RowColumns {
    const { external_ids } = columns;
    return typeof external_ids === 'object' && external_ids !== null
      ? { ...columns, external_ids: this.#sharedIds(external_ids) }
      : columns;
  }

  #completed(table: string, columns: RowColumns): RowColumns {
    const defaults = [...this.#columnsOf(table)].map(([name, { initially }]) => [name, initially] as const);
    return defaults.length === 0 ? columns : { ...Object.fromEntries(defaults), ...columns };
  }

  #modified(row: Row, table: string, change: Readonly<Record<string, unknown>>): RowUpdate {
    const columns: Record<string, unknown> = { ...row.columns };
    for (const [name, difference] of Object.entries(change)) {
      const type = this.#columnsOf(table).get(name);
      if (type === undefined) return { reason: `changed a column that its schema lacks, ${name}` };
      columns[name] = afterChange(columns[name], difference, type);
    }
    return { columns };
  }

  #columnsOf(table: string): ReadonlyMap<string, ColumnType> {
    return this.#schema.get(table) ?? new Map<string, ColumnType>();
  }
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** Whether two rows are equal. The order of a set or a map has no meaning, but changes only with its content. */
function isSameRow(left: Row | undefined, right: Row | undefined): boolean {
  return JSON.stringify(left?.columns) === JSON.stringify(right?.columns);
}
