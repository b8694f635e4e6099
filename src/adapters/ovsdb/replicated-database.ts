import { Changes } from '../../ports/changes.ts';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import type { Connection, Reply } from './connection.ts';
import { ServerLeadership } from './leadership.ts';
import { PersistentConnection } from './persistent-connection.ts';
import { type ConditionsByTable, Monitor } from './monitor.ts';
import type { RowChange } from './replica.ts';
import type { Tables } from './row.ts';
import type { ColumnsByTable } from './schema.ts';
import { type DatabaseServer, serverText } from './server.ts';
import { type OvsdbTiming, seconds } from './timing.ts';

/** The state of a replica without content. */
type Incomplete =
  /** Connecting, or waiting for the initial content. */
  | { readonly kind: 'starting' }
  /** Waiting for the next attempt; the reason completes "the socket …". */
  | { readonly kind: 'lost'; readonly reason: string };

type ReplicaState = Incomplete | { readonly kind: 'complete'; readonly connection: Connection };

/** Called with the changed rows; without them if the replica became available or unavailable, and everything may have changed. */
type ChangeListener = (rows?: readonly RowChange[]) => void;

/**
 * A replica of some columns of a database. It connects on first use, and reconnects.
 */
export class ReplicatedDatabase {
  readonly #name: string;
  /** Its server, as named in problems. */
  readonly #file: string;
  readonly #timing: OvsdbTiming;
  readonly #connection: PersistentConnection;
  readonly #monitor: Monitor;
  readonly #changes = new Changes();
  #state: ReplicaState | undefined;
  /** Whether the listener was last called with the replica available. */
  #isThere = false;
  #listener: ChangeListener = () => undefined;

  /** @param conditions of tables only some of whose rows are needed */
  constructor(
    name: string,
    columns: ColumnsByTable,
    server: DatabaseServer,
    timing: OvsdbTiming,
    conditions: ConditionsByTable = {},
  ) {
    this.#name = name;
    this.#file = serverText(server);
    this.#timing = timing;
    this.#monitor = new Monitor(name, columns, conditions, this.#file, {
      complete: (connection) => this.#complete(connection),
      changed: (rows) => this.#listener(rows),
    });
    const leadership = server.isLeaderRequired === true ? new ServerLeadership(name, this.#file) : undefined;
    this.#connection = new PersistentConnection(server, timing, {
      connecting: () => {
        this.#state = { kind: 'starting' };
      },
      connected: (connection) => {
        if (leadership === undefined) this.#monitor.start(connection);
        else leadership.follow(connection, () => this.#monitor.start(connection));
      },
      lost: (reason) => this.#lost(reason),
    });
  }

  /** The tables and columns that the schema of the server did not have when it was connected to, as `Table` and `Table.column`. */
  get missing(): readonly string[] {
    return this.#monitor.missing;
  }

  /** Sets the listener for changes, loss and return of the replica. */
  onChange(listener: ChangeListener): void {
    this.#listener = listener;
    this.#start();
  }

  /** The current content. While connecting it waits, up to the deadline. Never rejects. */
  async content(): Promise<Reading<Tables>> {
    const state = await this.#settledState();
    if (state.kind === 'complete') return { read: true, value: this.#monitor.tables };
    return { read: false, problems: [{ origin: inFile(this.#file), message: this.#reasonOf(state) }] };
  }

  /**
   * Runs a transaction of operations of RFC 7047, section 5.2. When it returns, `content` includes the changes: the server sends updates before the
   * reply (ovsdb-server(7), 4.1.5). Never rejects.
   */
  async transact(operations: readonly unknown[]): Promise<Reply> {
    const state = await this.#settledState();
    if (state.kind !== 'complete') {
      return { outcome: 'none', reason: `cannot be reached: its socket ${this.#reasonOf(state)}` };
    }
    return state.connection.request('transact', [this.#name, ...operations]);
  }

  /** Closes the connection; pending calls fail. */
  close(): void {
    this.#listener = () => undefined;
    this.#connection.close();
    this.#lost('is not read any more: the agent is shutting down');
  }

  #start(): void {
    if (this.#state === undefined) this.#connection.start();
  }

  async #settledState(): Promise<ReplicaState> {
    this.#start();
    if (this.#state?.kind === 'starting') await this.#changes.next(this.#timing.deadline);
    return this.#state ?? { kind: 'starting' };
  }

  /** Why there is no content; completes "the socket …". */
  #reasonOf(state: Incomplete): string {
    switch (state.kind) {
      case 'lost':
        return state.reason;
      case 'starting':
        return `leads to an ovsdb-server that did not answer within ${seconds(this.#timing.deadline)}`;
    }
  }

  #complete(connection: Connection): void {
    this.#connection.resetBackoff();
    this.#become({ kind: 'complete', connection });
    this.#isThere = true;
    this.#listener();
  }

  #lost(reason: string): void {
    const wasThere = this.#isThere;
    this.#isThere = false;
    this.#become({ kind: 'lost', reason });
    if (wasThere) this.#listener();
  }

  #become(state: ReplicaState): void {
    this.#state = state;
    this.#changes.notify();
  }
}
