import { providedStatusWrite } from '../../../src/domain/objects/writes.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { accessOfKubeconfig, type ClusterAccess } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { customResourceDefinitions } from '../../../src/domain/api/definitions/custom-resource-definition.ts';
import { completeNode } from '../../../src/testing/index.ts';
import { ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import { KubernetesApi } from '../../../src/adapters/kubernetes/kubernetes-api.ts';
import type { ApplyResult } from '../../../src/ports/apply-result.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { ovnUplinksProcess } from '../command.ts';
import { clusterOf } from '../lab/clusters.ts';
import { commandsOf } from '../lab/guide/guide-page.ts';
import { stateOf } from '../uplink-state.ts';
import { Administrator } from './administrator.ts';
import { TestApiServer } from './api-server.ts';
import { kstatusOf } from './kstatus.ts';
import { startAgent, startManager } from './loops.ts';
import { CONFIG, onceServed } from './served-config.ts';

const root = join(import.meta.dirname, '../../..');

/** The fields of objects that are read here. */
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

  it('of which one definition is another implementation’s is read neither by a cluster manager nor by an agent', async () => {
    const access = await accessOfKubeconfig(server.kubeconfig);
    if (!access.read) throw new Error(JSON.stringify(access.problems));
    for (const definition of customResourceDefinitions()) {
      const { name } = definition.metadata;
      server.apply(...customResourceDefinitions());
      server.kubectl(['annotate', '--overwrite', 'crd', name, 'ovn-uplinks/schema-']);
      for (const scope of [
        { fieldManager: 'ovn-uplinks-cluster-manager' },
        { fieldManager: 'ovn-uplinks-node', node },
      ] as const) {
        const store = new KubernetesApi(new ApiServer(access.value), scope);
        const reading = await store.read();
        await store.close();
        const said = reading.read ? [] : reading.problems.map(({ message }) => message);
        // Networks are another's, where it likes.
        if (/userdefinednetworks/.test(name)) expect(reading.read, said.join()).to.equal(true);
        else
          expect(said.join('\n')).to.match(
            new RegExp(`^CustomResourceDefinition ${name} is not the one of this version`),
          );
      }
    }
  });

  it('has conditions and a finalizer once the cluster manager runs, from the states of nodes', async () => {
    server.apply(...customResourceDefinitions());
    const { nodes, uplinks, clusterUserDefinedNetworks } = clusterOf([{ name: 'blue', device: 'br-blue' }]);
    for (const object of [...nodes, ...uplinks, ...clusterUserDefinedNetworks]) await administrator.apply(object);
    expect(kstatusOf((await stored('Uplink', 'uplink-0'))!)).to.equal('Current');
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

  it('has statuses by the rules of kstatus, which knows no condition but Ready of a state', async () => {
    const names = { Uplink: 'uplink-0', UplinkState: `uplink-0.${node}`, ClusterUserDefinedNetwork: 'blue' };
    const statuses = async () =>
      await Promise.all(
        Object.entries(names).map(async ([kind, name]) => kstatusOf((await administrator.get(kind, name))!)),
      );
    expect(await statuses()).to.deep.equal(['Current', 'Current', 'Current']);
    const ready = stateOf(node, 'Ready');
    const [condition] = ready.status!.conditions!;
    const conditions = [{ ...condition!, status: 'False' as const, reason: 'BridgeNotFound' }];
    await administrator.apply({ ...ready, status: { ...ready.status, conditions } });
    server.kubectl(['wait', '--for=condition=Degraded', 'uplink/uplink-0', '--timeout=60s']);
    server.kubectl(['wait', '--for=condition=UplinksReady=False', 'cudn/blue', '--timeout=60s']);
    expect(await statuses()).to.deep.equal(['Current', 'InProgress', 'Current']);
    await administrator.apply(ready);
    server.kubectl(['wait', '--for=condition=Degraded=False', 'uplink/uplink-0', '--timeout=60s']);
    server.kubectl(['wait', '--for=condition=UplinksReady', 'cudn/blue', '--timeout=60s']);
    expect(await statuses()).to.deep.equal(['Current', 'Current', 'Current']);
  });

  it('is the input of plan', async () => {
    const { stdout, exitCode } = await ovnUplinksProcess(['plan', '--kubeconfig', server.kubeconfig, '--exit-code']);
    expect([exitCode, stdout]).to.deep.equal([0, stdout]);
    expect(stdout).to.include('uplink-0');
  });

  it('is read by trace, by the context that is named', async () => {
    const packet = 'tcp 10.20.1.5:40000 > 203.0.113.9:443';
    const host = 'worker-a=fixtures/captures/worker-a';
    const trace = (...words: readonly string[]) => ['trace', 'blue', 'worker-a', packet, '--host', host, ...words];
    const live = await ovnUplinksProcess(trace('--kubeconfig', server.kubeconfig, '--context', 'test'));
    expect(live.exitCode).to.equal(1);
    expect(live.stderr).to.include('network blue has no uplink on worker-a: NetworkNotAllocated');
    const unknown = await ovnUplinksProcess(trace('--kubeconfig', server.kubeconfig, '--context', 'other'));
    expect([unknown.exitCode, unknown.stdout]).to.deep.equal([1, '']);
    expect(unknown.stderr).to.include('other');
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
    expect([exitCode, stdout.split('\n').at(-1)]).to.deep.equal([1, '2 objects checked: 1 finding']);
    expect(stdout).to.match(
      /^-: Uplink\/odd: .*"odd" is invalid: spec\.nodeConfigs\[0\]\.hostInterfaceName: .*\(HTTP 422\)$/m,
    );
    expect(await stored('Uplink', 'green')).to.equal(undefined);
  });

  it('validates networks beside those that are stored', async () => {
    const labels = { tenant: 'blue', 'k8s.ovn.org/primary-user-defined-network': '' };
    server.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shared', labels } });
    const network = {
      apiVersion: 'k8s.ovn.org/v1',
      kind: 'ClusterUserDefinedNetwork',
      metadata: { name: 'everywhere' },
      spec: {
        namespaceSelector: {},
        network: { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr: '10.90.0.0/16' }] } },
      },
    };
    await onceServed(() => server.kubectl(['get', 'userdefinednetworks', '--all-namespaces']));
    const vector = ['validate', '-', '--server', '--kubeconfig', server.kubeconfig];
    const { stdout, stderr, exitCode } = await ovnUplinksProcess(vector, JSON.stringify(network));
    expect([exitCode, stdout], stderr).to.deep.equal([0, '1 object checked: all valid']);
    expect(stderr).to.equal(
      'warning: -: ClusterUserDefinedNetwork/everywhere: spec.namespaceSelector: an empty selector selects all namespaces; new pods are refused in 1 namespace that other networks select too: shared (ClusterUserDefinedNetwork/blue)',
    );
  });

  it('gets a condition for a new generation of an Uplink, and keeps labels and conditions of others', async () => {
    server.kubectl(['label', 'uplink/uplink-0', 'team=network']);
    const nodeConfigs = [{ type: 'OVSBridge', nodeSelector: {}, hostInterfaceName: 'br-other' }];
    const patch = JSON.stringify({ spec: { nodeConfigs } });
    server.kubectl(['patch', 'uplink/uplink-0', '--type=merge', `--patch=${patch}`]);
    expect(kstatusOf((await stored('Uplink', 'uplink-0'))!)).to.equal('Current');
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

  it('has no state of a node that is deleted, and the condition of its Uplink follows', async () => {
    const message = async () =>
      (await stored('Uplink', 'uplink-0'))?.status?.conditions?.find(({ type }) => type === 'Degraded')?.['message'];
    await administrator.apply({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'worker-z', labels: { rack: 'a' } },
    });
    await administrator.apply(stateOf('worker-z', 'Ready'));
    await eventually('the node counts', async () => String(await message()).startsWith('2 of 2 selected nodes'));
    await administrator.delete('Node', 'worker-z');
    await eventually('its state is gone', async () => (await stored('UplinkState', 'uplink-0.worker-z')) === undefined);
    await eventually('it does not count', async () => String(await message()).startsWith('1 of 1 selected nodes'));
    expect(await stored('UplinkState', `uplink-0.${node}`)).to.not.equal(undefined);
  });

  it('keeps a deleted Uplink as long as a network refers to it', async () => {
    server.kubectl(['delete', 'uplink/uplink-0', '--wait=false']);
    expect(kstatusOf((await stored('Uplink', 'uplink-0'))!)).to.equal('Terminating');
    server.kubectl(['delete', 'cudn/blue']);
    await eventually('the Uplink is gone', async () => (await stored('Uplink', 'uplink-0')) === undefined);
    await eventually('its state too', async () => (await stored('UplinkState', `uplink-0.${node}`)) === undefined);
    expect(log.split('\n').filter((line) => line.includes('is not written'))).to.deep.equal([]);
  });

  it('keeps the definition of another implementation’s ClusterUserDefinedNetworks, and gets UplinksReady beside their conditions', async () => {
    const name = 'clusteruserdefinednetworks.k8s.ovn.org';
    // As the guide says: whose they are decides which folder follows.
    const [look = ''] = commandsOf('Install it');
    const schemaOf = (definition: string) =>
      new RegExp(`^${definition} +(\\S+)$`, 'm').exec(server.kubectl(look.split(' ').slice(1)))?.[1];
    expect(['userdefinednetworks.k8s.ovn.org', name].map(schemaOf)).to.deep.equal(['1', '1']);
    manager?.kill('SIGKILL');
    server.kubectl(['delete', 'crd', name]);
    server.kubectl(['apply', '--server-side', '--validate=strict', '--filename=-'], JSON.stringify(foreignNetworks));
    server.kubectl(['wait', '--for=condition=Established', `crd/${name}`, '--timeout=60s']);
    const definition = () => {
      const { metadata, spec } = JSON.parse(server.kubectl(['get', 'crd', name, '--output=json'])) as {
        readonly metadata: { readonly generation: number; readonly annotations?: object };
        readonly spec: object;
      };
      return { generation: metadata.generation, annotations: metadata.annotations, spec };
    };
    const before = definition();
    expect(schemaOf(name)).to.equal('<none>');
    const options = ['--server-side', '--validate=strict', '--force-conflicts'];
    server.kubectl(['apply', ...options, `--kustomize=${CONFIG}/other-networks`]);
    expect(definition()).to.deep.equal(before);
    expect(schemaOf(name)).to.equal('<none>');

    const { nodes, uplinks, namespaces, clusterUserDefinedNetworks } = clusterOf([{ name: 'blue', device: 'br-blue' }]);
    for (const object of [...nodes, ...uplinks, ...namespaces]) await administrator.apply(object);
    const [network] = clusterUserDefinedNetworks;
    const foreign = {
      type: 'NetworkCreated',
      status: 'True',
      reason: 'NetworkAttachmentDefinitionCreated',
      message: '',
    };
    await onceServed(() => server.kubectl(['get', 'cudn']));
    await administrator.apply({
      ...network,
      spec: { ...network!.spec, ofOthers: { kept: true } },
      status: { conditions: [{ ...foreign, lastTransitionTime: '2026-01-02T03:04:05Z' }], ofOthers: 'kept' },
    });
    server.apply({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'application', namespace: 'blue' },
      spec: { nodeName: node, containers: [{ name: 'main', image: 'example.org/application' }] },
    });
    const access = await accessOfKubeconfig(server.kubeconfig);
    if (!access.read) throw new Error(JSON.stringify(access.problems));
    const loops = [startManager(access.value), startAgent(access.value, completeNode({ nodeName: node }))];
    try {
      await eventually('the agent has reported on the network', async () => {
        const state = await administrator.get('UplinkState', `uplink-0.${node}`);
        const { networks } = (state?.['status'] ?? {}) as { readonly networks?: readonly { readonly name: string }[] };
        return networks?.[0]?.name === 'blue';
      });
      await eventually('the cluster manager has, too', async () =>
        (await conditions('ClusterUserDefinedNetwork', 'blue')).includes('UplinksReady False UplinkNotReadyForNode 1'),
      );
    } finally {
      for (const loop of loops) await loop.stop();
    }
    const { spec, status } = (await administrator.get('ClusterUserDefinedNetwork', 'blue')) as {
      readonly spec: { readonly ofOthers: unknown };
      readonly status: { readonly ofOthers: unknown; readonly conditions: readonly { readonly type: string }[] };
    };
    expect(status.conditions.map(({ type }) => type)).to.have.members(['NetworkCreated', 'UplinksReady']);
    expect([spec.ofOthers, status.ofOthers]).to.deep.equal([{ kept: true }, 'kept']);
    expect(await writtenProvidedStatus(access.value)).to.deep.equal({ done: true });
    expect(await conditions('ClusterUserDefinedNetwork', 'blue')).to.include('NetworkReady True NetworkReady 1');
    expect(definition()).to.deep.equal(before);
  });
});

/** Writes condition NetworkReady of network `blue`, with fields that other implementations do not have. */
async function writtenProvidedStatus(access: ClusterAccess): Promise<ApplyResult> {
  const fieldManager = 'ovn-uplinks-cluster-manager';
  const api = new KubernetesApi(new ApiServer(access), { fieldManager, claimsNamespace: 'ovn-uplinks' });
  try {
    await api.read();
    const condition = { type: 'NetworkReady', status: 'True', reason: 'NetworkReady', message: '' } as const;
    return await api.write(
      providedStatusWrite({
        kind: 'ClusterUserDefinedNetwork',
        name: 'blue',
        conditions: [{ ...condition, lastTransitionTime: '2026-01-02T03:04:05Z', observedGeneration: 1 }],
        activeNamespaces: ['blue'],
        attachedPods: 1,
      }),
    );
  } finally {
    await api.close();
  }
}

function withoutAnnotations<Definition extends { readonly metadata: { readonly name: string } }>(
  definition: Definition,
) {
  return { ...definition, metadata: { name: definition.metadata.name } };
}

/** ClusterUserDefinedNetwork as another implementation defines it: with other fields, and other rules. */
const foreignNetworks = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'clusteruserdefinednetworks.k8s.ovn.org', annotations: { 'example.org/owner': 'another' } },
  spec: {
    group: 'k8s.ovn.org',
    scope: 'Cluster',
    names: {
      kind: 'ClusterUserDefinedNetwork',
      plural: 'clusteruserdefinednetworks',
      singular: 'clusteruserdefinednetwork',
      shortNames: ['cudn'],
    },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                'x-kubernetes-preserve-unknown-fields': true,
                properties: {
                  ofOthers: { type: 'object', properties: { kept: { type: 'boolean' } } },
                  uplinks: { type: 'array', maxItems: 1, items: { type: 'string' } },
                },
              },
              status: {
                type: 'object',
                properties: {
                  ofOthers: { type: 'string' },
                  conditions: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['type'],
                    items: {
                      type: 'object',
                      required: ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
                      properties: {
                        ...Object.fromEntries(
                          ['type', 'status', 'reason', 'message'].map((field) => [field, { type: 'string' }]),
                        ),
                        lastTransitionTime: { type: 'string', format: 'date-time' },
                        observedGeneration: { type: 'integer', format: 'int64' },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};
