import type { Connection } from './connection.ts';
import { Monitor } from './monitor.ts';
import type { Tables } from './row.ts';

/** The database in which a server lists its databases (ovsdb-server(5)). */
const SERVER_COLUMNS = { Database: ['name', 'model', 'connected', 'leader'] };

/** Why a server must not be used for a database; absent if it may be; completes "the server …". */
function objection(tables: Tables, database: string): string | undefined {
  const row = tables.get('Database')?.find(({ columns }) => columns['name'] === database);
  if (row === undefined) return `does not have the database ${database}`;
  const [model, isConnected, isLeader] = ['model', 'connected', 'leader'].map((column) => row.columns[column]);
  if (model !== 'standalone' && isConnected !== true) return 'has lost the other members of its cluster';
  return model === 'clustered' && isLeader !== true ? 'is not the leader of its cluster' : undefined;
}

/** Uses a server only while it is the leader of its cluster, or has a database that is not clustered (ovsdb(7), "Clustered Database Service Model"). */
export class ServerLeadership {
  readonly #database: string;
  readonly #monitor: Monitor;
  #connection: Connection | undefined;
  #begin = (): void => undefined;

  /** @param file named in problems of rows */
  constructor(database: string, file: string) {
    this.#database = database;
    this.#monitor = new Monitor('_Server', SERVER_COLUMNS, {}, file, {
      complete: () => {
        if (this.#isAccepted()) this.#begin();
      },
      changed: () => void this.#isAccepted(),
    });
  }

  /** Begins something on a connection if its server is the leader, and closes the connection if it is not, or is not any more. */
  follow(connection: Connection, begin: () => void): void {
    this.#connection = connection;
    this.#begin = begin;
    this.#monitor.start(connection);
  }

  #isAccepted(): boolean {
    const reason = objection(this.#monitor.tables, this.#database);
    if (reason !== undefined) this.#connection?.close(reason);
    return reason === undefined;
  }
}
