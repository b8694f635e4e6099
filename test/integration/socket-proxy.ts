import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';

/**
 * Stands between the clients and the server of a Unix socket. It hears what clients say, and can hold a request up until something else has
 * happened: so a race has the winner that the test wants.
 */
export class SocketProxy {
  readonly #path: string;
  readonly #target: string;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #passed = '';
  #first: { readonly word: string; readonly happens: () => void } | undefined;

  constructor(path: string, target: string) {
    this.#path = path;
    this.#target = target;
  }

  /** Takes clients in. */
  async start(): Promise<void> {
    this.#server = createServer((client) => this.#serve(client));
    this.#server.listen(this.#path);
    await once(this.#server, 'listening');
  }

  /** Ends every connection, and accepts no other. */
  async stop(): Promise<void> {
    if (this.#server?.listening !== true) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Has something happen before the next message of a client that contains a word is passed on. */
  before(word: string, happens: () => void): void {
    this.#first = { word, happens };
  }

  /** How often clients have said a word. */
  count(word: string): number {
    return this.#passed.split(word).length - 1;
  }

  #serve(client: Socket): void {
    const server = createConnection(this.#target);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.on('error', () => from.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
    server.on('data', (bytes: Uint8Array) => client.write(bytes));
    client.on('data', (bytes: Uint8Array) => {
      this.#holdUp(bytes);
      this.#passed += Buffer.from(bytes).toString();
      server.write(bytes);
    });
  }

  #holdUp(bytes: Uint8Array): void {
    const first = this.#first;
    if (first === undefined || !Buffer.from(bytes).includes(first.word)) return;
    this.#first = undefined;
    first.happens();
  }
}
