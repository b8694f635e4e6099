import { inFile, type Reading } from '../../ports/input-problem.ts';
import type { Connection, Reply } from './connection.ts';
import { LastingConnection } from './lasting-connection.ts';
import { type Columns, Monitor } from './monitor.ts';
import type { Tables } from './row.ts';
import { type OvsdbTiming, seconds } from './timing.ts';

/** What is known of the database at the moment. */
type State =
  /** A connection, or its first content, is on the way. */
  | { readonly kind: 'starting' }
  | { readonly kind: 'complete'; readonly connection: Connection }
  /** Until the next attempt there is nothing, and why, as it completes "the socket …". */
  | { readonly kind: 'lost'; readonly reason: string };

/**
 * A database of a server on this machine of which some columns are at hand all the time. It connects when it is first used, and again
 * whenever the connection is lost.
 */
export class ReplicatedDatabase {
  readonly #name: string;
  readonly #socket: string;
  readonly #timing: OvsdbTiming;
  readonly #connection: LastingConnection;
  readonly #monitor: Monitor;
  readonly #waiting = new Set<() => void>();
  #state: State | undefined;
  #listener = (): void => undefined;

  constructor(name: string, columns: Columns, socket: string, timing: OvsdbTiming) {
    this.#name = name;
    this.#socket = socket;
    this.#timing = timing;
    this.#monitor = new Monitor(name, columns, socket, {
      complete: (connection) => this.#complete(connection),
      changed: () => this.#listener(),
    });
    this.#connection = new LastingConnection(socket, timing, {
      connecting: () => {
        this.#state = { kind: 'starting' };
      },
      connected: (connection) => this.#monitor.start(connection),
      lost: (reason) => this.#lost(reason),
    });
  }

  /** Has a listener told of every change of the replica, of its loss and of its return. */
  onChange(listener: () => void): void {
    this.#listener = listener;
    this.#start();
  }

  /** What the database holds now. While a connection is on the way this waits for it, up to the deadline. Never rejects. */
  async content(): Promise<Reading<Tables>> {
    const state = await this.#whatItCameTo();
    if (state.kind === 'complete') return { read: true, value: this.#monitor.tables };
    return { read: false, problems: [{ origin: inFile(this.#socket), message: this.#complaint(state) }] };
  }

  /**
   * Carries out operations of RFC 7047, section 5.2, all or none. Once it has given its reply, `content` shows what it changed: the server tells
   * of changes before it answers the one who made them (ovsdb-server(7), 4.1.5), and what comes is taken in in that order. Never rejects.
   */
  async transact(operations: readonly unknown[]): Promise<Reply> {
    const state = await this.#whatItCameTo();
    if (state.kind !== 'complete') {
      return { outcome: 'none', reason: `cannot be reached: its socket ${this.#complaint(state)}` };
    }
    return state.connection.request('transact', [this.#name, ...operations]);
  }

  /** Ends the connection and all that waits for it. */
  close(): void {
    this.#listener = () => undefined;
    this.#connection.close();
    this.#lost('is not read any more: this agent ends');
  }

  #start(): void {
    if (this.#state === undefined) this.#connection.start();
  }

  async #whatItCameTo(): Promise<State> {
    this.#start();
    if (this.#state?.kind === 'starting') await this.#nextState();
    return this.#state ?? { kind: 'starting' };
  }

  /** Waits until the state is another one, up to the deadline. */
  async #nextState(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const go = (): void => resolve(undefined);
    const timer = setTimeout(go, this.#timing.deadline);
    this.#waiting.add(go);
    await promise;
    this.#waiting.delete(go);
    clearTimeout(timer);
  }

  #complaint(state: State): string {
    if (state.kind === 'lost') return state.reason;
    return `leads to an ovsdb-server that did not answer within ${seconds(this.#timing.deadline)}`;
  }

  #complete(connection: Connection): void {
    this.#connection.prospers();
    this.#become({ kind: 'complete', connection });
    this.#listener();
  }

  #lost(reason: string): void {
    const wasComplete = this.#state?.kind === 'complete';
    this.#become({ kind: 'lost', reason });
    if (wasComplete) this.#listener();
  }

  #become(state: State): void {
    this.#state = state;
    for (const go of this.#waiting) go();
  }
}
