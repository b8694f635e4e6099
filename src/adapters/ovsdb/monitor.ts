import type { Connection, Reply } from './connection.ts';
import { errorWords, isUnknownMethod } from './error-words.ts';
import { type Applied, Replica } from './replica.ts';
import { type DatabaseSchema, readSchema } from './schema.ts';
import type { Tables } from './row.ts';

/** The columns of each table that are replicated. */
export type Columns = Readonly<Record<string, readonly string[]>>;

/** What a monitor tells. */
export interface MonitorListener {
  /** The replica is as the database is, from now on by this connection. */
  complete(connection: Connection): void;
  /** It was before, and now is again, and something changed. */
  changed(): void;
}

/** The transaction of somebody who has nothing yet (ovsdb-server(7), 4.1.15). */
const NO_TRANSACTION = '00000000-0000-0000-0000-000000000000';

/**
 * Keeps a replica of some columns of a database, over one connection after the other.
 *
 * A server that has a history tells after a new connection only what happened since the last one; others tell everything (ovsdb-server(7),
 * 4.1.15), as do those that know no method but that of RFC 7047. What the schema of an older server lacks is not asked for.
 */
export class Monitor {
  readonly #database: string;
  readonly #columns: Columns;
  readonly #listener: MonitorListener;
  readonly #replica: Replica;
  /** What the replica was asked for, and by which schema; it can be continued only as the same. */
  #asked = '';
  #lastTransaction = NO_TRANSACTION;

  /** @param file named in problems of rows */
  constructor(database: string, columns: Columns, file: string, listener: MonitorListener) {
    this.#database = database;
    this.#columns = columns;
    this.#listener = listener;
    this.#replica = new Replica(file);
  }

  get tables(): Tables {
    return this.#replica.tables;
  }

  /** Starts on a connection, which is closed where the server does not give what is needed. */
  start(connection: Connection): void {
    connection.onNotification((method, params) => this.#notified(connection, method, params));
    connection.ask('get_schema', [this.#database], (reply) => {
      const result = resultOf(connection, reply, `gives no schema of its database ${this.#database}`);
      if (result === undefined) return;
      const schema = readSchema(result.value);
      if (schema === undefined) connection.close(`gave a schema of ${this.#database} that is none`);
      else this.#monitor(connection, restrictedTo(schema, this.#columns));
    });
  }

  #monitor(connection: Connection, schema: DatabaseSchema): void {
    const requests = Object.fromEntries([...schema].map(([table, types]) => [table, [{ columns: [...types.keys()] }]]));
    const asked = JSON.stringify([...schema].map(([table, types]) => [table, [...types]]));
    const since = asked === this.#asked ? this.#lastTransaction : NO_TRANSACTION;
    this.#asked = asked;
    this.#lastTransaction = since;
    const params = [this.#database, this.#database, requests];
    connection.ask('monitor_cond_since', [...params, since], (reply) => {
      if (reply.outcome === 'error' && isUnknownMethod(reply.error)) {
        this.#monitorPlainly(connection, schema, params);
        return;
      }
      const result = resultOf(connection, reply, `does not tell what changes in its database ${this.#database}`);
      if (result === undefined) return;
      const [found, transaction, updates] = listOf(result.value);
      if (found !== true) this.#replica.clear(schema);
      this.#lastTransaction = typeof transaction === 'string' ? transaction : NO_TRANSACTION;
      if (this.#isApplied(connection, this.#replica.applyDifferences(updates))) this.#listener.complete(connection);
    });
  }

  #monitorPlainly(connection: Connection, schema: DatabaseSchema, params: readonly unknown[]): void {
    connection.ask('monitor', params, (reply) => {
      const result = resultOf(connection, reply, `does not tell what changes in its database ${this.#database}`);
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

  #updated(connection: Connection, applied: Applied): void {
    if (this.#isApplied(connection, applied) && applied.applied && applied.changed) this.#listener.changed();
  }

  /** Whether updates fit. Where they do not, everything is asked for anew: what is there is a copy of nothing. */
  #isApplied(connection: Connection, applied: Applied): boolean {
    if (applied.applied) return true;
    this.#lastTransaction = NO_TRANSACTION;
    connection.close(applied.reason);
    return false;
  }
}

/** The result of a reply; the connection is closed where there is none. */
function resultOf(connection: Connection, reply: Reply, complaint: string): { readonly value: unknown } | undefined {
  if (reply.outcome === 'result') return { value: reply.result };
  connection.close(reply.outcome === 'error' ? `${complaint}: ${errorWords(reply.error)}` : reply.reason);
  return undefined;
}

function restrictedTo(schema: DatabaseSchema, columns: Columns): DatabaseSchema {
  const tables = Object.entries(columns).flatMap(([table, names]) => {
    const types = schema.get(table);
    return types === undefined ? [] : [[table, new Map([...types].filter(([name]) => names.includes(name)))] as const];
  });
  return new Map(tables);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
