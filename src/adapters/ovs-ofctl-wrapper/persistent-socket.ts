import { type FSWatcher, watch } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { basename, dirname } from 'node:path';
import { type Backoff, backoffDelay, RECONNECT_BACKOFF, RETRY_BACKOFF } from '../../ports/backoff.ts';

/** Why a socket could not be connected to. */
export interface ConnectError {
  /** As of connect(2), such as `ENOENT`. */
  readonly code: string;
  readonly message: string;
}

/** The user of a socket. */
export interface SocketUser {
  connecting(): void;
  connected(socket: Socket): void;
  failed(error: ConnectError): void;
}

/** There is no connection: the server is not running and may return at any time, or it refuses this client. */
export type Loss = 'gone' | 'refused';

/** A connection to a Unix socket that reconnects when it is lost: at once when its server creates the socket, and with backoff in case that event is missed. */
export class PersistentSocket {
  readonly #path: string;
  readonly #user: SocketUser;
  /** Consecutive failed attempts. */
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #watcher: FSWatcher | undefined;
  #connecting: Socket | undefined;
  #isClosed = false;

  constructor(path: string, user: SocketUser) {
    this.#path = path;
    this.#user = user;
  }

  /** Starts an attempt. */
  connect(): void {
    this.#stopWaiting();
    this.#user.connecting();
    const socket = createConnection(this.#path);
    this.#connecting = socket;
    const fail = (error: Error): void => {
      this.#connecting = undefined;
      // Before the user is called, which may close this.
      this.lost('gone');
      this.#user.failed({ code: 'code' in error ? String(error.code) : '', message: error.message });
    };
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.off('error', fail);
      this.#connecting = undefined;
      this.#user.connected(socket);
    });
  }

  /** Resets the backoff: the connection works. */
  works(): void {
    this.#failures = 0;
  }

  /** Reconnects, when the user finds the connection closed. */
  lost(loss: Loss): void {
    if (this.#isClosed) return;
    this.#stopWaiting();
    this.#failures += 1;
    const backoff: Backoff = loss === 'gone' ? RECONNECT_BACKOFF : RETRY_BACKOFF;
    this.#timer = setTimeout(() => this.connect(), backoffDelay(backoff, this.#failures));
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

  /** Stops reconnecting. */
  close(): void {
    this.#isClosed = true;
    this.#stopWaiting();
    this.#connecting?.destroy();
  }

  /** The socket exists before its server listens: if this attempt is refused, the next one follows soon. */
  #appeared(): void {
    this.works();
    this.connect();
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer);
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}
