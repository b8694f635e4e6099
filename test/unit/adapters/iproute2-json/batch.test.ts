import { expect } from 'chai';
import { IpBatch } from '../../../../src/adapters/iproute2-json/batch.ts';
import { HANGING_PROGRAMS } from '../fake-program.ts';
import { FakeIp, refuse } from './fake-ip.ts';

describe('a batch of ip', () => {
  let ip: FakeIp;
  let batch: IpBatch;
  beforeEach(() => {
    ip = new FakeIp();
    batch = new IpBatch(ip, ['-6'], 50);
  });

  it('is one program for all commands', async () => {
    await batch.change(['address', 'add', '192.0.2.1/32', 'dev', 'eth1']);
    await batch.change(['address', 'add', '192.0.2.1/32', 'dev', 'eth2']);
    expect(ip.arguments).to.deep.equal([['-json', '-details', '-N', '-6', '-force', '-batch', '-']]);
  });

  it('returns the tables in order', async () => {
    ip.answer = (command, _line, listener) => listener.onOutput(`[${command}]`);
    expect(
      await batch.show([
        ['link', 'show'],
        ['rule', 'show'],
      ]),
    ).to.deep.equal({
      answered: true,
      lines: ['[link show]', '[rule show]'],
      isComplete: true,
    });
  });

  it('returns the error of a failed command, in one line, and continues', async () => {
    ip.answer = (command, line, listener) => {
      if (command.includes('eth9')) refuse(listener, line, 'Error: bad.', 'Try again');
    };
    expect(await batch.change(['address', 'add', '192.0.2.1/32', 'dev', 'eth9'])).to.deep.equal({
      answered: false,
      error: 'Error: bad. / Try again',
      isRefused: true,
    });
    expect(await batch.change(['address', 'add', '192.0.2.1/32', 'dev', 'eth1'])).to.deep.equal({
      answered: true,
      lines: [],
      isComplete: true,
    });
    expect(ip.arguments).to.have.length(1);
  });

  it('says which version is needed where ip is older than a word', async () => {
    ip.answer = (_command, _line, listener) => {
      listener.onMessage('Error: either "to" is duplicate, or "managed" is a garbage.');
      listener.onEnd('exited with status 255');
    };
    expect(await batch.change(['neighbour', 'replace', '192.0.2.1', 'dev', 'eth1', 'managed'])).to.deep.equal({
      answered: false,
      error: 'ip does not know the word "managed": iproute2 6.1 or newer is needed',
    });
  });

  it('starts another program after a failed table', async () => {
    ip.answer = (command, line, listener) => {
      if (command === 'link show') refuse(listener, line, 'Dump terminated');
      else listener.onOutput('[]');
    };
    expect(
      await batch.show([
        ['link', 'show'],
        ['rule', 'show'],
      ]),
    ).to.deep.equal({ answered: false, error: 'Dump terminated', isRefused: true });
    expect(await batch.show([['rule', 'show']])).to.deep.equal({ answered: true, lines: ['[]'], isComplete: true });
    expect([ip.arguments.length, ip.ended]).to.deep.equal([2, 1]);
  });

  it('fails on an interrupted dump', async () => {
    ip.answer = (_command, _line, listener) => {
      listener.onMessage('Dump was interrupted and may be inconsistent.');
      listener.onOutput('[]');
    };
    expect(await batch.show([['rule', 'show']])).to.deep.include({ answered: false });
  });

  describe('that lists tables right before a change', () => {
    const move = ['link', 'set', 'eth1', 'master', 'blue'];
    const tables = [
      ['link', 'show'],
      ['rule', 'show'],
    ];

    it('returns the tables, with no other command in between', async () => {
      ip.answer = (command, _line, listener) => {
        if (command.endsWith('show')) listener.onOutput(`[${command}]`);
      };
      const [, answer] = await Promise.all([batch.change(['rule', 'add']), batch.change(move, tables)]);
      expect(answer).to.deep.equal({ answered: true, lines: ['[link show]', '[rule show]'], isComplete: true });
      expect(ip.commands.filter((command) => !command.startsWith('nexthop'))).to.deep.equal([
        'rule add',
        'link show',
        'rule show',
        'link set eth1 master blue',
      ]);
    });

    it('reports an interrupted table, and that the change is made', async () => {
      ip.answer = (command, _line, listener) => {
        if (!command.endsWith('show')) return;
        if (command === 'link show') listener.onMessage('Dump was interrupted and may be inconsistent.');
        listener.onOutput('[]');
      };
      expect(await batch.change(move, tables)).to.deep.equal({
        answered: true,
        lines: ['[]', '[]'],
        isComplete: false,
      });
    });

    it('reports that the change is made even if a table failed, and starts another program', async () => {
      ip.answer = (command, line, listener) => {
        if (command === 'link show') refuse(listener, line, 'Dump terminated');
        else if (command === 'rule show') listener.onOutput('[]');
      };
      expect(await batch.change(move, tables)).to.deep.equal({ answered: true, lines: [], isComplete: false });
      expect(ip.ended).to.equal(1);
    });

    it('reports a refused change, and starts another program, as more output may follow', async () => {
      ip.answer = (command, line, listener) => {
        if (command === 'link show') listener.onMessage('Dump was interrupted and may be inconsistent.');
        if (command.endsWith('show')) listener.onOutput('[]');
        else refuse(listener, line, 'Error: Device does not exist.');
      };
      expect(await batch.change(move, tables)).to.deep.equal({
        answered: false,
        error: 'Error: Device does not exist.',
        isRefused: true,
      });
      expect(ip.ended).to.equal(1);
    });
  });

  it('reports what the program printed before it exited, as after a syntax error', async () => {
    ip.answer = (_command, _line, listener) => {
      listener.onMessage('Unterminated quoted string');
      listener.onEnd('exited with status 1');
    };
    expect(await batch.change(['odd'])).to.deep.equal({ answered: false, error: 'Unterminated quoted string' });
  });

  it('reports why the program exited if it printed no message', async () => {
    ip.answer = (_command, _line, listener) => listener.onEnd('is not installed, or not in PATH');
    expect(await batch.change(['link'])).to.deep.equal({
      answered: false,
      error: 'ip is not installed, or not in PATH',
    });
  });

  it('reports that the program was killed if it does not answer', async () => {
    expect(await new IpBatch(HANGING_PROGRAMS, [], 50).change(['link'])).to.deep.equal({
      answered: false,
      error: 'ip did not answer within 0.05 s and was killed',
      isTimeout: true,
    });
  });

  it('passes protocols and scopes as numbers', async () => {
    await batch.change(['route', 'add', 'default', 'dev', 'eth1', 'proto', 'boot', 'scope', 'link']);
    await batch.change(['route', 'add', 'default', 'dev', 'boot', 'proto', '94']);
    expect(ip.commands.filter((command) => command.startsWith('route'))).to.deep.equal([
      'route add default dev eth1 proto 3 scope 253',
      'route add default dev boot proto 94',
    ]);
  });

  it('lists the links once before the next change if devices have changed', async () => {
    ip.answer = (command, _line, listener) => {
      if (command === 'link show') listener.onOutput('[]');
    };
    batch.forgetDevices();
    await batch.change(['one']);
    await batch.change(['two']);
    expect(ip.commands.filter((command) => !command.startsWith('nexthop'))).to.deep.equal(['link show', 'one', 'two']);
  });

  it('fails once it is closed', async () => {
    batch.close();
    expect(await batch.change(['one'])).to.deep.equal({ answered: false, error: 'ip was closed' });
  });
});
