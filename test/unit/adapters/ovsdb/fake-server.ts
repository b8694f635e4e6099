import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { JsonStream } from '../../../../src/adapters/ovsdb/json-stream.ts';

/** A JSON-RPC message. */
export interface Message {
  readonly method?: string;
  readonly params?: readonly unknown[];
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The reply to a request: a result or an error; absent for none. */
export type ReplyTo = (method: string, params: readonly unknown[]) => Pick<Message, 'result' | 'error'> | undefined;

/** A server on a Unix socket, whose replies a test decides. */
export class FakeServer {
  /** All messages from clients, in order. */
  readonly received: Message[] = [];
  /** The path of its socket. */
  readonly path: string;
  readonly #server: Server;
  readonly #clients = new Set<Socket>();
  #answer: ReplyTo;

  private constructor(path: string, answer: ReplyTo) {
    this.path = path;
    this.#answer = answer;
    this.#server = createServer((client) => this.#serve(client));
  }

  static async start(path: string, answer: ReplyTo): Promise<FakeServer> {
    const self = new FakeServer(path, answer);
    self.#server.listen(path);
    await once(self.#server, 'listening');
    return self;
  }

  /** The parameters of each request for a method, in order. */
  requests(method: string): readonly (readonly unknown[])[] {
    return this.received.filter((message) => message.method === method).map(({ params = [] }) => params);
  }

  /** Changes the replies. */
  setReplies(answer: ReplyTo): void {
    this.#answer = answer;
  }

  /** Sends messages to all clients, in one chunk. */
  send(...messages: readonly Message[]): void {
    this.sendText(messages.map((message) => JSON.stringify(message)).join(''));
  }

  sendText(text: string): void {
    for (const client of this.#clients) client.write(text);
  }

  /** Closes all connections. */
  drop(): void {
    for (const client of this.#clients) client.destroy();
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.drop();
    await closed;
  }

  #serve(client: Socket): void {
    const stream = new JsonStream();
    this.#clients.add(client);
    client.on('close', () => this.#clients.delete(client));
    client.on('error', () => client.destroy());
    client.on('data', (bytes: Uint8Array) => {
      for (const message of stream.feed(bytes).messages as readonly Message[]) {
        this.received.push(message);
        const { method, params = [], id = null } = message;
        const answer = method === undefined ? undefined : this.#answer(method, params);
        if (answer !== undefined) client.write(JSON.stringify({ result: null, error: null, ...answer, id }));
      }
    });
  }
}
