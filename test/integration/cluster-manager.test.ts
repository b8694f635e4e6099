import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { dump, load } from 'js-yaml';
import type { UplinkState } from '../../src/domain/api/uplink-state.ts';
import { eventually } from '../unit/adapters/processes.ts';
import { ovnUplinksProcess } from './command.ts';
import { clusterOf } from './lab/clusters.ts';
import { manifestText } from './lab/agent/manifest-text.ts';
import { stateOf } from './uplink-state.ts';

const root = join(import.meta.dirname, '../..');

describe('cluster-manager, as a process', () => {
  let folder: string;
  let manager: ChildProcess | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-manager-'));
    writeFileSync(join(folder, 'cluster.yaml'), manifestText(clusterOf([{ name: 'blue', device: 'br-blue' }])));
  });
  afterEach(() => {
    manager?.kill('SIGKILL');
    manager = undefined;
    rmSync(folder, { recursive: true });
  });

  /** Has a state be written, as an agent does. */
  function write(state: UplinkState): void {
    const states = join(folder, 'status/UplinkState');
    mkdirSync(states, { recursive: true });
    writeFileSync(join(folder, 'new'), dump(state));
    renameSync(join(folder, 'new'), join(states, `${state.metadata.name}.yaml`));
  }

  /** The condition that stands in the status of an object, as `TYPE STATUS REASON`; empty where there is none yet. */
  function condition(kind: string, name: string): string {
    try {
      const { status } = load(readFileSync(join(folder, 'status', kind, `${name}.yaml`), 'utf8')) as {
        readonly status: { readonly conditions: readonly Readonly<Record<'type' | 'status' | 'reason', string>>[] };
      };
      return status.conditions.map(({ type, status: is, reason }) => `${type} ${is} ${reason}`).join(', ');
    } catch {
      return '';
    }
  }

  async function say(uplink: string, network: string): Promise<void> {
    await eventually(`${uplink}; ${network}`, () => {
      return condition('Uplink', 'uplink-0') === uplink && condition('ClusterUserDefinedNetwork', 'blue') === network;
    });
  }

  it('writes status from states, updates it on changes, and exits at once on SIGTERM, even with connected clients', async () => {
    manager = spawn(
      process.execPath,
      ['src/cmd/main.ts', 'cluster-manager', '--manifests', folder, '--listen', '127.0.0.1:0'],
      {
        cwd: root,
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    let log = '';
    manager.stderr?.on('data', (text: Buffer) => (log += text.toString()));
    await say('Degraded True UplinkStateMissing', 'UplinksReady False UplinkNotReadyForNode');
    write(stateOf('worker-a', 'Ready'));
    await say('Degraded False AllNodesReady', 'UplinksReady True UplinksReady');
    write(stateOf('worker-a', 'UplinkBridgeMappingFailed'));
    await say('Degraded False AllNodesReady', 'UplinksReady False UplinkBridgeMappingFailed');

    const port = Number(/"port":(\d+)/.exec(log)?.[1]);
    const silent = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(silent, 'connect');
    const exited = once(manager, 'exit', { signal: AbortSignal.timeout(30_000) });
    manager.kill('SIGTERM');
    expect(await exited, log).to.deep.equal([0, null]);
    silent.destroy();
  });

  it('exits with --once as soon as everything is written, and with status 1 if something cannot be read', async () => {
    write(stateOf('worker-a', 'Ready'));
    const words = ['cluster-manager', '--once', '--manifests'];
    expect((await ovnUplinksProcess([...words, folder])).exitCode).to.equal(0);
    expect(condition('ClusterUserDefinedNetwork', 'blue')).to.equal('UplinksReady True UplinksReady');
    const { exitCode, stderr } = await ovnUplinksProcess([...words, join(folder, 'elsewhere')]);
    expect(exitCode).to.equal(1);
    expect(stderr).to.include('cannot read: ').and.include('elsewhere');
  });
});
