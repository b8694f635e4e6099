import { once } from 'node:events';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { serveRuntimes } from '../../../src/cmd/run/serve-runtimes.ts';
import { PodService } from '../../../src/control/pods/pod-service.ts';
import type { Loop } from '../../../src/control/cluster/leading.ts';
import { NODE_ID_ANNOTATION, PRIMARY_NETWORK_LABEL } from '../../../src/domain/basics/conventions.ts';
import { type ClusterSnapshot, defaultSettings, emptyCluster } from '../../../src/domain/index.ts';
import type { ObjectWarning } from '../../../src/domain/api/object-warning.ts';
import { NoResources } from '../../../src/control/no-resources.ts';
import type { ClusterReading } from '../../../src/ports/cluster/cluster-source.ts';
import { Changes } from '../../../src/ports/changes.ts';
import type { ClusterServices } from '../../../src/ports/cluster/cluster-services.ts';
import type { InputProblem } from '../../../src/ports/input-problem.ts';
import type { Reading } from '../../../src/ports/input-problem.ts';
import type { PodReport } from '../../../src/ports/pods/pod-report.ts';
import { FakeHostNetwork } from '../../fakes/host-network.ts';
import { FakePodNode } from '../../fakes/pod-node.ts';
import { temporaryFolders } from '../adapters/temporary-folders.ts';
import { add, PodScene } from '../control/pods/pod-scene.ts';
import { namespace, network, node, pod } from '../domain/brief-objects.ts';

const settings = { ...defaultSettings, providedNetworks: 'all' as const };

/** A loop that runs until it is stopped. */
class TestLoop implements Loop {
  readonly begun = Promise.withResolvers<undefined>();
  readonly #ended = Promise.withResolvers<boolean>();

  run(): Promise<boolean> {
    this.begun.resolve(undefined);
    return this.#ended.promise;
  }

  stop(isDone = true): void {
    this.#ended.resolve(isDone);
  }
}

/** A store whose snapshot is replaced. */
class TestStore extends NoResources {
  #snapshot: ClusterSnapshot = emptyCluster;
  #listener = (): void => undefined;

  constructor() {
    super('worker-a');
  }

  override read(): Promise<Reading<ClusterReading>> {
    return Promise.resolve({ read: true, value: { snapshot: this.#snapshot, origins: new Map(), warnings: [] } });
  }

  override onChange(listener?: () => void): void {
    if (listener !== undefined) this.#listener = listener;
  }

  set(snapshot: ClusterSnapshot): void {
    this.#snapshot = snapshot;
    this.#listener();
  }
}

/** Services that are known. */
class KnownServices implements ClusterServices {
  warnings: readonly InputProblem[] = [];
  readonly #changes = new Changes();

  read() {
    return { read: true, value: { services: [], addresses: [], missing: [], unreached: [] } } as const;
  }

  onChange(listener: () => void) {
    return this.#changes.listen(listener);
  }

  warn(...messages: readonly string[]): void {
    const origin = { kind: 'object', object: 'Service/default/kubernetes' } as const;
    this.warnings = messages.map((message) => ({ origin, message }));
    this.#changes.notify();
  }
}

const web = pod('web', 'demo', 'worker-a', { metadata: { name: 'web', namespace: 'demo', uid: '1' } });

const cluster: ClusterSnapshot = {
  ...emptyCluster,
  nodes: [node('worker-a', { annotations: { [NODE_ID_ANNOTATION]: '3' } })],
  namespaces: [namespace('demo', { tenant: 'blue', [PRIMARY_NETWORK_LABEL]: '' })],
  clusterUserDefinedNetworks: [
    network('blue', {
      namespaceSelector: { matchLabels: { tenant: 'blue' } },
      network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] } },
    }),
  ],
  pods: [web],
  configMaps: [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'ovn-uplinks', name: 'ovn-uplinks-ids' },
      data: { 'node-3': 'worker-a', 'network-1': 'cluster_udn_blue' },
    },
  ],
};

describe('the service for pods', () => {
  const newFolder = temporaryFolders();
  let node: FakePodNode;
  let loop: TestLoop;
  let store: TestStore;
  let services: KnownServices;
  let reports: PodReport[];
  let failures: string[];
  let warned: ObjectWarning[];
  beforeEach(() => {
    node = new FakePodNode({ namespace: undefined, node: undefined, nodeId: undefined, networks: [], pods: [] });
    node.switches = [{ name: 'cluster_udn_blue_worker-a', networkName: 'cluster_udn_blue', networkId: 1 }];
    services = new KnownServices();
    [loop, store, reports, failures, warned] = [new TestLoop(), new TestStore(), [], [], []];
  });

  const start = (socket: string) => {
    const { logicalPorts, switchPorts, locks, cluster: annotations } = node.ports;
    const databases = { logicalPorts, switchPorts, locks, close: () => undefined };
    const serve = serveRuntimes(socket);
    const warnings = { warn: (warning: ObjectWarning) => void warned.push(warning) };
    const ports = { databases, store, annotations, services, warnings, serve };
    const service = new PodService('worker-a', settings, ports);
    const report = (each: PodReport) => void reports.push(each);
    const ended = service.runWith(loop, report, (error) => failures.push(error)).run();
    return { service, ended };
  };

  it('answers runtimes as long as the loop runs, with what the loop’s store knows', async () => {
    const socket = join(newFolder(), 'cni.sock');
    const { service, ended } = start(socket);
    await loop.begun.promise;
    service.store.onChange(() => undefined);
    await service.observed(new FakeHostNetwork()).read();
    store.set(cluster);
    expect(statSync(socket).mode & 0o777).to.equal(0o600);

    const plugin = connect(socket);
    const args = 'K8S_POD_NAMESPACE=demo;K8S_POD_NAME=web;K8S_POD_UID=1';
    const config = '{"cniVersion":"1.0.0","name":"blue"}';
    const call = { protocol: 2, command: 'ADD', containerId: 'c0ffee', netns: '/run/netns/web', ifname: 'net1' };
    plugin.write(`${JSON.stringify({ ...call, args, config })}\n`);
    const [step] = (await once(plugin, 'data')) as [Buffer];
    expect(JSON.parse(step.toString())).to.deep.equal({ step: 'observe' });
    plugin.end(`${JSON.stringify({ done: false, error: 'busy' })}\n`);
    expect(await text(plugin)).to.include('the namespace of the pod cannot be read');

    loop.stop();
    expect(await ended).to.equal(true);
    const kinds = reports.map(({ kind }) => kind);
    expect(kinds[0]).to.equal('serving');
    expect(kinds).to.include('answered');
    const [error] = (await once(connect(socket), 'error')) as [NodeJS.ErrnoException];
    expect(error.code).to.equal('ENOENT');
  });

  it('reports problems of services once, as long as they last', async () => {
    services.warn('first');
    const { ended } = start(join(newFolder(), 'cni.sock'));
    await loop.begun.promise;
    services.warn('first', 'second');
    services.warn('second');
    services.warn('first', 'second');
    loop.stop();
    await ended;
    expect(reports.flatMap((report) => (report.kind === 'warning' ? [report.text] : []))).to.deep.equal([
      'Service/default/kubernetes: first',
      'Service/default/kubernetes: second',
      'Service/default/kubernetes: first',
    ]);
  });

  it('warns of the ports that pods want to open, once for each change', async () => {
    const { service, ended } = start(join(newFolder(), 'cni.sock'));
    await loop.begun.promise;
    service.store.onChange(() => undefined);
    const read = async (text: string) => {
      const annotations = { 'k8s.ovn.org/open-default-ports': text };
      store.set({ ...cluster, pods: [{ ...web, metadata: { ...web.metadata, annotations } }] });
      await service.store.read();
    };
    for (const text of ['80', '80', '[{protocol: tcp, port: 80}]', '80', '[{protocol: udp, port: 80}]'])
      await read(text);
    loop.stop();
    await ended;
    expect(warned.map(({ name, message }) => [name, /found (.*?)[;,]/.exec(message)?.[1]])).to.deep.equal([
      ['web', 'number 80'],
      ['web', 'number 80'],
      ['web', 'udp'],
    ]);
  });

  it('repairs ports at the start, and after changes', async () => {
    const scene = new PodScene();
    await scene.run(add());
    node.logicalPorts = scene.node.logicalPorts;
    const { service, ended } = start(join(newFolder(), 'cni.sock'));
    await loop.begun.promise;
    service.store.onChange(() => undefined);
    const repaired = Promise.withResolvers<undefined>();
    node.ports.logicalPorts.onChange(() => repaired.resolve(undefined));
    // From now on the pods of the node are known: the one of the port is not among them.
    node.switchPorts = [];
    store.set({ ...cluster, pods: [] });
    await repaired.promise;
    expect(node.logicalPorts).to.deep.equal([]);
    loop.stop(false);
    expect(await ended).to.equal(false);
  });

  it('makes the logical switch port of a pod once it appears', async () => {
    const { service, ended } = start(join(newFolder(), 'cni.sock'));
    await loop.begun.promise;
    service.store.onChange(() => undefined);
    const prepared = Promise.withResolvers<undefined>();
    node.ports.logicalPorts.onChange(() => prepared.resolve(undefined));
    store.set(cluster);
    await prepared.promise;
    expect(node.logicalPorts.map((port) => port.pod)).to.deep.equal([{ namespace: 'demo', name: 'web', uid: '1' }]);
    loop.stop();
    await ended;
  });

  it('warns that changes of locks may be noticed late', async () => {
    const { ended } = start(join(newFolder(), 'cni.sock'));
    await loop.begun.promise;
    node.locks.reportProblem('the program nft monitor exited with status 1');
    expect(reports).to.deep.include({ kind: 'warning', text: 'the program nft monitor exited with status 1' });
    loop.stop();
    await ended;
  });

  it('has the loop learn that changes of the node may be noticed late', () => {
    const { service } = start(join(newFolder(), 'file', 'cni.sock'));
    const [network, problems] = [new FakeHostNetwork(), [] as string[]];
    service.observed(network).onChange(
      () => undefined,
      (problem) => problems.push(problem),
    );
    network.reportProblem('the program ip monitor exited with status 1');
    expect(problems).to.deep.equal(['the program ip monitor exited with status 1']);
  });

  it('does not begin the loop where it cannot serve runtimes, and says why', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'file'), '');
    mkdirSync(join(folder, 'x'.repeat(100)));
    for (const [path, reason] of [
      [join(folder, 'file', 'cni.sock'), 'a file is in the place of its folder'],
      [join(folder, 'x'.repeat(100), 'cni.sock'), 'the path is longer than the 107 bytes that a Unix socket may have'],
    ] as const) {
      expect(await start(path).ended).to.equal(false);
      expect(failures.pop()).to.include(`container runtimes cannot be served at ${path}: ${reason}`);
    }
  });
});
