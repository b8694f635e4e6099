import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { JsonStream } from '../../../../src/adapters/ovsdb/json-stream.ts';

/** A message of JSON-RPC. */
export interface Message {
  readonly method?: string;
  readonly params?: readonly unknown[];
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** What a server says to a request: a result or an error; absent: nothing. */
export type ReplyTo = (method: string, params: readonly unknown[]) => Pick<Message, 'result' | 'error'> | undefined;

/** A server at a Unix socket that says what a test wants it to say. */
export class FakeServer {
  /** Everything that clients sent, in its order. */
  readonly received: Message[] = [];
  /** Its socket. */
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

  /** The parameters of each request for a method, in their order. */
  asked(method: string): readonly (readonly unknown[])[] {
    return this.received.filter((message) => message.method === method).map(({ params = [] }) => params);
  }

  /** Gives other answers from now on. */
  answers(answer: ReplyTo): void {
    this.#answer = answer;
  }

  /** Sends messages to every client, in one piece. */
  send(...messages: readonly Message[]): void {
    this.sendText(messages.map((message) => JSON.stringify(message)).join(''));
  }

  sendText(text: string): void {
    for (const client of this.#clients) client.write(text);
  }

  /** Ends the connection of every client. */
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
