import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { AbstractSocketLock } from '../../../../src/adapters/abstract-socket/node-lock.ts';
import { eventually } from '../processes.ts';

describe('the lock of a node', () => {
  let count = 0;
  const aName = () => `\0ovn-uplinks/test-${process.pid}-${(count += 1)}`;

  it('has one holder at a time, which identifies itself', async () => {
    const name = aName();
    const first = await new AbstractSocketLock(name).acquire();
    expect(first.locked).to.be.true;
    const second = await new AbstractSocketLock(name).acquire();
    expect(second).to.deep.equal({ locked: false, holder: `the agent with process id ${process.pid}` });
    if (first.locked) first.release();
  });

  it('can be acquired again after its release', async () => {
    const name = aName();
    const first = await new AbstractSocketLock(name).acquire();
    if (first.locked) first.release();
    const second = await new AbstractSocketLock(name).acquire();
    expect(second.locked).to.be.true;
    if (second.locked) second.release();
  });

  it('is free after its holder is killed', async () => {
    const name = aName();
    const script = `require('node:net').createServer().listen('\\0' + ${JSON.stringify(name.slice(1))}, () => console.log('has it'))`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    const silent = await new AbstractSocketLock(name).acquire();
    expect(silent.locked).to.be.false;
    child.kill('SIGKILL');
    await eventually('the lock is free', async () => {
      const again = await new AbstractSocketLock(name).acquire();
      if (again.locked) again.release();
      return again.locked;
    });
  });

  it('does not keep a process running after its release, even with an idle client', async () => {
    const name = aName();
    const source = join(import.meta.dirname, '../../../../src/adapters/abstract-socket/node-lock.ts');
    const script = `
      const { AbstractSocketLock } = await import(${JSON.stringify(source)});
      const locked = await new AbstractSocketLock('\\0' + ${JSON.stringify(name.slice(1))}).acquire();
      process.stdin.once('data', () => { locked.release(); process.stdin.destroy(); });
      console.log('has it');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    try {
      await once(child.stdout, 'data');
      const client = connect({ path: name, allowHalfOpen: true });
      await once(client, 'data');
      child.stdin.write('enough\n');
      await once(child, 'exit', { signal: AbortSignal.timeout(3000) });
      client.destroy();
    } finally {
      child.kill('SIGKILL');
    }
  });

  describe('held by an arbitrary process', () => {
    async function holderWho(says: (socket: Socket) => void): Promise<string> {
      const name = aName();
      const sockets: Socket[] = [];
      const server = createServer((socket) => {
        sockets.push(socket.on('error', () => undefined));
        says(socket);
      });
      await once(server.listen(name), 'listening');
      const locked = await new AbstractSocketLock(name).acquire();
      server.close();
      for (const socket of sockets) socket.destroy();
      return locked.locked ? '' : locked.holder;
    }

    it('reads 256 characters of an endless reply', async () => {
      const holder = await holderWho((socket) => {
        const goOn = (error?: Error | null) => {
          if (!error) socket.write('x'.repeat(10_000), goOn);
        };
        goOn();
      });
      expect(holder).to.equal('x'.repeat(256));
    });

    it('waits for one second in total for a slow reply', async () => {
      const begun = performance.now();
      let timer: NodeJS.Timeout | undefined;
      const holder = await holderWho((socket) => {
        timer = setInterval(() => socket.write('y'), 100);
      });
      clearInterval(timer);
      expect(performance.now() - begun).to.be.lessThan(10_000);
      expect(holder).to.match(/^y+$/);
    });
  });
});
