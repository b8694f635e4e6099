import { afterChange } from './difference.ts';
import { isJsonObject } from '../json/json-object.ts';
import { type Row, rowOf, type Tables } from './row.ts';
import type { ColumnType, DatabaseSchema } from './schema.ts';

/** What became of updates. */
export type Applied =
  | { readonly applied: true; readonly changed: boolean }
  | {
      readonly applied: false;
      /** Why they do not fit what is there, as it completes "the server …". The replica is of no use from then on. */
      readonly reason: string;
    };

/** What an update says of a row: what it holds now, or that it is gone; or why that cannot be. */
type RowChange = { readonly columns: ReadonlyMap<string, unknown> } | 'gone' | { readonly reason: string };

/** Reads what is said of a row. */
type Dialect = (row: Row | undefined, update: Readonly<Record<string, unknown>>, table: string) => RowChange;

/** A copy of some columns of a database, kept by the updates of a monitor. */
export class Replica {
  readonly #file: string;
  readonly #tables = new Map<string, Map<string, Row>>();
  #schema: DatabaseSchema = new Map();

  /** @param file named in problems of rows */
  constructor(file: string) {
    this.#file = file;
  }

  /** What it holds. */
  get tables(): Tables {
    return new Map([...this.#tables].map(([name, rows]) => [name, [...rows.values()]]));
  }

  /** Forgets every row, and goes by a schema from then on. */
  clear(schema: DatabaseSchema): void {
    this.#tables.clear();
    this.#schema = schema;
  }

  /** Takes `<table-updates>` in, of RFC 7047, section 4.1.6: rows as they are now, all their columns. */
  apply(updates: unknown): Applied {
    return this.#applyAll(updates, (_row, update) => {
      if (isJsonObject(update['new'])) return { columns: new Map(Object.entries(update['new'])) };
      return 'gone';
    });
  }

  /** Takes `<table-updates2>` in, of ovsdb-server(7), 4.1.14: of new rows what is not the default, of changed ones the difference. */
  applyDifferences(updates: unknown): Applied {
    return this.#applyAll(updates, (row, update, table) => {
      const added = update['initial'] ?? update['insert'];
      if (isJsonObject(added)) return { columns: this.#completed(table, added) };
      const modified = update['modify'];
      if (!isJsonObject(modified)) return 'gone';
      if (row === undefined) return { reason: 'changed a row that it never told of' };
      return this.#modified(row, table, modified);
    });
  }

  #applyAll(updates: unknown, dialect: Dialect): Applied {
    let changed = false;
    for (const [table, rows] of entriesOf(updates)) {
      for (const [uuid, update] of entriesOf(rows)) {
        const before = this.#tables.get(table)?.get(uuid);
        const change = isJsonObject(update)
          ? dialect(before, update, table)
          : { reason: 'sent an update that is none' };
        if (change !== 'gone' && 'reason' in change)
          return { applied: false, reason: `${change.reason}: ${table} ${uuid}` };
        const after = change === 'gone' ? undefined : rowOf(table, uuid, change.columns, this.#file);
        changed ||= !isSameRow(before, after);
        this.#put(table, uuid, after);
      }
    }
    return { applied: true, changed };
  }

  #put(table: string, uuid: string, row: Row | undefined): void {
    const rows = this.#tables.get(table) ?? new Map<string, Row>();
    this.#tables.set(table, rows);
    if (row === undefined) rows.delete(uuid);
    else rows.set(uuid, row);
  }

  #completed(table: string, columns: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
    const defaults = [...this.#columnsOf(table)].map(([name, { initially }]) => [name, initially] as const);
    return new Map([...defaults, ...Object.entries(columns)]);
  }

  #modified(row: Row, table: string, change: Readonly<Record<string, unknown>>): RowChange {
    const columns = new Map(row.columns);
    for (const [name, difference] of Object.entries(change)) {
      const type = this.#columnsOf(table).get(name);
      if (type === undefined) return { reason: `changed a column that its schema has not, ${name}` };
      columns.set(name, afterChange(columns.get(name), difference, type));
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

/** Whether two rows hold the same. The order of a set or a map means nothing, but it changes only where one of them does. */
function isSameRow(left: Row | undefined, right: Row | undefined): boolean {
  return JSON.stringify([...(left?.columns ?? [])]) === JSON.stringify([...(right?.columns ?? [])]) && !left === !right;
}
