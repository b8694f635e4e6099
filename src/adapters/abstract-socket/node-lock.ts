import { connect, createServer } from 'node:net';
import type { Locked, NodeLock } from '../../ports/node/node-lock.ts';

/** Name of the socket, which belongs to the network namespace, like everything that an agent changes (unix(7), abstract). */
const NAME = '\0ovn-uplinks/node';

/** Milliseconds to wait for the holder to identify itself. */
const HOLDER_TIMEOUT = 1000;

/** Maximum characters read from the holder, which may be any process. */
const MAX_REPLY = 256;

/** The holder of the lock, as it identifies itself. */
async function holder(name: string): Promise<string> {
  const socket = connect(name);
  // It may send too much, or too slowly.
  const timer = setTimeout(() => socket.destroy(), HOLDER_TIMEOUT);
  let reply = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    reply += text;
    if (reply.length >= MAX_REPLY) socket.destroy();
  });
  // Use what was read until the connection ended.
  socket.on('error', () => undefined);
  const closed = Promise.withResolvers<undefined>();
  socket.on('close', () => {
    closed.resolve(undefined);
  });
  await closed.promise;
  clearTimeout(timer);
  return reply === '' ? 'another agent, which did not identify itself,' : reply.slice(0, MAX_REPLY);
}

/**
 * A lock by an abstract socket: the process that listens on it holds the lock. The kernel releases it when that process exits, so it is never stale.
 */
export class AbstractSocketLock implements NodeLock {
  readonly #name: string;

  /** @param name of the socket; tests use another one */
  constructor(name: string = NAME) {
    this.#name = name;
  }

  async acquire(): Promise<Locked> {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write(`the agent with process id ${process.pid}`);
      // An idle client would keep this process running.
      socket.destroySoon();
    });
    const listening = Promise.withResolvers<NodeJS.ErrnoException | undefined>();
    server.once('error', listening.resolve);
    server.listen(this.#name, () => {
      listening.resolve(undefined);
    });
    const error = await listening.promise;
    if (error?.code === 'EADDRINUSE') return { locked: false, holder: await holder(this.#name) };
    if (error !== undefined) return { locked: false, holder: `possibly another agent (${error.message})` };
    // It does not keep the process running.
    server.unref();
    return { locked: true, release: () => server.close() };
  }
}
