import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { AbstractSocketLock } from '../../../../src/adapters/abstract-socket/node-lock.ts';
import { eventually } from '../processes.ts';

describe('the lock of a node', () => {
  let count = 0;
  const aName = () => `\0ovn-uplinks/test-${process.pid}-${(count += 1)}`;

  it('is had by one at a time, who says who that is', async () => {
    const name = aName();
    const first = await new AbstractSocketLock(name).acquire();
    expect(first.locked).to.be.true;
    const second = await new AbstractSocketLock(name).acquire();
    expect(second).to.deep.equal({ locked: false, holder: `the agent with process id ${process.pid}` });
    if (first.locked) first.release();
  });

  it('can be had again once it is given back', async () => {
    const name = aName();
    const first = await new AbstractSocketLock(name).acquire();
    if (first.locked) first.release();
    const second = await new AbstractSocketLock(name).acquire();
    expect(second.locked).to.be.true;
    if (second.locked) second.release();
  });

  it('is nobody’s once a process that had it is killed', async () => {
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
});
