import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Command } from 'commander';
import { Container } from 'inversify';
import { FolderApi } from '../../../src/adapters/folder-api/folder-api.ts';
import { addClusterManager } from '../../../src/cmd/commands/cluster-manager.ts';
import { type LiveNodeFactory, ports } from '../../../src/cmd/ports/container.ts';
import type { OvnServers } from '../../../src/cmd/ports/ovn-servers.ts';
import { addNode } from '../../../src/cmd/commands/node.ts';
import { inFile } from '../../../src/ports/input-problem.ts';
import type { Locked } from '../../../src/ports/node/node-lock.ts';

/** A port of a node that must not be read or used. */
const untouched = {
  onChange: () => {
    throw new Error('the loop has begun');
  },
  close: () => Promise.resolve(),
};

describe('an agent command', () => {
  let folder: string;
  let busy: Server;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-agents-'));
    writeFileSync(join(folder, 'cluster.yaml'), '# nothing\n');
    busy = createServer().listen(0, '127.0.0.1');
    await once(busy, 'listening');
  });
  afterEach(() => {
    busy.close();
    rmSync(folder, { recursive: true });
  });

  /** Runs a command on this folder, and on a node that it may not touch. */
  async function run(
    words: readonly string[],
    locked: Locked = { locked: true, release: () => undefined },
    liveNode: LiveNodeFactory = (() => ({
      hostNetwork: untouched,
      switchDatabase: untouched,
      kernelSettings: untouched,
    })) as unknown as LiveNodeFactory,
  ) {
    const container = new Container();
    container.bind(ports.nodeLock).toConstantValue({ acquire: () => Promise.resolve(locked) });
    container.bind(ports.resourceStore).toConstantValue((path) => new FolderApi(path));
    container.bind(ports.liveNode).toConstantValue(liveNode);
    const err: string[] = [];
    const terminal = {
      out: () => undefined,
      err: (text: string) => void err.push(text),
      colours: false,
      progress: false,
    };
    const program = new Command('ovn-uplinks');
    addNode(program, container, terminal);
    addClusterManager(program, container, terminal);
    const { exitCode: before } = process;
    await program.parseAsync([...words, '--manifests', folder, '--log-level', 'error'], { from: 'user' });
    const { exitCode } = process;
    process.exitCode = before;
    return { err, exitCode };
  }

  for (const command of ['node', 'cluster-manager']) {
    it(`reports a listen error with a fix, and does nothing: ${command}`, async () => {
      const place = `127.0.0.1:${(busy.address() as AddressInfo).port}`;
      expect(await run([command, '--listen', place])).to.deep.equal({
        exitCode: 1,
        err: [
          `error: /healthz, /readyz and /metrics cannot be served at ${place}: the port is in use: stop the program that uses it (ss -ltnp shows it), choose another port with --listen, or --listen none`,
        ],
      });
    });
  }

  it('closes all databases at the end', async () => {
    const opened: (OvnServers | undefined)[] = [];
    const closed: string[] = [];
    const port = (name: string) => ({
      ...untouched,
      read: () => Promise.resolve({ read: false, problems: [{ origin: inFile(name), message: 'is not there' }] }),
      close: () => Promise.resolve(void closed.push(name)),
    });
    const liveNode: LiveNodeFactory = (_socket, ovn) => {
      opened.push(ovn);
      return {
        hostNetwork: port('hostNetwork'),
        switchDatabase: port('switchDatabase'),
        kernelSettings: port('kernelSettings'),
        ledgerStore: port('ledgerStore'),
        datapath: {
          flowTables: port('flowTables'),
          northbound: port('northbound'),
          ...(ovn?.southbound && { southbound: port('southbound') }),
        },
      } as unknown as ReturnType<LiveNodeFactory>;
    };
    const words = ['node', '--dry-run', '--node', 'worker-a'];
    for (const others of [[], ['--networks', 'all'], ['--cleanup']])
      await run([...words, ...others], undefined, liveNode);
    expect(opened.map((ovn) => Object.keys(ovn ?? {}))).to.deep.equal([
      ['northbound'],
      ['northbound', 'southbound'],
      // What was provided before has to go.
      ['northbound', 'southbound'],
    ]);
    expect(closed.filter((name) => name === 'southbound')).to.have.lengthOf(2);
    expect(closed.filter((name) => name === 'northbound')).to.have.lengthOf(3);
  });

  it('does not provide networks on a node without the databases of OVN', async () => {
    for (const option of ['--ovn-northbound', '--ovn-southbound']) {
      const { exitCode, err } = await run(['node', '--once', '--networks', 'all', option, 'none']);
      expect(exitCode).to.equal(1);
      expect(err).to.deep.equal([
        `error: ${option} none: --networks all programs OVN; expected the address of the database, or --networks none`,
      ]);
    }
  });

  it('does not provide networks for a folder of manifests', async () => {
    const { exitCode, err } = await run(['cluster-manager', '--once', '--networks', 'all']);
    expect(exitCode).to.equal(1);
    expect(err).to.deep.equal([
      'error: --networks all: networks are provided only in a cluster with an API server; expected none with --manifests',
    ]);
  });

  it('reports the same on all addresses', async () => {
    const place = `:${(busy.address() as AddressInfo).port}`;
    const { err } = await run(['node', '--listen', place]);
    expect(err[0]).to.include(`cannot be served at ${place}: the port is in use`);
  });

  it('reports an address that the node does not have', async () => {
    const { err } = await run(['node', '--listen', '[2001:db8::1]:9477']);
    expect(err[0]).to.include('at [2001:db8::1]:9477: the node has no such address');
  });

  it('reports any other error of the system', async () => {
    const { err, exitCode } = await run(['node', '--listen', 'no.such.host.invalid:9477']);
    expect(err[0]).to.match(/at no\.such\.host\.invalid:9477: .*(ENOTFOUND|EAI_AGAIN)/);
    expect(exitCode).to.equal(1);
  });

  it('does not listen with --once: the port may be in use', async () => {
    // Its default port, unless another program has it already.
    const other = createServer();
    const settled = Promise.withResolvers<undefined>();
    for (const event of ['listening', 'error']) {
      other.on(event, () => {
        settled.resolve(undefined);
      });
    }
    other.listen(9478, '127.0.0.1');
    await settled.promise;
    try {
      expect(await run(['cluster-manager', '--once'])).to.deep.equal({ exitCode: 0, err: [] });
    } finally {
      other.close();
    }
  });

  it('listens with --once if --listen is given', async () => {
    const { exitCode } = await run([
      'cluster-manager',
      '--once',
      '--listen',
      `127.0.0.1:${(busy.address() as AddressInfo).port}`,
    ]);
    expect(exitCode).to.equal(1);
  });

  it('prints the holder of the lock without control characters', async () => {
    const { err, exitCode } = await run(['node'], { locked: false, holder: '\u001b[2Jthe \u009bagent\n' });
    expect(err).to.deep.equal([
      `error: \\x1b[2Jthe \\x9bagent\\x0a runs on this node already, and two would undo each other's work: stop that one first`,
    ]);
    expect(exitCode).to.equal(1);
  });
});
