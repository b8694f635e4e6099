import type { Socket } from 'node:net';
import { JsonStream } from './json-stream.ts';
import { isJsonObject } from '../json/json-object.ts';
import type { ServerAddress, TlsFiles } from './server.ts';
import { openSocket } from './socket.ts';
import { type OvsdbTiming, seconds } from './timing.ts';
import { socketError } from './tls-error.ts';

/** The result of a request. */
export type Reply =
  | { readonly outcome: 'result'; readonly result: unknown }
  | { readonly outcome: 'error'; readonly error: unknown }
  | {
      /** No reply: the server may or may not have processed the request. */
      readonly outcome: 'none';
      /** The reason; completes "the server …". */
      readonly reason: string;
    };

interface PendingCall {
  readonly answer: (reply: Reply) => void;
  readonly timer: NodeJS.Timeout;
}

type NotificationListener = (method: string, params: readonly unknown[]) => void;

/**
 * A connection to an OVSDB server: JSON-RPC 1.0 on a stream (RFC 7047, section 4). Independent of the database.
 *
 * Replies and notifications are passed on in the order of arrival.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #timing: OvsdbTiming;
  readonly #stream = new JsonStream();
  readonly #pending = new Map<number, PendingCall>();
  readonly #notificationListeners: NotificationListener[] = [];
  readonly #closeListeners: ((reason: string) => void)[] = [];
  readonly #silence: NodeJS.Timeout;
  #nextId = 1;
  #isProbing = false;
  #closed: string | undefined;

  /** @param socket connected or connecting */
  constructor(socket: Socket, timing: OvsdbTiming) {
    this.#socket = socket;
    this.#timing = timing;
    this.#silence = setTimeout(() => this.#probe(), timing.silence);
    socket.on('data', (bytes: Uint8Array) => this.#receive(bytes));
    socket.on('error', (error) => this.close(`closed the connection: ${socketError(error)}`));
    socket.on('close', () => this.close('closed the connection'));
  }

  /** Opens a connection to a server; rejects if there is none. */
  static async open(address: ServerAddress, timing: OvsdbTiming, tls?: TlsFiles): Promise<Connection> {
    return new Connection(await openSocket(address, timing, tls), timing);
  }

  /** Adds a listener for notifications. */
  onNotification(listener: NotificationListener): void {
    this.#notificationListeners.push(listener);
  }

  /** Adds a listener that is called once when the connection is closed; the reason completes "the server …". */
  onClose(listener: (reason: string) => void): void {
    if (this.#closed === undefined) this.#closeListeners.push(listener);
    else listener(this.#closed);
  }

  /** Sends a request; `answer` is called once, before anything that the server sent later is processed. */
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

  /** Sends a request and returns the reply. Never rejects. */
  request(method: string, params: readonly unknown[]): Promise<Reply> {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    this.ask(method, params, resolve);
    return promise;
  }

  /** Closes the connection and answers pending requests; the reason completes "the server …". Only the first reason counts. */
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

  /** A server that hangs never closes its connection. */
  #probe(): void {
    if (this.#isProbing) {
      this.close(`sent nothing for ${seconds(2 * this.#timing.silence)}`);
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
    if (!isJsonObject(message)) this.close('sent something that is not a JSON-RPC message');
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
    // Replies to echo requests and replies after the deadline are ignored.
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
