import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { Connection } from './connection.ts';
import type { DatabaseServer, ServerAddress } from './server.ts';
import type { OvsdbTiming } from './timing.ts';

/** The user of the connections to a server. */
export interface ServerConnectionUser {
  /** A connection is being made. */
  connecting(): void;
  /** A connection is established; the user may close it with a reason. */
  connected(connection: Connection): void;
  /** A connection was closed, or none could be made to any address; the reason completes "the address …". */
  lost(reason: string): void;
}

/** Completes "the server …". */
const SHUTTING_DOWN = 'is not used any more: the agent is shutting down';

/**
 * A connection to a server that is opened again when it is lost, to the next of its addresses.
 *
 * A starting server creates its Unix socket, which triggers an attempt at once. In case the folder is missing or was replaced, and for servers on other
 * machines, attempts are also made with backoff.
 */
export class PersistentConnection {
  readonly #server: DatabaseServer;
  readonly #timing: OvsdbTiming;
  readonly #user: ServerConnectionUser;
  /** The number of the address that is used, or tried. */
  #current = 0;
  /** Why addresses could not be used, by number, since the last backoff. */
  readonly #failures = new Map<number, string>();
  #connection: Connection | undefined;
  #delay: number;
  #timer: NodeJS.Timeout | undefined;
  #watchers: readonly FSWatcher[] = [];
  #isClosed = false;

  constructor(server: DatabaseServer, timing: OvsdbTiming, user: ServerConnectionUser) {
    this.#server = server;
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
    this.#failures.clear();
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
    const { addresses, tls, service } = this.#server;
    const address = addresses[this.#current % addresses.length];
    if (address === undefined) return;
    let connection;
    try {
      connection = await Connection.open(address, this.#timing, tls);
    } catch (error) {
      this.#lost(refusal(error, address, service));
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
    const { addresses } = this.#server;
    this.#failures.set(this.#current, reason);
    this.#current = (this.#current + 1) % addresses.length;
    if (this.#failures.size < addresses.length) {
      void this.#connect();
      return;
    }
    const reasons = [...this.#failures].map(([number, each]) =>
      addresses.length === 1 ? each : `${addresses[number]?.text ?? ''} ${each}`,
    );
    this.#failures.clear();
    // Before the user is called, which may close this.
    this.#wait();
    this.#user.lost(reasons.join('; '));
  }

  #wait(): void {
    this.#timer = setTimeout(() => void this.#connect(), this.#delay);
    this.#delay = Math.min(2 * this.#delay, this.#timing.lastRetry);
    this.#watchers = this.#server.addresses.flatMap((address, number) =>
      address.kind === 'unix' ? this.#watch(address.path, number) : [],
    );
  }

  #watch(path: string, number: number): readonly FSWatcher[] {
    try {
      const watcher = watch(dirname(path), (_event, name) => {
        if (name === basename(path)) this.#appeared(number);
      });
      watcher.on('error', () => watcher.close());
      return [watcher];
    } catch {
      // Without the folder there are no events, only the timer.
      return [];
    }
  }

  /** The socket exists before the server listens: if this attempt is refused, the next one follows soon. */
  #appeared(number: number): void {
    this.#current = number;
    this.resetBackoff();
    void this.#connect();
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers) watcher.close();
    this.#watchers = [];
  }
}

function refusal(error: unknown, { kind }: ServerAddress, service: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (kind === 'unix' && code === 'ENOENT')
    return `does not exist: ovsdb-server does not run on this node, or uses another socket; start ${service}`;
  if (kind === 'unix' && code === 'ECONNREFUSED')
    return `is stale: ovsdb-server does not run any more; start ${service}`;
  if (kind === 'unix' && code === 'EACCES') return 'cannot be opened: permission denied; run as root';
  return `cannot be connected to: ${error instanceof Error ? error.message : String(error)}`;
}
