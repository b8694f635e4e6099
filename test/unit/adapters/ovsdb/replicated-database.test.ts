import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { ReplicatedDatabase } from '../../../../src/adapters/ovsdb/replicated-database.ts';
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

/** A server as today's are, with one row. */
const modern: ReplyTo = (method) => {
  if (method === 'get_schema') return { result: schema('few', 'many', 'secret') };
  if (method === 'monitor_cond_since') return { result: [false, 'first', { Thing: { x: { initial: { few: 1 } } } }] };
  return undefined;
};

/** A server that knows what is in RFC 7047 alone. */
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
    // The server of these tests answers no echo, and a connection that is taken for dead would be made anew for that reason.
    const usual = { ...USUAL_TIMING, silence: HOUR, firstRetry: 5 };
    const database = new ReplicatedDatabase('Example', columns, path, { ...usual, ...timing });
    endings.push(() => database.close());
    let calls = 0;
    const count = (): number => calls;
    database.onChange(() => (calls += 1));
    const few = async (): Promise<unknown> => {
      const content = await database.content();
      return content.read ? content.value.get('Thing')?.[0]?.columns.get('few') : content.problems[0]?.message;
    };
    const becomes = (value: unknown): Promise<void> =>
      eventually(`few is ${JSON.stringify(value)}`, async () => JSON.stringify(await few()) === JSON.stringify(value));
    return { database, count, few, becomes };
  }

  async function both(answer: ReplyTo, timing: Partial<typeof USUAL_TIMING> = {}) {
    const path = join(newFolder(), 'db.sock');
    const server = await serve(path, answer);
    return { path, server, ...replicate(path, timing) };
  }

  it('asks for the columns of its tables that the schema has, from the beginning', async () => {
    const { server, few } = await both(modern);
    expect(await few()).to.equal(1);
    expect(server.asked('get_schema')).to.deep.equal([['Example']]);
    const requests = { Thing: [{ columns: ['few', 'many'] }] };
    expect(server.asked('monitor_cond_since')).to.deep.equal([['Example', 'Example', requests, ZERO]]);
    expect(server.asked('monitor')).to.deep.equal([]);
  });

  it('follows what the server tells, and passes over what is told of other databases', async () => {
    const { server, becomes, count } = await both(modern);
    await becomes(1);
    const calls = count();
    server.send(update('second', modify(2)), { method: 'update3', params: ['Other', 'z', modify(9)], id: null });
    await becomes(set(1, 2));
    server.send(update('third', modify(1)));
    await becomes(set(2));
    expect(count()).to.equal(calls + 2);
  });

  it('calls nobody for an update that changes nothing', async () => {
    const { server, becomes, count } = await both(modern);
    await becomes(1);
    const calls = count();
    server.send(update('second', {}), update('third', { Thing: { y: { delete: null } } }), update('fourth', modify(2)));
    await becomes(set(1, 2));
    expect(count()).to.equal(calls + 1);
  });

  it('is content with the method of RFC 7047', async () => {
    for (const error of ['unknown method', { error: 'unknown method' }]) {
      const { server, becomes, count } = await both((...request) => {
        const answer = old(...request);
        return answer?.error === undefined ? answer : { error };
      });
      await becomes(1);
      expect(server.asked('monitor')).to.deep.equal([['Example', 'Example', { Thing: [{ columns: ['few'] }] }]]);
      const calls = count();
      const again = { Thing: { x: { old: {}, new: { few: 1 } } } };
      const changed = { Thing: { x: { old: { few: 1 }, new: { few: 7 } } } };
      server.send(...[again, changed].map((updates) => ({ method: 'update', params: ['Example', updates], id: null })));
      await becomes(7);
      expect(count()).to.equal(calls + 1);
    }
  });

  it('continues where it was when the server knows what happened since', async () => {
    const { server, becomes, count } = await both(modern);
    await becomes(1);
    server.send(update('second', modify(2)));
    await becomes(set(1, 2));
    const calls = count();
    server.answers((...request) =>
      request[0] === 'monitor_cond_since' ? { result: [true, 'third', modify(3)] } : modern(...request),
    );
    server.drop();
    await becomes(set(1, 2, 3));
    expect(server.asked('monitor_cond_since').map((params) => params[3])).to.deep.equal([ZERO, 'second']);
    expect(count()).to.equal(calls + 2);
  });

  it('starts over when it does not', async () => {
    const { server, becomes } = await both(modern);
    await becomes(1);
    server.answers((...request) =>
      request[0] === 'monitor_cond_since'
        ? { result: [false, 'other', { Thing: { z: { initial: { few: 9 } } } }] }
        : modern(...request),
    );
    server.drop();
    await becomes(9);
  });

  it('starts over if the schema has changed', async () => {
    const { server, becomes } = await both(modern);
    await becomes(1);
    server.answers((...request) =>
      request[0] === 'get_schema' ? { result: schema('few', 'many', 'new') } : modern(...request),
    );
    server.drop();
    await eventually('it asked again', () => server.asked('monitor_cond_since').length === 2);
    expect(server.asked('monitor_cond_since')[1]?.[3]).to.equal(ZERO);
  });

  const misfits: readonly (readonly [what: string, message: Message])[] = [
    ['an update does not fit what it has', update('second', { Thing: { y: { modify: { few: 2 } } } })],
    ['an update is none', update('second', { Thing: { x: 2 } })],
    ['the server has the database no longer', { method: 'monitor_canceled', params: ['Example'], id: null }],
  ];
  for (const [what, message] of misfits) {
    it(`connects again where ${what}`, async () => {
      const { server, becomes } = await both(modern);
      await becomes(1);
      server.send(message);
      await eventually('it asked again', () => server.asked('monitor_cond_since').length === 2);
      await becomes(1);
    });
  }

  it('asks for everything where an update did not fit', async () => {
    const { server, becomes } = await both(modern);
    await becomes(1);
    server.send(update('second', { Thing: { y: { modify: { few: 2 } } } }));
    await eventually('it asked again', () => server.asked('monitor_cond_since').length === 2);
    expect(server.asked('monitor_cond_since')[1]?.[3]).to.equal(ZERO);
  });

  const refusals: readonly (readonly [what: string, answer: ReplyTo, reason: string])[] = [
    [
      'the server does not have',
      () => ({
        error: { error: 'unknown database', details: 'get_schema request specifies\n unknown database Example' },
      }),
      'leads to an ovsdb-server that sends no schema of its database Example: unknown database: ' +
        'get_schema request specifies / unknown database Example; reconnecting',
    ],
    [
      'whose schema is none',
      () => ({ result: 5 }),
      'leads to an ovsdb-server that sent an invalid schema of Example; reconnecting',
    ],
    [
      'that may not be monitored',
      (method) => (method === 'get_schema' ? { result: schema('few') } : { error: 'not allowed' }),
      'leads to an ovsdb-server that does not report changes of its database Example: not allowed; reconnecting',
    ],
    ['of a server that does not answer', () => undefined, 'leads to an ovsdb-server that did not answer within 0.05 s'],
  ];
  for (const [what, answer, reason] of refusals) {
    it(`gives a problem for one ${what}, and is there once that is over`, async () => {
      const { server, database, path, becomes } = await both(answer, { deadline: 50 });
      expect(problemLines(await database.content())[0]).to.contain(`${path}: ${reason}`);
      server.answers(modern);
      await becomes(1);
    });
  }

  it('gives a problem for a socket that is not there, and what to do', async () => {
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

  it('connects after a while where even the folder of the socket was not there', async () => {
    const folder = join(newFolder(), 'openvswitch');
    const { database, becomes } = replicate(join(folder, 'db.sock'), { lastRetry: 20 });
    expect((await database.content()).read).to.equal(false);
    mkdirSync(folder);
    await serve(join(folder, 'db.sock'), modern);
    await becomes(1);
  });

  it('reports its loss once, and its return', async () => {
    const { server, path, becomes, count, few } = await both(modern);
    await becomes(1);
    expect(count()).to.equal(1);
    await server.stop();
    await eventually('the loss is told', () => count() === 2);
    expect(await few()).to.match(/^(leads to|does not exist|is stale)/);
    await serve(path, modern);
    await eventually('the return is told', () => count() === 3);
    await becomes(1);
  });

  it('stops for good when it is closed, without a report', async () => {
    const { server, database, becomes, count } = await both(modern);
    await becomes(1);
    const waiting = database.transact([{ op: 'comment' }]);
    await eventually('it is asked', () => server.asked('transact').length === 1);
    database.close();
    expect(await waiting).to.deep.equal({
      outcome: 'none',
      reason: 'is not used any more: the agent is shutting down',
    });
    expect(problemLines(await database.content())[0]).to.contain('is not read any more: the agent is shutting down');
    expect(count()).to.equal(1);
    expect(server.asked('get_schema')).to.have.length(1);
  });

  it('ends what waits for it when it is closed', async () => {
    const { server, database } = await both(() => undefined);
    const waiting = database.content();
    await eventually('it is asked', () => server.asked('get_schema').length === 1);
    database.close();
    expect(problemLines(await waiting)[0]).to.contain('is not read any more');
  });

  it('answers within the deadline, however many replies it waits for', async () => {
    const { server, database, path } = await both(() => undefined, { deadline: 300 });
    const reading = database.content();
    await eventually('it is asked', () => server.asked('get_schema').length === 1);
    await pause(150);
    server.send({ id: server.received[0]?.id, result: schema('few'), error: null });
    // Not "reconnecting": the connection still waits for the second answer.
    expect(problemLines(await reading)).to.deep.equal([
      `${path}: leads to an ovsdb-server that did not answer within 0.3 s`,
    ]);
  });

  it('makes no connection once it is closed, not even one that was on its way', async () => {
    const { server, database } = await both(modern);
    database.close();
    expect(problemLines(await database.content())[0]).to.contain('is not read any more');
    const { becomes } = replicate(server.path);
    await becomes(1);
    expect(server.asked('get_schema')).to.have.length(1);
    expect(problemLines(await database.content())[0]).to.contain('is not read any more');
  });

  it('has a transaction that it cannot send answered with why', async () => {
    const path = join(newFolder(), 'db.sock');
    const { database } = replicate(path, { firstRetry: HOUR });
    const { reason } = (await database.transact([])) as { readonly reason: string };
    expect(reason).to.match(/^cannot be reached: its socket does not exist: ovsdb-server/);
  });

  it('sends transactions of its own database', async () => {
    const { server, database, becomes } = await both((...request) =>
      request[0] === 'transact' ? { result: [{}] } : modern(...request),
    );
    await becomes(1);
    expect(await database.transact([{ op: 'comment' }])).to.deep.equal({ outcome: 'result', result: [{}] });
    expect(server.asked('transact')).to.deep.equal([['Example', { op: 'comment' }]]);
    expect(valueOf(await database.content()).has('Thing')).to.equal(true);
  });
});
