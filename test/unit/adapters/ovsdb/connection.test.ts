import { join } from 'node:path';
import { expect } from 'chai';
import { Connection } from '../../../../src/adapters/ovsdb/connection.ts';
import { unixAddress } from '../../../../src/adapters/ovsdb/server.ts';
import { USUAL_TIMING } from '../../../../src/adapters/ovsdb/timing.ts';
import { eventually } from '../processes.ts';
import { temporaryFolders } from '../temporary-folders.ts';
import { type ReplyTo, FakeServer } from './fake-server.ts';

describe('a connection to a database server', () => {
  const newFolder = temporaryFolders();
  const endings: (() => void | Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });

  async function connected(answer: ReplyTo, timing: Partial<typeof USUAL_TIMING> = {}) {
    const path = join(newFolder(), 'db.sock');
    const server = await FakeServer.start(path, answer);
    endings.push(() => server.stop());
    const connection = await Connection.open(unixAddress(path), { ...USUAL_TIMING, ...timing });
    endings.push(() => connection.close('is not needed any more'));
    const reasons: string[] = [];
    connection.onClose((reason) => reasons.push(reason));
    const closed = async (): Promise<string | undefined> => {
      await eventually('the connection is closed', () => reasons.length > 0);
      return reasons[0];
    };
    return { server, connection, closed };
  }

  it('matches replies to requests, in any order', async () => {
    const { server, connection } = await connected(() => undefined);
    const replies = [connection.request('one', []), connection.request('two', [2])];
    await eventually('both are received', () => server.received.length === 2);
    const [one, two] = server.received;
    expect([one?.method, one?.params, two?.method, two?.params]).to.deep.equal(['one', [], 'two', [2]]);
    server.send({ id: two?.id, result: 'second', error: null }, { id: one?.id, result: null, error: 'no' });
    expect(await Promise.all(replies)).to.deep.equal([
      { outcome: 'error', error: 'no' },
      { outcome: 'result', result: 'second' },
    ]);
  });

  it('delivers a reply before later messages', async () => {
    const { server, connection } = await connected(() => undefined);
    const calls: unknown[] = [];
    connection.onNotification((method) => calls.push(method));
    connection.ask('start', [], ({ outcome }) => calls.push(outcome));
    await eventually('it is received', () => server.received.length === 1);
    server.send({ id: server.received[0]?.id, result: {}, error: null }, { method: 'update', params: ['x'], id: null });
    await eventually('both are delivered', () => calls.length === 2);
    expect(calls).to.deep.equal(['result', 'update']);
  });

  it('times out without a reply, and ignores a late one', async () => {
    const { server, connection } = await connected(() => undefined, { deadline: 20 });
    expect(await connection.request('one', [])).to.deep.equal({
      outcome: 'none',
      reason: 'did not answer within 0.02 s',
    });
    server.send({ id: server.received[0]?.id, result: 'late', error: null });
    server.setReplies(() => ({ result: 'in time' }));
    expect(await connection.request('two', [])).to.deep.equal({ outcome: 'result', result: 'in time' });
  });

  it('replies to echo requests of the server only', async () => {
    const { server } = await connected(() => undefined);
    server.send({ method: 'echo', params: [1, 'a'], id: 'probe' }, { method: 'steal', params: [], id: 7 });
    await eventually('both are answered', () => server.received.length === 2);
    expect(server.received).to.deep.equal([
      { id: 'probe', result: [1, 'a'], error: null },
      { id: 7, result: null, error: 'unknown method' },
    ]);
  });

  it('sends an echo request when idle, and continues after a reply', async () => {
    const { server, connection } = await connected(
      (method, params) => (method === 'echo' ? { result: params } : undefined),
      {
        silence: 30,
      },
    );
    await eventually('three requests are received', () => server.requests('echo').length >= 3);
    server.setReplies(() => ({ result: 5 }));
    expect(await connection.request('one', [])).to.deep.equal({ outcome: 'result', result: 5 });
  });

  it('sends no echo request while messages arrive', async () => {
    const { server, connection } = await connected(() => undefined, { silence: 500 });
    let calls = 0;
    connection.onNotification(() => (calls += 1));
    const timer = setInterval(() => server.send({ method: 'update', params: [], id: null }), 20);
    await eventually('messages came for longer than the idle time', () => calls >= 40);
    clearInterval(timer);
    expect(server.requests('echo')).to.deep.equal([]);
  });

  it('is closed if no reply arrives', async () => {
    const { server, connection, closed } = await connected(() => undefined, { silence: 30 });
    const reply = connection.request('one', []);
    const reason = 'sent nothing for 0.06 s';
    expect([await closed(), await reply]).to.deep.equal([reason, { outcome: 'none', reason }]);
    expect(server.requests('echo')).to.have.length(1);
  });

  const causes: readonly (readonly [what: string, end: (server: FakeServer) => void, reason: string])[] = [
    ['the server closes it', (server) => server.drop(), 'closed the connection'],
    [
      'it receives something that is not JSON',
      (server) => server.sendText('hello'),
      'sent something that is not a JSON-RPC message',
    ],
    [
      'it receives something that is not a message',
      (server) => server.sendText('[]'),
      'sent something that is not a JSON-RPC message',
    ],
  ];
  for (const [what, end, reason] of causes) {
    it(`is closed if ${what}, and fails pending requests`, async () => {
      const { server, connection, closed } = await connected(() => undefined);
      const replies = [connection.request('one', []), connection.request('two', [])];
      await eventually('both are received', () => server.received.length === 2);
      end(server);
      expect(await closed()).to.equal(reason);
      const none = { outcome: 'none', reason };
      expect(await Promise.all(replies)).to.deep.equal([none, none]);
      expect(await connection.request('three', [])).to.deep.equal(none);
    });
  }

  it('is closed once, with the first reason, also for later listeners', async () => {
    const { connection } = await connected(() => undefined);
    const reasons: string[] = [];
    connection.onClose((reason) => reasons.push(reason));
    connection.close('is closed');
    connection.close('is closed again');
    connection.onClose((reason) => reasons.push(reason));
    expect(reasons).to.deep.equal(['is closed', 'is closed']);
  });

  it('is refused if no server listens', async () => {
    const refusal = await Connection.open(unixAddress(join(newFolder(), 'db.sock')), USUAL_TIMING).catch(
      (error: unknown) => error,
    );
    expect(refusal).to.have.property('code', 'ENOENT');
  });
});
