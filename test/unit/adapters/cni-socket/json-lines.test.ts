import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { SocketLines } from '../../../../src/adapters/cni-socket/json-lines.ts';
import { temporaryFolders } from '../temporary-folders.ts';

/** Milliseconds to wait for a line. */
const DEADLINE = 20;

/** Keeps this process from doing anything else, as on a busy node. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

describe('the lines of a socket', () => {
  const newFolder = temporaryFolders();
  let sockets: readonly Socket[] = [];
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
  });

  /** Both ends of a connection. */
  async function connected(): Promise<readonly [server: Socket, client: Socket]> {
    const server = createServer().listen(join(newFolder(), 'socket'));
    await once(server, 'listening');
    const client = connect(server.address() as string);
    const [socket] = (await once(server, 'connection')) as [Socket];
    server.close();
    sockets = [socket, client];
    return [socket, client];
  }

  it('have what arrived before the deadline, also if nothing could be read until after it', async () => {
    const [socket, client] = await connected();
    client.write('hello\n');
    const line = new SocketLines(socket, 100).next(DEADLINE);
    block(5 * DEADLINE);
    expect(await line).to.deep.equal({ kind: 'line', text: 'hello' });
  });

  it('end at the deadline if nothing has arrived', async () => {
    const [socket] = await connected();
    expect(await new SocketLines(socket, 100).next(DEADLINE)).to.deep.equal({ kind: 'too-late' });
  });
});
