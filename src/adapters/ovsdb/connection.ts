import { createConnection, type Socket } from 'node:net';
import { JsonStream } from './json-stream.ts';
import { isJsonObject } from '../json/json-object.ts';
import { type OvsdbTiming, seconds } from './timing.ts';

/** What became of a request. */
export type Reply =
  | { readonly outcome: 'result'; readonly result: unknown }
  | { readonly outcome: 'error'; readonly error: unknown }
  | {
      /** The server may or may not have done what it was asked for. */
      readonly outcome: 'none';
      /** Why, as it completes "the server …". */
      readonly reason: string;
    };

interface Pending {
  readonly answer: (reply: Reply) => void;
  readonly timer: NodeJS.Timeout;
}

type NotificationListener = (method: string, params: readonly unknown[]) => void;

/**
 * A connection to an OVSDB server: JSON-RPC 1.0 on a stream (RFC 7047, section 4). It knows no database; several can be used on one.
 *
 * Everything that comes is told in the order in which it came, each before the next is looked at: what a reply says holds before the
 * notification behind it.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #timing: OvsdbTiming;
  readonly #stream = new JsonStream();
  readonly #pending = new Map<number, Pending>();
  readonly #notificationListeners: NotificationListener[] = [];
  readonly #closeListeners: ((reason: string) => void)[] = [];
  readonly #silence: NodeJS.Timeout;
  #nextId = 1;
  #isProbing = false;
  #closed: string | undefined;

  /** @param socket connected, or about to be */
  constructor(socket: Socket, timing: OvsdbTiming) {
    this.#socket = socket;
    this.#timing = timing;
    this.#silence = setTimeout(() => this.#probe(), timing.silence);
    socket.on('data', (bytes: Uint8Array) => this.#receive(bytes));
    socket.on('error', ({ message }) => this.close(`broke the connection off: ${message}`));
    socket.on('close', () => this.close('closed the connection'));
  }

  /** Opens a connection to the server at a Unix socket; rejects with the error of connect(2). */
  static async open(path: string, timing: OvsdbTiming): Promise<Connection> {
    const socket = createConnection(path);
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    socket.once('error', reject);
    socket.once('connect', () => resolve(undefined));
    await promise;
    socket.off('error', reject);
    return new Connection(socket, timing);
  }

  /** Has a listener told of every notification. */
  onNotification(listener: NotificationListener): void {
    this.#notificationListeners.push(listener);
  }

  /** Has a listener told once that the connection is over, and why, as it completes "the server …". */
  onClose(listener: (reason: string) => void): void {
    if (this.#closed === undefined) this.#closeListeners.push(listener);
    else listener(this.#closed);
  }

  /** Sends a request; its answer is called once, before anything that the server sent later is looked at. */
  ask(method: string, params: readonly unknown[], answer: (reply: Reply) => void): void {
    if (this.#closed !== undefined) {
      answer({ outcome: 'none', reason: this.#closed });
      return;
    }
    const id = this.#nextId;
    this.#nextId += 1;
    const timer = setTimeout(() => {
      this.#answer(id, { outcome: 'none', reason: `did not answer within ${seconds(this.#timing.deadline)}` });
    }, this.#timing.deadline);
    this.#pending.set(id, { answer, timer });
    this.#send({ method, params, id });
  }

  /** Sends a request and gives its answer. Never rejects. */
  request(method: string, params: readonly unknown[]): Promise<Reply> {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    this.ask(method, params, resolve);
    return promise;
  }

  /** Ends the connection and answers whatever waits, with the reason as it completes "the server …". Only the first reason counts. */
  close(reason: string): void {
    if (this.#closed !== undefined) return;
    this.#closed = reason;
    clearTimeout(this.#silence);
    this.#socket.destroy();
    for (const id of [...this.#pending.keys()]) this.#answer(id, { outcome: 'none', reason });
    for (const listener of this.#closeListeners) listener(reason);
  }

  #send(message: unknown): void {
    this.#socket.write(JSON.stringify(message));
  }

  /** A server that hangs, and one whose machine is gone, never closes its connection. */
  #probe(): void {
    if (this.#isProbing) {
      this.close(`said nothing for ${seconds(2 * this.#timing.silence)}`);
      return;
    }
    this.#isProbing = true;
    this.#silence.refresh();
    this.#send({ method: 'echo', params: [], id: 'echo' });
  }

  #receive(bytes: Uint8Array): void {
    this.#isProbing = false;
    this.#silence.refresh();
    const { messages, broken } = this.#stream.feed(bytes);
    for (const message of messages) {
      if (this.#closed === undefined) this.#tell(message);
    }
    if (broken !== undefined) this.close(broken);
  }

  #tell(message: unknown): void {
    if (!isJsonObject(message)) this.close('sent something that is no message of JSON-RPC');
    else if (typeof message['method'] === 'string') this.#called(message['method'], message['params'], message['id']);
    else this.#replied(message['id'], message);
  }

  #called(method: string, params: unknown, id: unknown): void {
    if (id === null || id === undefined) {
      for (const listener of this.#notificationListeners) listener(method, Array.isArray(params) ? params : []);
    } else if (method === 'echo') {
      this.#send({ id, result: params, error: null });
    } else {
      this.#send({ id, result: null, error: 'unknown method' });
    }
  }

  #replied(id: unknown, { result, error }: Readonly<Record<string, unknown>>): void {
    // Of an echo only that it came is of interest. What comes after its deadline is passed over.
    if (typeof id !== 'number') return;
    const isResult = error === null || error === undefined;
    this.#answer(id, isResult ? { outcome: 'result', result } : { outcome: 'error', error });
  }

  #answer(id: number, reply: Reply): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    pending.answer(reply);
  }
}
