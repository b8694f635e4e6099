import type { Connection, Reply } from './connection.ts';
import { errorText, isUnknownMethod } from './error-text.ts';
import { Replica, type RowChange, type UpdateResult } from './replica.ts';
import { type ColumnsByTable, type DatabaseSchema, missingColumns, readSchema } from './schema.ts';
import type { Tables } from './row.ts';

/** A listener of a monitor. */
export interface ReplicaListener {
  /** The replica is up to date on a new connection. */
  complete(connection: Connection): void;
  /** The replica has changed in some rows, and is up to date. */
  changed(rows: readonly RowChange[]): void;
}

/** The rows of tables that are needed (ovsdb-server(7), 4.1.12); all of tables that are not named. */
export type ConditionsByTable = Readonly<Record<string, readonly unknown[]>>;

/** The transaction id of a client without data (ovsdb-server(7), 4.1.15). */
const NO_TRANSACTION = '00000000-0000-0000-0000-000000000000';

/**
 * Keeps a replica of some columns of a database across connections.
 *
 * After a reconnect a server with a history sends only the changes since the last connection; others send everything (ovsdb-server(7), 4.1.15), as
 * do those with RFC 7047 only. Columns missing from the schema of an older server are not requested.
 */
export class Monitor {
  readonly #database: string;
  readonly #columns: ColumnsByTable;
  readonly #conditions: ConditionsByTable;
  readonly #listener: ReplicaListener;
  readonly #replica: Replica;
  /** The requested columns and their schema; the replica can only be continued with the same. */
  #asked = '';
  #lastTransaction = NO_TRANSACTION;
  #missing: readonly string[] = [];

  /**
   * @param conditions of tables only some of whose rows are needed. A server with RFC 7047 only sends the others too
   * @param file named in problems of rows
   */
  constructor(
    database: string,
    columns: ColumnsByTable,
    conditions: ConditionsByTable,
    file: string,
    listener: ReplicaListener,
  ) {
    this.#database = database;
    this.#columns = columns;
    this.#conditions = conditions;
    this.#listener = listener;
    this.#replica = new Replica(file);
  }

  get tables(): Tables {
    return this.#replica.tables;
  }

  /** The tables, as `Table`, and columns, as `Table.column`, that the schema of the server does not have. */
  get missing(): readonly string[] {
    return this.#missing;
  }

  /** Starts on a connection, which is closed if the server lacks what is needed. */
  start(connection: Connection): void {
    connection.onNotification((method, params) => this.#notified(connection, method, params));
    connection.ask('get_schema', [this.#database], (reply) => {
      const result = resultOf(connection, reply, `sends no schema of its database ${this.#database}`);
      if (result === undefined) return;
      const schema = readSchema(result.value);
      if (schema === undefined) connection.close(`sent an invalid schema of ${this.#database}`);
      else {
        this.#missing = missingColumns(schema, this.#columns);
        this.#monitor(connection, restrictedTo(schema, this.#columns));
      }
    });
  }

  #monitor(connection: Connection, schema: DatabaseSchema): void {
    const requests = Object.fromEntries([...schema].map(([table, types]) => [table, [{ columns: [...types.keys()] }]]));
    const asked = JSON.stringify([...schema].map(([table, types]) => [table, [...types]]));
    const since = asked === this.#asked ? this.#lastTransaction : NO_TRANSACTION;
    this.#asked = asked;
    this.#lastTransaction = since;
    const params = [this.#database, this.#database, requests];
    const conditional = Object.fromEntries(
      Object.entries(requests).map(([table, [request]]) => {
        const where = this.#conditions[table];
        return [table, [{ ...request, ...(where && { where }) }]];
      }),
    );
    connection.ask('monitor_cond_since', [this.#database, this.#database, conditional, since], (reply) => {
      if (reply.outcome === 'error' && isUnknownMethod(reply.error)) {
        this.#monitorPlainly(connection, schema, params);
        return;
      }
      const result = resultOf(connection, reply, `does not report changes of its database ${this.#database}`);
      if (result === undefined) return;
      const [found, transaction, updates] = listOf(result.value);
      if (found !== true) this.#replica.clear(schema);
      this.#lastTransaction = typeof transaction === 'string' ? transaction : NO_TRANSACTION;
      if (this.#isApplied(connection, this.#replica.applyDifferences(updates))) this.#listener.complete(connection);
    });
  }

  #monitorPlainly(connection: Connection, schema: DatabaseSchema, params: readonly unknown[]): void {
    connection.ask('monitor', params, (reply) => {
      const result = resultOf(connection, reply, `does not report changes of its database ${this.#database}`);
      if (result === undefined) return;
      this.#replica.clear(schema);
      this.#lastTransaction = NO_TRANSACTION;
      if (this.#isApplied(connection, this.#replica.apply(result.value))) this.#listener.complete(connection);
    });
  }

  #notified(connection: Connection, method: string, params: readonly unknown[]): void {
    if (params[0] !== this.#database) return;
    if (method === 'monitor_canceled') connection.close(`does not have the database ${this.#database} any more`);
    else if (method === 'update') this.#updated(connection, this.#replica.apply(params[1]));
    else if (method === 'update3') {
      this.#lastTransaction = typeof params[1] === 'string' ? params[1] : NO_TRANSACTION;
      this.#updated(connection, this.#replica.applyDifferences(params[2]));
    }
  }

  #updated(connection: Connection, applied: UpdateResult): void {
    if (this.#isApplied(connection, applied) && applied.applied && applied.changed.length > 0)
      this.#listener.changed(applied.changed);
  }

  /** Applies updates. If they do not fit, the replica is wrong and everything is requested again. */
  #isApplied(connection: Connection, applied: UpdateResult): boolean {
    if (applied.applied) return true;
    this.#lastTransaction = NO_TRANSACTION;
    connection.close(applied.reason);
    return false;
  }
}

/** The result of a reply; without one the connection is closed. */
function resultOf(connection: Connection, reply: Reply, complaint: string): { readonly value: unknown } | undefined {
  if (reply.outcome === 'result') return { value: reply.result };
  connection.close(reply.outcome === 'error' ? `${complaint}: ${errorText(reply.error)}` : reply.reason);
  return undefined;
}

function restrictedTo(schema: DatabaseSchema, columns: ColumnsByTable): DatabaseSchema {
  const tables = Object.entries(columns).flatMap(([table, names]) => {
    const types = schema.get(table);
    return types === undefined ? [] : [[table, new Map([...types].filter(([name]) => names.includes(name)))] as const];
  });
  return new Map(tables);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
