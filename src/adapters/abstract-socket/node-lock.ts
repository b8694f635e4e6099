import { connect, createServer } from 'node:net';
import type { Locked, NodeLock } from '../../ports/node-lock.ts';

/** The name of the socket. It belongs to the network namespace, as everything does that an agent changes (unix(7), abstract). */
const NAME = '\0ovn-uplinks/node';

/** Milliseconds in which whoever has the lock says who that is. */
const PATIENCE = 1000;

/** Characters of it that are taken: whoever has the name may be anybody. */
const LONGEST_WORD = 256;

/** Who listens there, in his own words. */
async function holder(name: string): Promise<string> {
  const socket = connect(name);
  // However much he says, and however slowly.
  const timer = setTimeout(() => socket.destroy(), PATIENCE);
  let said = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (said.length >= LONGEST_WORD) socket.destroy();
  });
  // Whatever ends it, what was said until then counts.
  socket.on('error', () => undefined);
  const closed = Promise.withResolvers<undefined>();
  socket.on('close', () => {
    closed.resolve(undefined);
  });
  await closed.promise;
  clearTimeout(timer);
  return said === '' ? 'another agent, which does not say which,' : said.slice(0, LONGEST_WORD);
}

/**
 * A lock that is a socket without a file: whoever listens has it. The kernel takes it back from a process that ends, however that ends, so that
 * none is ever left over.
 */
export class AbstractSocketLock implements NodeLock {
  readonly #name: string;

  /** @param name of the socket, another one for tests */
  constructor(name: string = NAME) {
    this.#name = name;
  }

  async acquire(): Promise<Locked> {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write(`the agent with process id ${process.pid}`);
      // A client that does not hang up would keep this process from ending.
      socket.destroySoon();
    });
    const listening = Promise.withResolvers<NodeJS.ErrnoException | undefined>();
    server.once('error', listening.resolve);
    server.listen(this.#name, () => {
      listening.resolve(undefined);
    });
    const error = await listening.promise;
    if (error?.code === 'EADDRINUSE') return { locked: false, holder: await holder(this.#name) };
    if (error !== undefined) return { locked: false, holder: `nobody knows whether another agent (${error.message})` };
    // The lock alone is no reason to go on.
    server.unref();
    return { locked: true, release: () => server.close() };
  }
}
