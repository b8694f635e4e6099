import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { customResourceDefinitions } from '../../../src/domain/api/custom-resource-definition.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { ovnUplinksProcess } from '../command.ts';
import { clusterOf } from '../lab/clusters.ts';
import { stateOf } from '../uplink-state.ts';
import { Administrator } from './administrator.ts';
import { TestApiServer } from './api-server.ts';

const root = join(import.meta.dirname, '../../..');

/** What is read of objects here. */
interface Stored {
  readonly metadata: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly deletionTimestamp?: string;
  };
  readonly status?: { readonly conditions?: readonly Readonly<Record<string, unknown>>[] };
}

const node = 'worker-a';

describe('a cluster with a real API server', () => {
  let server: TestApiServer;
  let administrator: Administrator;
  let manager: ChildProcess | undefined;
  let log = '';

  before(async () => {
    server = await TestApiServer.start();
    administrator = await Administrator.of(server);
  });
  after(async () => {
    manager?.kill('SIGKILL');
    administrator.close();
    await server.stop();
  });

  const start = (...words: readonly string[]) =>
    spawn(
      process.execPath,
      ['src/cmd/main.ts', ...words, '--kubeconfig', server.kubeconfig, '--listen', '127.0.0.1:0'],
      {
        cwd: root,
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );

  const stored = async (kind: string, name: string) => (await administrator.get(kind, name)) as Stored | undefined;

  /** The conditions of an object, as `TYPE STATUS REASON GENERATION`. */
  const conditions = async (kind: string, name: string) =>
    ((await stored(kind, name))?.status?.conditions ?? []).map(({ type, status, reason, observedGeneration }) =>
      [type, status, reason, observedGeneration].join(' '),
    );

  it("is not changed if the definitions are another implementation's, or missing, and this is logged", async () => {
    const run = () => ovnUplinksProcess(['cluster-manager', '--once', '--kubeconfig', server.kubeconfig]);
    const missing = await run();
    expect([missing.exitCode, missing.stderr]).to.deep.include.members([1]);
    expect(missing.stderr).to.match(/uplinks\.k8s\.ovn\.org: install the CustomResourceDefinitions of ovn-uplinks/);
    server.apply(...customResourceDefinitions().map(withoutAnnotations));
    // An API server serves a kind some time after it has got the definition.
    for (const kind of ['Uplink', 'UplinkState', 'ClusterUserDefinedNetwork']) await administrator.deleteAll(kind);
    const foreign = await run();
    expect(foreign.exitCode).to.equal(1);
    expect(foreign.stderr).to.match(/uplinks\.k8s\.ovn\.org is not the one of this version of ovn-uplinks/);
  });

  it('has conditions and a finalizer once the cluster manager runs, from the states of nodes', async () => {
    server.apply(...customResourceDefinitions());
    const { nodes, uplinks, clusterUserDefinedNetworks } = clusterOf([{ name: 'blue', device: 'br-blue' }]);
    for (const object of [...nodes, ...uplinks, ...clusterUserDefinedNetworks]) await administrator.apply(object);
    manager = start('cluster-manager');
    manager.stderr?.setEncoding('utf8').on('data', (text: string) => (log += text));
    await eventually('the Uplink is degraded: no node has reported it', async () =>
      (await conditions('Uplink', 'uplink-0')).includes('Degraded True UplinkStateMissing 1'),
    );
    expect((await stored('Uplink', 'uplink-0'))?.metadata.finalizers).to.deep.equal(['k8s.ovn.org/uplink-protection']);
    await administrator.apply(stateOf(node, 'Ready'));
    server.kubectl(['wait', '--for=condition=UplinksReady', 'cudn/blue', '--timeout=60s']);
    server.kubectl(['wait', '--for=condition=Degraded=False', 'uplink/uplink-0', '--timeout=60s']);
    expect(await conditions('ClusterUserDefinedNetwork', 'blue')).to.deep.equal(['UplinksReady True UplinksReady 1']);
  });

  it('is the input of plan', async () => {
    const { stdout, exitCode } = await ovnUplinksProcess(['plan', '--kubeconfig', server.kubeconfig, '--exit-code']);
    expect([exitCode, stdout]).to.deep.equal([0, stdout]);
    expect(stdout).to.include('uplink-0');
  });

  it('validates objects by dry run, without storing them', async () => {
    const object = (name: string, hostInterfaceName: string) => ({
      apiVersion: 'k8s.ovn.org/v1alpha1',
      kind: 'Uplink',
      metadata: { name },
      spec: { nodeConfigs: [{ type: 'OVSBridge', nodeSelector: {}, hostInterfaceName }] },
    });
    const items = [object('green', 'br-green'), object('odd', 'br/odd')];
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    const vector = ['validate', '-', '--server', '--kubeconfig', server.kubeconfig];
    const { stdout, exitCode } = await ovnUplinksProcess(vector, list);
    expect([exitCode, stdout.split('\n').at(-1)]).to.deep.equal([1, '2 objects checked: 1 findings']);
    expect(stdout).to.match(
      /^-: Uplink\/odd: .*"odd" is invalid: spec\.nodeConfigs\[0\]\.hostInterfaceName: .*\(HTTP 422\)$/m,
    );
    expect(await stored('Uplink', 'green')).to.equal(undefined);
  });

  it('gets a condition for a new generation of an Uplink, and keeps labels and conditions of others', async () => {
    server.kubectl(['label', 'uplink/uplink-0', 'team=network']);
    const nodeConfigs = [{ type: 'OVSBridge', nodeSelector: {}, hostInterfaceName: 'br-other' }];
    const patch = JSON.stringify({ spec: { nodeConfigs } });
    server.kubectl(['patch', 'uplink/uplink-0', '--type=merge', `--patch=${patch}`]);
    await eventually('the condition is about the new generation', async () =>
      (await conditions('Uplink', 'uplink-0')).includes('Degraded True UplinkStateMissing 2'),
    );
    expect((await stored('Uplink', 'uplink-0'))?.metadata.labels).to.deep.equal({ team: 'network' });
  });

  it('has its conditions written by one cluster manager, and by the next one at once when that ends', async () => {
    const next = start('cluster-manager');
    let nextLog = '';
    next.stderr.setEncoding('utf8').on('data', (text: string) => (nextLog += text));
    try {
      await eventually('the next one waits', () => nextLog.includes('waiting for leadership'));
      expect(nextLog).to.not.include('"leading"');
      manager?.kill('SIGTERM');
      await eventually('it leads', () => nextLog.includes('"leading"'));
      await administrator.apply(stateOf(node, 'GatewayRouterFailed'));
      await eventually('it writes', async () =>
        (await conditions('ClusterUserDefinedNetwork', 'blue')).some((text) => text.startsWith('UplinksReady False')),
      );
    } finally {
      manager = next;
      log = nextLog;
      next.stderr.on('data', (text: string) => (log += text));
    }
  });

  it('reports in Events why a condition has changed', async () => {
    await eventually('there is one of the network', () =>
      server.kubectl(['get', 'events', '--field-selector=involvedObject.name=blue']).includes('UplinksReady'),
    );
  });

  it('keeps a deleted Uplink as long as a network refers to it', async () => {
    server.kubectl(['delete', 'uplink/uplink-0', '--wait=false']);
    expect((await stored('Uplink', 'uplink-0'))?.metadata.deletionTimestamp).to.be.a('string');
    server.kubectl(['delete', 'cudn/blue']);
    await eventually('the Uplink is gone', async () => (await stored('Uplink', 'uplink-0')) === undefined);
    await eventually('its state too', async () => (await stored('UplinkState', `uplink-0.${node}`)) === undefined);
    expect(log.split('\n').filter((line) => line.includes('is not written'))).to.deep.equal([]);
  });
});

function withoutAnnotations<Definition extends { readonly metadata: { readonly name: string } }>(
  definition: Definition,
) {
  return { ...definition, metadata: { name: definition.metadata.name } };
}
