import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { SwitchControl } from '../../../../src/adapters/vswitchd-control/switch-control.ts';
import { problemLines, valueOf } from '../readings.ts';
import { temporaryFolders } from '../temporary-folders.ts';

interface Request {
  readonly method: string;
  readonly params: readonly string[];
  readonly id: number;
}

describe('the control socket of ovs-vswitchd', () => {
  const temporaryFolder = temporaryFolders();
  const servers: Server[] = [];
  let folder: string;
  /** Each with the process that was asked. */
  let asked: string[];
  let answer: (request: Request) => unknown;

  beforeEach(() => {
    folder = temporaryFolder();
    asked = [];
    answer = ({ id }) => ({ id, result: 'done\n', error: null });
  });
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  const writePid = (pid: string) => writeFileSync(join(folder, 'ovs-vswitchd.pid'), `${pid}\n`);

  /** Starts an ovs-vswitchd; without an answer it closes the connection. */
  async function start(pid: string): Promise<void> {
    writePid(pid);
    const server = createServer((socket) => {
      socket.on('data', (bytes) => {
        const request = JSON.parse(bytes.toString()) as Request;
        asked.push([pid, request.method, ...request.params].join(' '));
        const reply = answer(request);
        if (reply === undefined) socket.destroy();
        else if (reply !== 'none') socket.write(JSON.stringify(reply));
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(join(folder, `ovs-vswitchd.${pid}.ctl`), resolve));
  }

  const control = (deadline = 10_000) => new SwitchControl(folder, deadline);

  it('takes commands with their words, of the process that runs now', async () => {
    await start('123');
    expect(valueOf(await control().showFdb('br blue'))).to.equal('done\n');
    expect(await control().addFdbEntry('br-blue', 'eth1', 100, '02:00:00:00:00:01')).to.deep.equal({ done: true });
    expect(await control().deleteFdbEntry('br-blue', 100, '02:00:00:00:00:01')).to.deep.equal({ done: true });
    await start('45678');
    expect(await control().settled()).to.deep.equal({ done: true });
    expect(valueOf(await control().trace('br-blue', 'in_port=1,tcp', ['trk,new', 'trk,est']))).to.equal('done\n');
    expect(asked).to.deep.equal([
      '123 fdb/show br blue',
      '123 fdb/add br-blue eth1 100 02:00:00:00:00:01',
      '123 fdb/del br-blue 100 02:00:00:00:00:01',
      '45678 revalidator/wait',
      '45678 ofproto/trace br-blue in_port=1,tcp --ct-next trk,new --ct-next trk,est',
    ]);
  });

  it('is closed after each command', async () => {
    await start('123');
    const [server] = servers;
    const closed = new Promise<void>((resolve) =>
      server?.once('connection', (socket) => socket.once('close', resolve)),
    );
    await control().showDatapath();
    await closed;
  });

  it('has errors of ovs-vswitchd as it prints them, in one line', async () => {
    answer = ({ id }) => ({ id, result: null, error: 'Bad openflow flow syntax:\nin_port=x\n' });
    await start('123');
    const error = 'Bad openflow flow syntax: / in_port=x';
    expect(problemLines(await control().trace('br-blue', 'in_port=x', []))).to.deep.equal([
      `ovs-vswitchd ofproto/trace br-blue in_port=x: ${error}`,
    ]);
    expect(await control().addFdbEntry('br-blue', 'eth1', 0, '02:00:00:00:00:01')).to.deep.equal({
      done: false,
      error,
      isRefused: true,
    });
  });

  it('has no entries of an unknown bridge, and has deleted one that does not exist', async () => {
    answer = ({ id, method }) => ({
      id,
      result: null,
      error: method === 'fdb/show' ? 'no such bridge\n' : 'could not find static mac entry\n',
    });
    await start('123');
    expect(valueOf(await control().showFdb('br-blue'))).to.equal('');
    expect(await control().deleteFdbEntry('br-blue', 0, '02:00:00:00:00:01')).to.deep.equal({ done: true });
  });

  it('does not refuse what it may have done: it has ended, hangs, or sends something else', async () => {
    await start('123');
    const replies: readonly (readonly [unknown, RegExp])[] = [
      [undefined, /^ovs-vswitchd closed the connection$/],
      ['none', /^ovs-vswitchd did not answer within 0.1 s$/],
      [{ id: 1, result: 7, error: null }, /^ovs-vswitchd sent something that is not the result of a command$/],
      [[], /^ovs-vswitchd sent something that is not a JSON-RPC message$/],
    ];
    for (const [reply, expected] of replies) {
      answer = () => reply;
      const result = await control(100).deleteFdbEntry('br-blue', 0, '02:00:00:00:00:01');
      if (result.done) throw new Error('it is done');
      expect(result.error).to.match(expected);
      expect(result).not.to.have.property('isRefused');
    }
  });

  it('is named while ovs-vswitchd does not run', async () => {
    expect(problemLines(await control().showFdb('br-blue'))).to.deep.equal([
      `ovs-vswitchd fdb/show br-blue: ovs-vswitchd is not running, or keeps no pid file: ${folder}/ovs-vswitchd.pid: ENOENT: no such file or directory`,
    ]);
    writePid('123');
    const [line] = problemLines(await control().showFdb('br-blue'));
    expect(line).to.match(/ovs-vswitchd cannot be connected to: .*ovs-vswitchd\.123\.ctl: .*ENOENT/);
  });
});
