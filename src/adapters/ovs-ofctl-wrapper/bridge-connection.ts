import type { Socket } from 'node:net';
import { type ManagementConnectionUser, ManagementConnection, VERSION_NOT_ACCEPTED } from './management-connection.ts';
import { type ConnectError, PersistentSocket } from './persistent-socket.ts';

/** Whether there is a connection to a bridge. */
export type ConnectionState =
  | { readonly kind: 'connected'; readonly connection: ManagementConnection }
  /** There is no switch, or it refuses OpenFlow connections; the reason completes "the socket …". */
  | { readonly kind: 'gone'; readonly reason: string }
  /** The state of the switch is unknown; likewise. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** The user of the connections to a bridge. */
export interface BridgeConnectionUser extends Omit<ManagementConnectionUser, 'closed'> {
  /** A connection was established or lost; not called for one that a caller waits for. */
  stateChanged(): void;
}

/** Errors of connect(2) that say that there is no switch. */
const GONE: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'does not exist: ovs-vswitchd does not run, or has not made the bridge yet'],
  ['ECONNREFUSED', 'is stale: ovs-vswitchd does not run any more'],
  ['ENOTDIR', 'does not exist: its folder is none'],
]);

const SHUTTING_DOWN = 'is not used any more: the agent is shutting down';

/** The connection to a bridge's management socket; reconnects when it is lost. */
export class BridgeConnection {
  readonly #user: BridgeConnectionUser;
  readonly #deadline: number;
  readonly #socket: PersistentSocket;
  readonly #waiting = new Set<(state: ConnectionState) => void>();
  /** Absent while connecting. */
  #state: ConnectionState | undefined;
  /** The open connection, also while it starts. */
  #connection: ManagementConnection | undefined;
  /** Why an open connection is not used. */
  #failure: string | undefined;
  #isClosed = false;

  /**
   * @param path of the socket
   * @param deadline milliseconds for each answer
   */
  constructor(path: string, user: BridgeConnectionUser, deadline: number) {
    this.#user = user;
    this.#deadline = deadline;
    this.#socket = new PersistentSocket(path, {
      connecting: () => {
        this.#state = undefined;
      },
      connected: (socket) => void this.#start(socket),
      failed: (error) => this.#become(stateAfter(error)),
    });
    this.#socket.connect();
  }

  /** The state, after an attempt in progress. Never rejects. */
  async state(): Promise<ConnectionState> {
    if (this.#state !== undefined) return this.#state;
    const { promise, resolve } = Promise.withResolvers<ConnectionState>();
    this.#waiting.add(resolve);
    return await promise;
  }

  /** Closes it, without reconnecting. */
  close(): void {
    this.#isClosed = true;
    this.#socket.close();
    this.#connection?.close(SHUTTING_DOWN);
    this.#become({ kind: 'unknown', reason: SHUTTING_DOWN });
  }

  async #start(socket: Socket): Promise<void> {
    const connection = new ManagementConnection(
      socket,
      {
        flowsChanged: (changes) => this.#user.flowsChanged(changes),
        floodingChanged: () => this.#user.floodingChanged(),
        closed: (reason) => this.#closed(reason),
      },
      this.#deadline,
    );
    this.#connection = connection;
    const answer = await connection.start();
    if (this.#isClosed) return;
    if (answer.outcome === 'answered') {
      this.#socket.works();
      this.#become({ kind: 'connected', connection });
      return;
    }
    this.#failure = answer.outcome === 'none' ? answer.reason : `refuses to report changes: ${answer.error}`;
    // Nothing if it is closed already.
    connection.close(this.#failure);
    this.#failure = undefined;
  }

  #closed(reason: string): void {
    this.#connection = undefined;
    if (this.#isClosed) return;
    this.#socket.lost(reason === VERSION_NOT_ACCEPTED ? 'refused' : 'gone');
    const kind = this.#failure === undefined ? 'gone' : 'unknown';
    this.#become({ kind, reason: `leads to a switch that ${reason}` });
  }

  #become(state: ConnectionState): void {
    this.#state = state;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const tell of waiting) tell(state);
    if (waiting.length === 0) this.#user.stateChanged();
  }
}

function stateAfter({ code, message }: ConnectError): ConnectionState {
  const reason = GONE.get(code);
  if (reason !== undefined) return { kind: 'gone', reason };
  const why =
    code === 'EACCES' ? 'cannot be opened: permission denied; run as root' : `cannot be connected to: ${message}`;
  return { kind: 'unknown', reason: why };
}
