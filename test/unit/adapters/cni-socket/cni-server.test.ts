import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { type CniLimits, serveCni } from '../../../../src/adapters/cni-socket/cni-server.ts';
import type { CniServer } from '../../../../src/ports/pods/cni-agent.ts';
import type { CniAnswer } from '../../../../src/domain/pods/cni/answer.ts';
import { MAX_MESSAGE_BYTES, PROTOCOL_VERSION, type StepOutcome } from '../../../../src/domain/pods/cni/messages.ts';
import type { CniAgent, CniPlugin } from '../../../../src/ports/pods/cni-agent.ts';
import type { AnsweredCall } from '../../../../src/ports/pods/pod-report.ts';
import { temporaryFolders } from '../temporary-folders.ts';

const request = {
  protocol: PROTOCOL_VERSION,
  command: 'DEL',
  containerId: 'c0ffee',
  netns: '/run/netns/web',
  ifname: 'net1',
  args: '',
  config: '{"cniVersion":"1.0.0"}',
};

const lineOf = (message: object) => `${JSON.stringify(message)}\n`;

const done: CniAnswer = { kind: 'done' };

const finish = (output = '', exitStatus = 0) => ({ step: 'finish', finish: { exitStatus, output } });

/** A client that sends what it likes. */
class TestClient {
  readonly socket: Socket;
  readonly #lines: AsyncIterator<string>;

  constructor(path: string) {
    this.socket = connect(path);
    this.socket.on('error', () => undefined);
    this.#lines = createInterface(this.socket)[Symbol.asyncIterator]();
  }

  send(message: object): void {
    this.socket.write(lineOf(message));
  }

  /** The next message of the server; undefined once the connection has ended. */
  async next(): Promise<unknown> {
    const line: IteratorResult<string, undefined> = await this.#lines
      .next()
      .catch(() => ({ value: undefined, done: true }) as const);
    return line.done === true ? undefined : (JSON.parse(line.value) as unknown);
  }
}

describe('the server of CNI plugins', () => {
  const newFolder = temporaryFolders();
  let servers: CniServer[] = [];
  let path: string;
  let reports: AnsweredCall[] = [];
  beforeEach(() => {
    path = join(newFolder(), 'new', 'cni.sock');
  });
  afterEach(async () => {
    for (const server of servers) await server.close();
    servers = [];
    reports = [];
  });

  const serve = async (answer: CniAgent['answer'], limits?: Partial<CniLimits>) => {
    const all = { request: 5000, step: 5000, connections: 50, closing: 50, ...limits };
    servers.push(await serveCni(path, { answer }, (call) => reports.push(call), all));
  };
  const client = () => new TestClient(path);

  it('answers a call, and ends the connection', async () => {
    await serve(() => Promise.resolve(done));
    const plugin = client();
    plugin.send(request);
    expect(await plugin.next()).to.deep.equal(finish());
    expect(await plugin.next()).to.equal(undefined);
  });

  it('reports each call with its result', async () => {
    const error = { code: 11, message: 'not yet', details: 'later' } as const;
    const answers: CniAnswer[] = [done, { kind: 'failed', error }];
    await serve(() => Promise.resolve(answers.shift() ?? done));
    const args = 'K8S_POD_NAMESPACE=demo;K8S_POD_NAME=web';
    for (const command of ['DEL', 'ADD']) {
      const plugin = client();
      plugin.send({ ...request, command, args, config: '{"cniVersion":"1.0.0","name":"blue"}' });
      await plugin.next();
    }
    const answered = { kind: 'answered', network: 'blue', containerId: 'c0ffee', milliseconds: 0 };
    expect(reports.map((each) => ({ ...each, milliseconds: 0 }))).to.deep.equal([
      { ...answered, command: 'DEL' },
      { ...answered, command: 'ADD', pod: 'Pod/demo/web', error },
    ]);
  });

  it('answers the calls that have begun before it is closed, and no others', async () => {
    const reached = Promise.withResolvers<undefined>();
    const go = Promise.withResolvers<undefined>();
    await serve(
      async () => {
        reached.resolve(undefined);
        await go.promise;
        return done;
      },
      { closing: 60_000 },
    );
    const plugin = client();
    plugin.send(request);
    await reached.promise;
    const closed = servers.pop()?.close();
    const late = client();
    expect(await late.next()).to.equal(undefined);
    go.resolve(undefined);
    expect(await plugin.next()).to.deep.equal(finish());
    await closed;
  });

  it('ends a call that takes too long once it is closed, and waits until it is undone', async () => {
    const reached = Promise.withResolvers<undefined>();
    let isUndone = false;
    await serve(async (_, plugin) => {
      reached.resolve(undefined);
      await once(plugin.ended, 'abort');
      isUndone = true;
      return done;
    });
    const plugin = client();
    plugin.send(request);
    await reached.promise;
    await servers.pop()?.close();
    expect(isUndone).to.equal(true);
  });

  it('can only be reached by root, and replaces a socket that was left behind', async () => {
    await serve(() => Promise.resolve(done));
    expect(statSync(path).mode & 0o777).to.equal(0o600);
    await servers.pop()?.close();
    writeFileSync(path, 'left behind');
    await serve(() => Promise.resolve(done));
    const plugin = client();
    plugin.send(request);
    expect(await plugin.next()).to.deep.equal(finish());
  });

  it('has the plugin take steps, and learns what came of them', async () => {
    const outcomes: StepOutcome[] = [];
    await serve(async (_, plugin) => {
      outcomes.push(await plugin.take({ step: 'observe' }), await plugin.take({ step: 'detach' }));
      return done;
    });
    const plugin = client();
    plugin.send(request);
    expect(await plugin.next()).to.deep.equal({ step: 'observe' });
    plugin.send({ done: true, observed: { interfaces: [], routes: [] } });
    expect(await plugin.next()).to.deep.equal({ step: 'detach' });
    plugin.send({ done: false, error: 'busy' });
    expect(await plugin.next()).to.deep.equal(finish());
    expect(outcomes).to.deep.equal([
      { done: true, observed: { interfaces: [], routes: [] } },
      { done: false, error: 'busy' },
    ]);
  });

  it('reads requests that arrive in pieces, also within a character', async () => {
    const calls: unknown[] = [];
    await serve((call) => {
      calls.push(call);
      return Promise.resolve(done);
    });
    const plugin = client();
    const bytes = Buffer.from(lineOf({ ...request, config: '{"cniVersion":"1.0.0","note":"Grüße"}' }));
    for (const byte of bytes) plugin.socket.write(Buffer.of(byte));
    expect(await plugin.next()).to.deep.equal(finish());
    expect(calls).to.have.length(1);
  });

  it('answers an invalid call without asking the agent', async () => {
    await serve(() => Promise.reject(new Error('not expected')));
    const plugin = client();
    plugin.send({ ...request, containerId: '' });
    const answer = (await plugin.next()) as ReturnType<typeof finish>;
    expect(answer.finish.exitStatus).to.equal(1);
    expect(JSON.parse(answer.finish.output)).to.include({ cniVersion: '1.0.0', code: 4 });
    expect(reports.map(({ command, error }) => [command, error?.code])).to.deep.equal([['invalid', 4]]);
  });

  it('asks the runtime to try again after a defect of the agent', async () => {
    await serve(() => Promise.reject(new Error('a defect')));
    const plugin = client();
    plugin.send(request);
    const answer = (await plugin.next()) as ReturnType<typeof finish>;
    expect(JSON.parse(answer.finish.output)).to.include({ code: 11, details: 'a defect' });
  });

  const somethingElse = 'it sent something other than a request';
  const half = lineOf(request).slice(0, 40);
  const noRequests: Readonly<Record<string, readonly [text: string, problem: string]>> = {
    'half a request': [half, 'it sent no request within 0.1 s'],
    'what is not JSON': ['hello\n', somethingElse],
    'a request without a command': [lineOf({ protocol: PROTOCOL_VERSION }), somethingElse],
    'too much': ['x'.repeat(MAX_MESSAGE_BYTES + 1), somethingElse],
  };
  for (const [what, [text, problem]] of Object.entries(noRequests)) {
    it(`ends the connection of a client that sends ${what}, reports it, and goes on`, async () => {
      await serve(() => Promise.resolve(done), text === half ? { request: 100 } : {});
      const other = client();
      other.socket.write(text);
      expect(await other.next()).to.equal(undefined);
      expect(reports.map(({ command, error }) => [command, error?.details])).to.deep.equal([['invalid', problem]]);
      const plugin = client();
      plugin.send(request);
      expect(await plugin.next()).to.deep.equal(finish());
    });
  }

  /** The outcome of a step where the plugin gives this reply. */
  const outcomeAfter = async (reply: (plugin: TestClient) => void, limits: Partial<CniLimits> = {}) => {
    const outcome = Promise.withResolvers<StepOutcome>();
    await serve(async (_, plugin) => {
      outcome.resolve(await plugin.take({ step: 'detach' }));
      return done;
    }, limits);
    const plugin = client();
    plugin.send(request);
    await plugin.next();
    reply(plugin);
    return await outcome.promise;
  };

  it('tells the agent that the plugin vanished in the middle of a step', async () => {
    const outcome = await outcomeAfter((plugin) => plugin.socket.destroy());
    expect(outcome).to.deep.equal({ done: false, error: 'the plugin ended in the middle of a step' });
  });

  it('tells the agent that the plugin did not reply in time', async () => {
    const outcome = await outcomeAfter(() => undefined, { step: 50 });
    expect(outcome).to.deep.equal({ done: false, error: 'the plugin did not reply within 0.05 s' });
  });

  it('tells the agent that the plugin sent something else', async () => {
    const outcome = await outcomeAfter((plugin) => plugin.send({ done: 'perhaps' }));
    expect(outcome).to.deep.equal({ done: false, error: 'the plugin sent something other than an outcome' });
  });

  it('tells the agent at once that the plugin was killed', async () => {
    const ended = Promise.withResolvers<CniPlugin>();
    const waiting = Promise.withResolvers<undefined>();
    await serve(async (_, plugin) => {
      waiting.resolve(undefined);
      await once(plugin.ended, 'abort');
      ended.resolve(plugin);
      return done;
    });
    const plugin = client();
    plugin.send(request);
    await waiting.promise;
    plugin.socket.destroy();
    const killed = await ended.promise;
    expect(await killed.take({ step: 'detach' })).to.deep.equal({ done: false, error: 'the plugin has ended' });
  });

  it('answers calls for one container one after the other, and those for others meanwhile', async () => {
    const started: string[] = [];
    const go = new Map<string, () => void>();
    const reached = new Map(['first', 'other'].map((name) => [name, Promise.withResolvers<undefined>()]));
    await serve(async (call) => {
      const { ifname } = 'attachment' in call ? call.attachment : { ifname: '' };
      started.push(ifname);
      reached.get(ifname)?.resolve(undefined);
      if (ifname === 'first') {
        const gone = Promise.withResolvers<undefined>();
        go.set(ifname, () => gone.resolve(undefined));
        await gone.promise;
      }
      return done;
    });
    const first = client();
    first.send({ ...request, ifname: 'first' });
    await reached.get('first')?.promise;
    const second = client();
    second.send({ ...request, ifname: 'second' });
    const other = client();
    other.send({ ...request, containerId: 'decaf', ifname: 'other' });
    expect(await other.next()).to.deep.equal(finish());
    expect(started).to.deep.equal(['first', 'other']);
    go.get('first')?.();
    expect(await second.next()).to.deep.equal(finish());
    expect(started).to.deep.equal(['first', 'other', 'second']);
  });

  it('does nothing for a plugin that was killed while it waited for its turn', async () => {
    const calls: string[] = [];
    const first = Promise.withResolvers<undefined>();
    const reached = Promise.withResolvers<undefined>();
    await serve(async (call) => {
      const { ifname } = 'attachment' in call ? call.attachment : { ifname: '' };
      calls.push(ifname);
      reached.resolve(undefined);
      if (ifname === 'first') await first.promise;
      return done;
    });
    const plugins = ['first', 'killed', 'last'].map((ifname) => {
      const plugin = client();
      plugin.send({ ...request, ifname });
      return plugin;
    });
    await reached.promise;
    plugins[1]!.socket.destroy();
    await once(plugins[1]!.socket, 'close');
    // A call that is answered tells that the server has seen what happened before.
    const other = client();
    other.send({ ...request, containerId: 'decaf', ifname: 'other' });
    await other.next();
    first.resolve(undefined);
    expect(await plugins[2]!.next()).to.deep.equal(finish());
    expect(calls).to.deep.equal(['first', 'other', 'last']);
  });

  it('refuses more plugins at a time than its limit', async () => {
    await serve(() => Promise.withResolvers<CniAnswer>().promise, { connections: 1 });
    const first = client();
    first.send(request);
    await once(first.socket, 'connect');
    const second = client();
    second.send(request);
    expect(await second.next()).to.equal(undefined);
  });

  it('ends all connections when it is closed', async () => {
    await serve(() => Promise.withResolvers<CniAnswer>().promise);
    const plugin = client();
    plugin.send(request);
    await once(plugin.socket, 'connect');
    await servers.pop()?.close();
    expect(await plugin.next()).to.equal(undefined);
    expect(() => readFileSync(path)).to.throw();
  });
});
