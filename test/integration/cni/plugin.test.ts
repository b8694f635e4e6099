/** Tests of the CNI plugin by itself: without an agent, or with one that misbehaves. */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { CNI_VERSIONS } from '../../../src/domain/pods/cni/versions.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { temporaryFolders } from '../../unit/adapters/temporary-folders.ts';
import { PodHost } from './pod-host.ts';
import { type CallEnvironment, runPlugin } from './plugin-process.ts';

const CONFIG = JSON.stringify({ cniVersion: '1.0.0', name: 'cluster_udn_blue', type: 'ovn-uplinks-cni' });

const call = { CONTAINERID: 'c0ffee', NETNS: '/run/netns/not-there', IFNAME: 'net1' };

const without = (environment: CallEnvironment, config = CONFIG) => runPlugin('/not/there', environment, config);

const error = (text: string) => JSON.parse(text) as { readonly code: number; readonly details: string };

describe('the CNI plugin without an agent', () => {
  it('prints the versions that it supports', async () => {
    const { status, stdout } = await without({ COMMAND: 'VERSION' });
    expect(status).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.equal({ cniVersion: '1.0.0', supportedVersions: CNI_VERSIONS });
  });

  it('prints the versions that it supports without a configuration', async () => {
    for (const config of ['', '\n', '{}']) {
      const { status, stdout } = await without({ COMMAND: 'VERSION' }, config);
      expect(status, config).to.equal(0);
      expect(JSON.parse(stdout), config).to.deep.equal({ cniVersion: '1.1.0', supportedVersions: CNI_VERSIONS });
    }
  });

  it('cannot decode the version in what is not JSON', async () => {
    const { status, stdout } = await without({ COMMAND: 'VERSION' }, '{');
    expect([status, error(stdout).code]).to.deep.equal([1, 6]);
  });

  for (const command of ['ADD', 'CHECK', 'GC', 'UPDATE']) {
    it(`asks the runtime to try ${command} again later, in the version of the configuration`, async () => {
      const { status, stdout } = await without({ COMMAND: command, ...call });
      expect([status, error(stdout).code]).to.deep.equal([1, 11]);
      expect(error(stdout)).to.include({ cniVersion: '1.0.0' });
      expect(error(stdout).details).to.include('/not/there');
    });
  }

  it('reports by STATUS that it is not available', async () => {
    const { status, stdout } = await without({ COMMAND: 'STATUS' });
    expect([status, error(stdout).code]).to.deep.equal([1, 50]);
  });

  it('deletes what is not there', async () => {
    for (const netns of [call.NETNS, '']) {
      const { status, stdout, stderr } = await without({ COMMAND: 'DEL', ...call, NETNS: netns });
      expect([status, stdout]).to.deep.equal([0, '']);
      expect(stderr).to.include('only the interface is deleted');
    }
  });

  it('refuses a configuration of more than 1 MiB', async () => {
    const { status, stdout } = await without({ COMMAND: 'ADD', ...call }, ' '.repeat((1 << 20) + 1));
    expect([status, error(stdout).code]).to.deep.equal([1, 6]);
  });
});

describe('the CNI plugin with an agent that misbehaves', () => {
  const newFolder = temporaryFolders();
  let server: Server;
  let socket: string;
  let answer: (client: Socket) => void;
  beforeEach(async () => {
    socket = join(newFolder(), 'cni.sock');
    server = createServer((client) => {
      client.on('error', () => undefined);
      client.once('data', () => answer(client));
    });
    server.listen(socket);
    await once(server, 'listening');
  });
  afterEach(() => {
    server.close();
  });

  const add = async (misbehave: typeof answer) => {
    answer = misbehave;
    const { status, stdout } = await runPlugin(socket, { COMMAND: 'ADD', ...call }, CONFIG);
    expect([status, error(stdout).code]).to.deep.equal([1, 11]);
    return error(stdout).details;
  };

  it('tells that it closed the connection', async () => {
    expect(await add((client) => client.end())).to.include('closed the connection without a result');
    expect(await add((client) => client.end('{"step":"fin'))).to.include('is not understood');
  });

  it('tells that it sent something else', async () => {
    expect(await add((client) => client.end('hello\n'))).to.include('is not understood');
  });

  it('tells that it sent too much', async () => {
    expect(await add((client) => client.write('x'.repeat(5 << 20)))).to.include('token too long');
  });

  const replyTo = async (step: object): Promise<unknown> => {
    answer = (client) => {
      client.write(`${JSON.stringify(step)}\n`);
      client.once('data', (reply) => {
        const output = reply.toString();
        client.end(`${JSON.stringify({ step: 'finish', finish: { exitStatus: 0, output } })}\n`);
      });
    };
    const { status, stdout } = await runPlugin(socket, { COMMAND: 'ADD', ...call }, CONFIG);
    expect(status).to.equal(0);
    return JSON.parse(stdout);
  };

  it('takes steps with fields that a later agent may add', async () => {
    const step = { step: 'attach', attach: { mac: '0a:58:0a:14:01:03', later: [{ field: 1 }] } };
    expect(await replyTo(step)).to.deep.include({ done: false, reason: 'no-namespace' });
  });

  it('reports steps that it does not know, and prints what it is told', async () => {
    expect(await replyTo({ step: 'reboot' })).to.deep.equal({
      done: false,
      error: 'step "reboot" is not known to protocol version 2',
    });
  });
});

describe('the CNI plugin that asks a router', () => {
  const newFolder = temporaryFolders();
  const GATEWAY = '10.20.1.1';

  it('goes on after the kernel has had more to say of neighbours than it could read', async () => {
    const socket = join(newFolder(), 'cni.sock');
    const host = await PodHost.start(socket);
    const server = createServer();
    server.listen(socket);
    await host.does(`
      ip netns add web
      ip link add name to-web up type veth peer name net1 netns web
      ip -netns web address add 10.20.1.3/24 dev net1
      ip -netns web link set net1 up
      echo '${CONFIG}' > /etc/cni/config`);
    const words = ['-c', 'exec "$CNI_PATH/ovn-uplinks-cni" < /etc/cni/config'];
    const environment = {
      CNI_COMMAND: 'ADD',
      CNI_CONTAINERID: 'c0ffee',
      CNI_NETNS: '/run/netns/web',
      CNI_IFNAME: 'net1',
    };
    const plugin = host.spawn('sh', words, environment);
    try {
      const [agent] = (await once(server, 'connection')) as [Socket];
      await once(agent, 'data');
      const replied = once(agent, 'data') as Promise<[Buffer]>;
      agent.write(`${JSON.stringify({ step: 'probe', probe: { gateways: [GATEWAY], timeout: 30_000 } })}\n`);
      await eventually('the router is asked', async () =>
        (await host.does('ip -netns web neighbour show dev net1')).includes(GATEWAY),
      );
      plugin.kill('SIGSTOP');
      const neighbours = Array.from({ length: 2000 }, (_, index) => `10.21.${index >> 8}.${index & 255}`);
      const added = neighbours.map((each) => `neighbour add ${each} lladdr 02:00:00:00:00:01 dev net1`);
      await host.does(`ip -netns web -batch - <<'END'\n${added.join('\n')}\nEND`);
      await host.does(`ip address add ${GATEWAY}/24 dev to-web`);
      plugin.kill('SIGCONT');
      const [reply] = await replied;
      expect(JSON.parse(reply.toString())).to.deep.equal({ done: true });
    } finally {
      plugin.kill('SIGKILL');
      server.close();
      await host.stop();
    }
  });
});
