import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { Connection } from './connection.ts';
import type { OvsdbTiming } from './timing.ts';

/** Who uses the connections to a server, one after the other. */
export interface ConnectionUser {
  /** A connection is being made. */
  connecting(): void;
  /** One is there. Who finds it of no use closes it with a reason. */
  connected(connection: Connection): void;
  /** There is none, or it is over. */
  lost(reason: string): void;
}

/** As it completes "the server …". */
const NOT_ASKED = 'is not asked any more: this agent ends';

/** What a person can do about an error of connect(2). */
const ADVICE: Readonly<Record<string, string>> = {
  ENOENT: 'is not there: ovsdb-server does not run on this node, or its socket is elsewhere; start Open vSwitch',
  ECONNREFUSED: 'has nobody behind it: ovsdb-server does not run any more; start Open vSwitch',
  EACCES: 'may not be opened by this process: run it as root',
};

/**
 * A connection to the server at a Unix socket that is made anew whenever it is over.
 *
 * A server that starts makes its socket: that is the event on which a new attempt is made at once. As a safety net, where the folder is not
 * there or was made anew itself, attempts come at growing distances.
 */
export class LastingConnection {
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

  /** Makes the first attempt. */
  start(): void {
    void this.#connect();
  }

  /** Takes note that the connection does what it is for: once it is over, the next attempt comes soon. */
  prospers(): void {
    this.#delay = this.#timing.firstRetry;
  }

  /** Ends the connection, and makes no other. */
  close(): void {
    this.#isClosed = true;
    this.#stopWaiting();
    this.#connection?.close(NOT_ASKED);
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
    // Closed while it was being made: nobody waits for it.
    if (this.#isClosed) {
      connection.close(NOT_ASKED);
      return;
    }
    this.#connection = connection;
    connection.onClose((reason) => this.#lost(`leads to an ovsdb-server that ${reason}; it is tried again`));
    this.#user.connected(connection);
  }

  #lost(reason: string): void {
    this.#connection = undefined;
    if (this.#isClosed) return;
    // Before anybody is told: whoever is may close this.
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
      // No such folder: there is no event, and the timer has to do.
    }
  }

  /** The socket is made before somebody listens at it: should this attempt be refused, the next one comes soon. */
  #appeared(): void {
    this.prospers();
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
