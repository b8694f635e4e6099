import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { ReplicatedDatabase } from '../../../../src/adapters/ovsdb/replicated-database.ts';
import { unixServer } from '../../../../src/adapters/ovsdb/server.ts';
import { USUAL_TIMING } from '../../../../src/adapters/ovsdb/timing.ts';
import { eventually } from '../processes.ts';
import { problemLines, valueOf } from '../readings.ts';
import { temporaryFolders } from '../temporary-folders.ts';
import { set } from './dumps.ts';
import { type ReplyTo, type Message, FakeServer } from './fake-server.ts';

const ZERO = '00000000-0000-0000-0000-000000000000';
const HOUR = 3_600_000;

const schema = (...columns: readonly string[]) => ({
  tables: {
    Thing: { columns: Object.fromEntries(columns.map((name) => [name, { type: { key: 'integer', min: 0, max: 9 } }])) },
    Other: { columns: { secret: { type: 'string' } } },
  },
});

/** A current server, with one row. */
const modern: ReplyTo = (method) => {
  if (method === 'get_schema') return { result: schema('few', 'many', 'secret') };
  if (method === 'monitor_cond_since') return { result: [false, 'first', { Thing: { x: { initial: { few: 1 } } } }] };
  return undefined;
};

/** A server with only the methods of RFC 7047. */
const old: ReplyTo = (method) => {
  if (method === 'get_schema') return { result: schema('few') };
  if (method === 'monitor') return { result: { Thing: { x: { new: { few: 1 } } } } };
  return { error: 'unknown method' };
};

const update = (...params: readonly unknown[]) => ({ method: 'update3', params: ['Example', ...params], id: null });
const modify = (few: unknown) => ({ Thing: { x: { modify: { few } } } });

describe('a replicated database', () => {
  const newFolder = temporaryFolders();
  const endings: (() => void | Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });

  async function serve(path: string, answer: ReplyTo): Promise<FakeServer> {
    const server = await FakeServer.start(path, answer);
    endings.push(() => server.stop());
    return server;
  }

  function replicate(path: string, timing: Partial<typeof USUAL_TIMING> = {}) {
    const columns = { Thing: ['few', 'many', 'new'], Unknown: ['name'] };
    // The server of these tests does not reply to echo requests, so an idle connection would be closed.
    const usual = { ...USUAL_TIMING, silence: HOUR, firstRetry: 5 };
    const database = new ReplicatedDatabase('Example', columns, unixServer(path, 'Open vSwitch'), {
      ...usual,
      ...timing,
    });
    endings.push(() => database.close());
    let calls = 0;
    const count = (): number => calls;
    database.onChange(() => (calls += 1));
    const few = async (): Promise<unknown> => {
      const content = await database.content();
      return content.read ? content.value.get('Thing')?.[0]?.columns['few'] : content.problems[0]?.message;
    };
    const becomes = (value: unknown): Promise<void> =>
      eventually(`few is ${JSON.stringify(value)}`, async () => JSON.stringify(await few()) === JSON.stringify(value));
    return { database, count, few, becomes };
  }

  async function serveAndReplicate(answer: ReplyTo, timing: Partial<typeof USUAL_TIMING> = {}) {
    const path = join(newFolder(), 'db.sock');
    const server = await serve(path, answer);
    return { path, server, ...replicate(path, timing) };
  }

  it('requests the columns of its tables that the schema has, from the beginning', async () => {
    const { server, few } = await serveAndReplicate(modern);
    expect(await few()).to.equal(1);
    expect(server.requests('get_schema')).to.deep.equal([['Example']]);
    const requests = { Thing: [{ columns: ['few', 'many'] }] };
    expect(server.requests('monitor_cond_since')).to.deep.equal([['Example', 'Example', requests, ZERO]]);
    expect(server.requests('monitor')).to.deep.equal([]);
  });

  it('applies the updates of the server, and ignores those of other databases', async () => {
    const { server, becomes, count } = await serveAndReplicate(modern);
    await becomes(1);
    const calls = count();
    server.send(update('second', modify(2)), { method: 'update3', params: ['Other', 'z', modify(9)], id: null });
    await becomes(set(1, 2));
    server.send(update('third', modify(1)));
    await becomes(set(2));
    expect(count()).to.equal(calls + 2);
  });

  it('does not call its listener for an update that changes nothing', async () => {
    const { server, becomes, count } = await serveAndReplicate(modern);
    await becomes(1);
    const calls = count();
    server.send(update('second', {}), update('third', { Thing: { y: { delete: null } } }), update('fourth', modify(2)));
    await becomes(set(1, 2));
    expect(count()).to.equal(calls + 1);
  });

  it('falls back to the method of RFC 7047', async () => {
    for (const error of ['unknown method', { error: 'unknown method' }]) {
      const { server, becomes, count } = await serveAndReplicate((...request) => {
        const answer = old(...request);
        return answer?.error === undefined ? answer : { error };
      });
      await becomes(1);
      expect(server.requests('monitor')).to.deep.equal([['Example', 'Example', { Thing: [{ columns: ['few'] }] }]]);
      const calls = count();
      const unchanged = { Thing: { x: { old: {}, new: { few: 1 } } } };
      const changed = { Thing: { x: { old: { few: 1 }, new: { few: 7 } } } };
      server.send(
        ...[unchanged, changed].map((updates) => ({ method: 'update', params: ['Example', updates], id: null })),
      );
      await becomes(7);
      expect(count()).to.equal(calls + 1);
    }
  });

  it('continues after a reconnection if the server has the changes since then', async () => {
    const { server, becomes, count } = await serveAndReplicate(modern);
    await becomes(1);
    server.send(update('second', modify(2)));
    await becomes(set(1, 2));
    const calls = count();
    server.setReplies((...request) =>
      request[0] === 'monitor_cond_since' ? { result: [true, 'third', modify(3)] } : modern(...request),
    );
    server.drop();
    await becomes(set(1, 2, 3));
    expect(server.requests('monitor_cond_since').map((params) => params[3])).to.deep.equal([ZERO, 'second']);
    expect(count()).to.equal(calls + 2);
  });

  it('starts over if the server does not have them', async () => {
    const { server, becomes } = await serveAndReplicate(modern);
    await becomes(1);
    server.setReplies((...request) =>
      request[0] === 'monitor_cond_since'
        ? { result: [false, 'other', { Thing: { z: { initial: { few: 9 } } } }] }
        : modern(...request),
    );
    server.drop();
    await becomes(9);
  });

  it('starts over if the schema has changed', async () => {
    const { server, becomes } = await serveAndReplicate(modern);
    await becomes(1);
    server.setReplies((...request) =>
      request[0] === 'get_schema' ? { result: schema('few', 'many', 'new') } : modern(...request),
    );
    server.drop();
    await eventually('it requests again', () => server.requests('monitor_cond_since').length === 2);
    expect(server.requests('monitor_cond_since')[1]?.[3]).to.equal(ZERO);
  });

  const unusable: readonly (readonly [what: string, message: Message])[] = [
    ['an update is for an unknown row', update('second', { Thing: { y: { modify: { few: 2 } } } })],
    ['an update is invalid', update('second', { Thing: { x: 2 } })],
    ['the server no longer has the database', { method: 'monitor_canceled', params: ['Example'], id: null }],
  ];
  for (const [what, message] of unusable) {
    it(`reconnects if ${what}`, async () => {
      const { server, becomes } = await serveAndReplicate(modern);
      await becomes(1);
      server.send(message);
      await eventually('it requests again', () => server.requests('monitor_cond_since').length === 2);
      await becomes(1);
    });
  }

  it('starts over after an update for an unknown row', async () => {
    const { server, becomes } = await serveAndReplicate(modern);
    await becomes(1);
    server.send(update('second', { Thing: { y: { modify: { few: 2 } } } }));
    await eventually('it requests again', () => server.requests('monitor_cond_since').length === 2);
    expect(server.requests('monitor_cond_since')[1]?.[3]).to.equal(ZERO);
  });

  const refusals: readonly (readonly [what: string, answer: ReplyTo, reason: string])[] = [
    [
      'that the server does not have',
      () => ({
        error: { error: 'unknown database', details: 'get_schema request specifies\n unknown database Example' },
      }),
      'leads to an ovsdb-server that sends no schema of its database Example: unknown database: ' +
        'get_schema request specifies / unknown database Example; reconnecting',
    ],
    [
      'whose schema is invalid',
      () => ({ result: 5 }),
      'leads to an ovsdb-server that sent an invalid schema of Example; reconnecting',
    ],
    [
      'that cannot be monitored',
      (method) => (method === 'get_schema' ? { result: schema('few') } : { error: 'not allowed' }),
      'leads to an ovsdb-server that does not report changes of its database Example: not allowed; reconnecting',
    ],
    ['of a server that does not answer', () => undefined, 'leads to an ovsdb-server that did not answer within 0.05 s'],
  ];
  for (const [what, answer, reason] of refusals) {
    it(`reports a problem for a database ${what}, and recovers`, async () => {
      const { server, database, path, becomes } = await serveAndReplicate(answer, { deadline: 50 });
      expect(problemLines(await database.content())[0]).to.contain(`${path}: ${reason}`);
      server.setReplies(modern);
      await becomes(1);
    });
  }

  it('reports a socket that does not exist, and what to do', async () => {
    const path = join(newFolder(), 'db.sock');
    const { database } = replicate(path, { firstRetry: HOUR });
    expect(problemLines(await database.content())).to.deep.equal([
      `${path}: does not exist: ovsdb-server does not run on this node, or uses another socket; start Open vSwitch`,
    ]);
  });

  it('connects as soon as a server creates its socket', async () => {
    const path = join(newFolder(), 'db.sock');
    const { database, becomes, count } = replicate(path, { firstRetry: HOUR, lastRetry: HOUR });
    expect((await database.content()).read).to.equal(false);
    expect(count()).to.equal(0);
    await serve(path, modern);
    await eventually('the listener is called', () => count() === 1);
    await becomes(1);
  });

  it('connects later if the folder of the socket did not exist', async () => {
    const folder = join(newFolder(), 'openvswitch');
    const { database, becomes } = replicate(join(folder, 'db.sock'), { lastRetry: 20 });
    expect((await database.content()).read).to.equal(false);
    mkdirSync(folder);
    await serve(join(folder, 'db.sock'), modern);
    await becomes(1);
  });

  it('reports once that it is lost, and that it is back', async () => {
    const { server, path, becomes, count, few } = await serveAndReplicate(modern);
    await becomes(1);
    expect(count()).to.equal(1);
    await server.stop();
    await eventually('the loss is reported', () => count() === 2);
    expect(await few()).to.match(/^(leads to|does not exist|is stale)/);
    await serve(path, modern);
    await eventually('the return is reported', () => count() === 3);
    await becomes(1);
  });

  it('stops permanently when it is closed, without a report', async () => {
    const { server, database, becomes, count } = await serveAndReplicate(modern);
    await becomes(1);
    const waiting = database.transact([{ op: 'comment' }]);
    await eventually('the request is received', () => server.requests('transact').length === 1);
    database.close();
    expect(await waiting).to.deep.equal({
      outcome: 'none',
      reason: 'is not used any more: the agent is shutting down',
    });
    expect(problemLines(await database.content())[0]).to.contain('is not read any more: the agent is shutting down');
    expect(count()).to.equal(1);
    expect(server.requests('get_schema')).to.have.length(1);
  });

  it('fails pending calls when it is closed', async () => {
    const { server, database } = await serveAndReplicate(() => undefined);
    const waiting = database.content();
    await eventually('the request is received', () => server.requests('get_schema').length === 1);
    database.close();
    expect(problemLines(await waiting)[0]).to.contain('is not read any more');
  });

  it('fails at the deadline, whatever number of replies it waits for', async () => {
    const { server, database, path } = await serveAndReplicate(() => undefined, { deadline: 300 });
    const reading = database.content();
    await eventually('the request is received', () => server.requests('get_schema').length === 1);
    await pause(150);
    server.send({ id: server.received[0]?.id, result: schema('few'), error: null });
    // Not "reconnecting": the connection still waits for the second answer.
    expect(problemLines(await reading)).to.deep.equal([
      `${path}: leads to an ovsdb-server that did not answer within 0.3 s`,
    ]);
  });

  it('does not connect once it is closed, even if it has begun to', async () => {
    const { server, database } = await serveAndReplicate(modern);
    database.close();
    expect(problemLines(await database.content())[0]).to.contain('is not read any more');
    const { becomes } = replicate(server.path);
    await becomes(1);
    expect(server.requests('get_schema')).to.have.length(1);
    expect(problemLines(await database.content())[0]).to.contain('is not read any more');
  });

  it('fails a transaction that it cannot send, with the reason', async () => {
    const path = join(newFolder(), 'db.sock');
    const { database } = replicate(path, { firstRetry: HOUR });
    const { reason } = (await database.transact([])) as { readonly reason: string };
    expect(reason).to.match(/^cannot be reached: its socket does not exist: ovsdb-server/);
  });

  it('sends transactions for its database', async () => {
    const { server, database, becomes } = await serveAndReplicate((...request) =>
      request[0] === 'transact' ? { result: [{}] } : modern(...request),
    );
    await becomes(1);
    expect(await database.transact([{ op: 'comment' }])).to.deep.equal({ outcome: 'result', result: [{}] });
    expect(server.requests('transact')).to.deep.equal([['Example', { op: 'comment' }]]);
    expect(valueOf(await database.content()).has('Thing')).to.equal(true);
  });
});
