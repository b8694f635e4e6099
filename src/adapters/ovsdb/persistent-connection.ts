import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { Connection } from './connection.ts';
import type { OvsdbTiming } from './timing.ts';

/** The user of the connections to a server. */
export interface ConnectionUser {
  /** A connection is being made. */
  connecting(): void;
  /** A connection is established; the user may close it with a reason. */
  connected(connection: Connection): void;
  /** A connection failed or was closed. */
  lost(reason: string): void;
}

/** Completes "the server …". */
const SHUTTING_DOWN = 'is not used any more: the agent is shutting down';

/** How to fix an error of connect(2). */
const ADVICE: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist: ovsdb-server does not run on this node, or uses another socket; start Open vSwitch',
  ECONNREFUSED: 'is stale: ovsdb-server does not run any more; start Open vSwitch',
  EACCES: 'cannot be opened: permission denied; run as root',
};

/**
 * A connection to the server at a Unix socket that reconnects when it is lost.
 *
 * A starting server creates its socket, which triggers an attempt at once. In case the folder is missing or was replaced, attempts are also made with
 * backoff.
 */
export class PersistentConnection {
  readonly #path: string;
  readonly #timing: OvsdbTiming;
  readonly #user: ConnectionUser;
  #connection: Connection | undefined;
  #delay: number;
  #timer: NodeJS.Timeout | undefined;
  #watcher: FSWatcher | undefined;
  #isClosed = false;

  constructor(path: string, timing: OvsdbTiming, user: ConnectionUser) {
    this.#path = path;
    this.#timing = timing;
    this.#user = user;
    this.#delay = timing.firstRetry;
  }

  /** Starts the first attempt. */
  start(): void {
    void this.#connect();
  }

  /** Resets the backoff: the connection works. */
  resetBackoff(): void {
    this.#delay = this.#timing.firstRetry;
  }

  /** Closes the connection for good. */
  close(): void {
    this.#isClosed = true;
    this.#stopWaiting();
    this.#connection?.close(SHUTTING_DOWN);
  }

  async #connect(): Promise<void> {
    this.#stopWaiting();
    this.#user.connecting();
    let connection;
    try {
      connection = await Connection.open(this.#path, this.#timing);
    } catch (error) {
      this.#lost(refusal(error));
      return;
    }
    // Closed while connecting.
    if (this.#isClosed) {
      connection.close(SHUTTING_DOWN);
      return;
    }
    this.#connection = connection;
    connection.onClose((reason) => this.#lost(`leads to an ovsdb-server that ${reason}; reconnecting`));
    this.#user.connected(connection);
  }

  #lost(reason: string): void {
    this.#connection = undefined;
    if (this.#isClosed) return;
    // Before the user is called, which may close this.
    this.#wait();
    this.#user.lost(reason);
  }

  #wait(): void {
    this.#timer = setTimeout(() => void this.#connect(), this.#delay);
    this.#delay = Math.min(2 * this.#delay, this.#timing.lastRetry);
    try {
      const watcher = watch(dirname(this.#path), (_event, name) => {
        if (name === basename(this.#path)) this.#appeared();
      });
      watcher.on('error', () => watcher.close());
      this.#watcher = watcher;
    } catch {
      // Without the folder there are no events, only the timer.
    }
  }

  /** The socket exists before the server listens: if this attempt is refused, the next one follows soon. */
  #appeared(): void {
    this.resetBackoff();
    void this.#connect();
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer);
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}

function refusal(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ADVICE[code] ?? `cannot be connected to: ${error instanceof Error ? error.message : String(error)}`;
}
