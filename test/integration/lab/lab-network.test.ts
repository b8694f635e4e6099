import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { eventually } from '../../unit/adapters/processes.ts';
import { TestApiServer } from '../kubernetes/api-server.ts';
import { bridge } from './bridge.ts';
import { ip, ovsVsctl } from './commands.ts';
import { LabNetwork } from './lab-network.ts';
import { Machine } from './machine.ts';
import type { LabNode } from './node.ts';
import { prepare } from './prepare.ts';

/** Gives a node its network card, as the port of a bridge with an address. */
async function connect(node: LabNode, address: string): Promise<void> {
  await prepare(node, [
    ...bridge('br-ex', { addresses: [`${address}/24`] }),
    ovsVsctl`add-port br-ex vec0`,
    ip`link set vec0 up`,
  ]);
}

/** The processes in a network namespace. */
function processesIn(namespace: string): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/ns/net`) === namespace;
    } catch {
      return false;
    }
  });
}

describe('a network of the lab', () => {
  let network: LabNetwork;
  let machines: readonly Machine[];
  before(async () => {
    network = await LabNetwork.start();
    machines = await Promise.all([Machine.start({ network }), Machine.start({ network })]);
  });
  after(async () => {
    await Promise.all(machines.map((machine) => machine.stop()));
    await network.stop();
  });

  const newNodes = () =>
    Promise.all(
      machines.map(async (machine, index) => {
        const node = await machine.node(`worker-${index}`, { networkCard: true });
        await connect(node, `198.51.100.${10 + index}`);
        return node;
      }),
    );

  it('connects nodes on two machines with each other and with programs in it, one node of a machine after the other', async () => {
    for (let round = 0; round < 2; round++) {
      const nodes = await newNodes();
      const ping = (to: string) => ['ping', '-c1', '-W5', to];
      for (const node of nodes) await node.does(ping('198.51.100.10'), ping('198.51.100.11'), ping(network.address));
      await Promise.all(nodes.map((node) => node.end()));
    }
  });

  it('has its programs in it also while ports of it are made available', async () => {
    // One after the other, as quickly as they start.
    const loop = 'for number in $(seq 200); do "$@"; done | sort --unique';
    const looking = promisify(execFile)('sh', [
      '-c',
      loop,
      'sh',
      ...network.command(['readlink', '/proc/self/ns/net']),
    ]);
    for (let port = 1; port <= 400; port++) await network.reach('127.0.0.1', port);
    const { stdout } = await looking;
    expect(stdout.match(/net:/g)).to.have.length(1);
  });

  it('has an API server that is reached by nodes and, on the loopback interface, by this process', async () => {
    const server = await TestApiServer.start(network);
    const nodes = await newNodes();
    try {
      const url = `https://${server.address}:${server.port}/readyz`;
      const ask = `import ssl, urllib.request as r; print(r.urlopen("${url}", context=ssl._create_unverified_context()).read())`;
      for (const node of nodes) expect(await node.does(['python3', '-c', ask])).to.equal("b'ok'\n");
      expect(server.kubectl(['get', '--raw=/readyz'])).to.equal('ok');
    } finally {
      await Promise.all(nodes.map((node) => node.end()));
      await server.stop();
    }
  });

  it('ends with its machines and API server when the process that started them is killed', async () => {
    const start = `
      const { LabNetwork } = await import('${import.meta.dirname}/lab-network.ts');
      const { Machine } = await import('${import.meta.dirname}/machine.ts');
      const { TestApiServer } = await import('${import.meta.dirname}/../kubernetes/api-server.ts');
      const { execFileSync } = await import('node:child_process');
      const network = await LabNetwork.start();
      const [server] = await Promise.all([TestApiServer.start(network), Machine.start({ network })]);
      const [program, ...words] = network.command(['readlink', '/proc/self/ns/net']);
      console.log(execFileSync(program, words, { encoding: 'utf8' }).trim() + ' ' + server.kubeconfig);`;
    const owner = spawn(process.execPath, ['--input-type=module', '--eval', start], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface({ input: owner.stdout }), 'line')) as [string];
    const [namespace = '', kubeconfig = ''] = line.split(' ');
    expect(processesIn(namespace)).to.have.length.above(3);
    owner.kill('SIGKILL');
    await eventually('nothing of it runs any more', () => processesIn(namespace).length === 0);
    // Its files stay.
    rmSync(dirname(kubeconfig), { recursive: true });
  });
});
