import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { AbstractSocketLock } from '../../../../src/adapters/abstract-socket/node-lock.ts';
import { eventually } from '../processes.ts';

describe('the lock of a node', () => {
  let count = 0;
  const newName = () => `\0ovn-uplinks/test-${process.pid}-${(count += 1)}`;

  it('has one holder at a time, which identifies itself', async () => {
    const name = newName();
    const first = await new AbstractSocketLock(name).acquire();
    expect(first.locked).to.be.true;
    const second = await new AbstractSocketLock(name).acquire();
    expect(second).to.deep.equal({ locked: false, holder: `the agent with process id ${process.pid}` });
    if (first.locked) first.release();
  });

  it('can be acquired again after its release', async () => {
    const name = newName();
    const first = await new AbstractSocketLock(name).acquire();
    if (first.locked) first.release();
    const second = await new AbstractSocketLock(name).acquire();
    expect(second.locked).to.be.true;
    if (second.locked) second.release();
  });

  it('is free after its holder is killed', async () => {
    const name = newName();
    const script = `require('node:net').createServer().listen('\\0' + ${JSON.stringify(name.slice(1))}, () => console.log('locked'))`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    const attempt = await new AbstractSocketLock(name).acquire();
    expect(attempt.locked).to.be.false;
    child.kill('SIGKILL');
    await eventually('the lock is free', async () => {
      const again = await new AbstractSocketLock(name).acquire();
      if (again.locked) again.release();
      return again.locked;
    });
  });

  it('does not keep a process running after its release, even with an idle client', async () => {
    const name = newName();
    const source = join(import.meta.dirname, '../../../../src/adapters/abstract-socket/node-lock.ts');
    const script = `
      const { AbstractSocketLock } = await import(${JSON.stringify(source)});
      const locked = await new AbstractSocketLock('\\0' + ${JSON.stringify(name.slice(1))}).acquire();
      process.stdin.once('data', () => { locked.release(); process.stdin.destroy(); });
      console.log('locked');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    try {
      await once(child.stdout, 'data');
      const client = connect({ path: name, allowHalfOpen: true });
      await once(client, 'data');
      child.stdin.write('release\n');
      await once(child, 'exit', { signal: AbortSignal.timeout(3000) });
      client.destroy();
    } finally {
      child.kill('SIGKILL');
    }
  });

  describe('held by an arbitrary process', () => {
    async function holderOf(reply: (socket: Socket) => void): Promise<string> {
      const name = newName();
      const sockets: Socket[] = [];
      const server = createServer((socket) => {
        sockets.push(socket.on('error', () => undefined));
        reply(socket);
      });
      await once(server.listen(name), 'listening');
      const locked = await new AbstractSocketLock(name).acquire();
      server.close();
      for (const socket of sockets) socket.destroy();
      return locked.locked ? '' : locked.holder;
    }

    it('reads 256 characters of an endless reply', async () => {
      const holder = await holderOf((socket) => {
        const writeMore = (error?: Error | null) => {
          if (!error) socket.write('x'.repeat(10_000), writeMore);
        };
        writeMore();
      });
      expect(holder).to.equal('x'.repeat(256));
    });

    it('waits for one second in total for a slow reply', async () => {
      const start = performance.now();
      let timer: NodeJS.Timeout | undefined;
      const holder = await holderOf((socket) => {
        timer = setInterval(() => socket.write('y'), 100);
      });
      clearInterval(timer);
      expect(performance.now() - start).to.be.lessThan(10_000);
      expect(holder).to.match(/^y+$/);
    });
  });
});
