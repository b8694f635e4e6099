import { claimsWrite, definitionDeletion, definitionWrite } from '../../../src/domain/objects/writes.ts';
import { expect } from 'chai';
import { accessOfKubeconfig, type ClusterAccess } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { reportingNodes, reportTexts } from '../../../src/domain/network/allocation/node-report.ts';
import { customResourceDefinitions } from '../../../src/domain/api/definitions/custom-resource-definition.ts';
import { emptyCluster } from '../../../src/domain/snapshot/cluster-snapshot.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import { KubernetesApi } from '../../../src/adapters/kubernetes/kubernetes-api.ts';
import { Administrator } from './administrator.ts';
import { TestApiServer } from './api-server.ts';
import { describeDefinitionOwners } from './definition-owners.ts';
import { type RunningLoop, runManagerOnce, startManager } from './loops.ts';
import { clusterNetwork, layer3, namespace, NETWORK, node, pod } from './network-objects.ts';
import { announcement, nodeReport } from './node-reports.ts';
import { otherDefinitions } from './other-definitions.ts';
import { describeRelabelledNamespaces } from './relabelled-namespaces.ts';

const DEFINITION = 'NetworkAttachmentDefinition' as const;
const OWN_LABELS = { 'ovn-uplinks/primary': '', 'k8s.ovn.org/user-defined-network': '' };
const fieldManager = 'ovn-uplinks-cluster-manager';
const FINALIZER = 'k8s.ovn.org/user-defined-network-protection';

/** An object, as far as it is looked at here. */
interface Stored {
  readonly metadata: {
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly object[];
  };
  readonly spec?: { readonly config?: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly status?: {
    readonly activeNamespaces?: readonly string[];
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason: string;
      readonly message: string;
      readonly lastTransitionTime: string;
    }[];
  };
}

const namespacedNetwork = (inNamespace: string, name: string, cidr = '10.20.0.0/16') => ({
  apiVersion: 'k8s.ovn.org/v1',
  kind: 'UserDefinedNetwork',
  metadata: { namespace: inNamespace, name },
  spec: layer3(cidr),
});

describe('a cluster whose networks ovn-uplinks provides', () => {
  let server: TestApiServer;
  let administrator: Administrator;
  let access: ClusterAccess;
  let manager: RunningLoop;

  before(async () => {
    server = await TestApiServer.start();
    administrator = await Administrator.of(server);
    server.apply(...customResourceDefinitions(), ...otherDefinitions);
    for (const name of ['ovn-uplinks', 'other'])
      server.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    server.apply(node('worker-a'), node('worker-b'));
    for (const [name, tenant] of [
      ['demo', 'blue'],
      ['shop', 'blue'],
      ['lab', 'red'],
    ] as const)
      server.apply(namespace(name, tenant));
    const reading = await accessOfKubeconfig(server.kubeconfig);
    if (!reading.read) throw new Error(JSON.stringify(reading.problems));
    access = reading.value;
    manager = startManager(access, 'all');
  });
  after(async () => {
    await manager.stop();
    administrator.close();
    await server.stop();
  });

  const stored = async (kind: string, key: string) =>
    (await administrator.get(kind, key)) as unknown as Stored | undefined;

  const conditions = async (kind: string, key: string) =>
    ((await stored(kind, key))?.status?.conditions ?? [])
      .map(({ type, status, reason }) => `${type} ${status} ${reason}`)
      .sort();

  const claims = async () => (await stored('ConfigMap', 'ovn-uplinks/ovn-uplinks-ids'))?.data;

  const idOf = async (network: string) => {
    const id = (await stored(NETWORK, network))?.metadata.annotations?.['k8s.ovn.org/network-id'];
    if (id === undefined) throw new Error(`network ${network} has no id`);
    return id;
  };

  const gone = (kind: string, key: string) =>
    eventually(`${kind}/${key} is gone`, async () => (await stored(kind, key)) === undefined);

  const ready = [
    'NetworkAllocationSucceeded True NetworkAllocationSucceeded',
    'NetworkCreated True NetworkAttachmentDefinitionCreated',
  ];

  const becomesReady = (kind: string, key: string) =>
    eventually(`${kind}/${key} is ready`, async () => {
      const all = await conditions(kind, key);
      return ready.every((each) => all.includes(each));
    });

  it('has claims, NetworkAttachmentDefinitions, ids of nodes, finalizers and conditions once a network is applied', async () => {
    await administrator.apply(clusterNetwork('blue'));
    await becomesReady(NETWORK, 'blue');
    const network = (await stored(NETWORK, 'blue'))!;
    const { uid } = network.metadata;
    const uids = await Promise.all(
      ['worker-a', 'worker-b'].map(async (name) => (await stored('Node', name))!.metadata.uid),
    );
    expect(await claims()).to.deep.equal({
      'network-1': `cluster_udn_blue ${uid}`,
      'node-2': `worker-a ${uids[0]}`,
      'node-3': `worker-b ${uids[1]}`,
    });
    expect(network.metadata.finalizers).to.deep.equal([FINALIZER]);
    expect(network.metadata.annotations).to.deep.equal({ 'k8s.ovn.org/network-id': '1' });
    expect(network.status?.activeNamespaces).to.deep.equal(['demo', 'shop']);
    for (const [name, id] of [
      ['worker-a', '2'],
      ['worker-b', '3'],
    ] as const)
      expect((await stored('Node', name))?.metadata.annotations).to.deep.equal({ 'k8s.ovn.org/node-id': id });
    for (const inNamespace of ['demo', 'shop']) {
      const { metadata, spec } = (await stored(DEFINITION, `${inNamespace}/blue`))!;
      expect(metadata.finalizers).to.deep.equal([FINALIZER]);
      expect(metadata.annotations).to.deep.equal({
        'k8s.ovn.org/network-id': '1',
        'k8s.ovn.org/network-name': 'cluster_udn_blue',
      });
      expect(metadata.ownerReferences).to.deep.equal([
        { apiVersion: 'k8s.ovn.org/v1', kind: NETWORK, name: 'blue', uid, controller: true, blockOwnerDeletion: true },
      ]);
      expect(JSON.parse(spec?.config ?? '')).to.deep.include({
        type: 'ovn-uplinks-cni',
        netAttachDefName: `${inNamespace}/blue`,
      });
    }
    expect(await stored(DEFINITION, 'lab/blue')).to.equal(undefined);
    expect(manager.lines.filter((line) => line.includes('is not written'))).to.deep.equal([]);
  });

  /** A cluster manager to which nothing happens would write nothing. */
  async function expectNothingToWrite(): Promise<void> {
    const versions = async () => {
      const lists = [NETWORK, 'UserDefinedNetwork', DEFINITION, 'ConfigMap', 'Node'].map((kind) =>
        administrator.list(kind),
      );
      return (await Promise.all(lists)).flat().map(({ metadata }) => metadata);
    };
    const before = await versions();
    await runManagerOnce(access, 'all');
    expect(await versions()).to.deep.equal(before);
  }

  it('is not written again if nothing changes', async () => {
    await expectNothingToWrite();
  });

  it('has a network in one namespace for a UserDefinedNetwork', async () => {
    await administrator.apply(namespacedNetwork('lab', 'red'));
    await becomesReady('UserDefinedNetwork', 'lab/red');
    const { metadata } = (await stored('UserDefinedNetwork', 'lab/red'))!;
    expect(metadata.finalizers).to.deep.equal([FINALIZER]);
    expect((await claims())?.['network-2']).to.equal(`lab_red ${metadata.uid}`);
    const definition = (await stored(DEFINITION, 'lab/red'))!;
    expect(definition.metadata.annotations?.['k8s.ovn.org/network-name']).to.equal('lab_red');
    await expectNothingToWrite();
  });

  it('shows in kubectl get how many pods have addresses in a network', async () => {
    const shown = (kind: string) => {
      const [header = '', ...rows] = server.kubectl(['get', kind, '--all-namespaces']).trimEnd().split('\n');
      return header.endsWith(' PODS') ? rows.map((row) => row.replace(/.* /, '')) : [header];
    };
    expect([shown('cudn'), shown('udn')]).to.deep.equal([['0'], ['0']]);
    const attached = (definition: string) => ({
      'k8s.ovn.org/pod-networks': JSON.stringify({ [definition]: { ip_addresses: ['10.20.0.3/24'] } }),
    });
    server.apply(
      pod('demo', 'first', attached('demo/blue')),
      pod('shop', 'second', attached('shop/blue')),
      pod('shop', 'waiting'),
      pod('lab', 'third', attached('lab/red')),
    );
    await eventually('they are counted', () => [shown('cudn'), shown('udn')].join(' ') === '2 1');
    for (const name of ['demo', 'shop', 'lab']) server.kubectl(['delete', 'pods', `--namespace=${name}`, '--all']);
    await eventually('they are gone', () => [shown('cudn'), shown('udn')].join(' ') === '0 0');
  });

  it('gives a node that joins an id, and conditions of networks stay true meanwhile', async () => {
    const transitions = async () =>
      (await stored(NETWORK, 'blue'))?.status?.conditions?.map(
        ({ type, lastTransitionTime }) => `${type} ${lastTransitionTime}`,
      );
    const before = await transitions();
    server.apply(node('worker-c'));
    await eventually(
      'the node has an id',
      async () => (await stored('Node', 'worker-c'))?.metadata.annotations?.['k8s.ovn.org/node-id'] === '4',
    );
    await eventually(
      'the network counts it',
      async () =>
        (await stored(NETWORK, 'blue'))?.status?.conditions?.some(
          ({ message }) => message === 'network id 1; 3 of 3 nodes have subnets',
        ) === true,
    );
    expect(await transitions()).to.deep.equal(before);
    expect(manager.lines.filter((line) => line.includes('NodeIdMissing'))).to.deep.equal([]);
  });

  it('restores a NetworkAttachmentDefinition that is changed, and keeps what others have added', async () => {
    const found = async () => (await stored(DEFINITION, 'demo/blue'))!;
    const before = (await found()).spec;
    await administrator.merge(DEFINITION, 'demo/blue', {
      metadata: {
        labels: { team: 'network' },
        finalizers: [],
        annotations: { 'k8s.ovn.org/network-id': '7', 'example.org/note': 'kept' },
      },
      spec: { config: '{}' },
    });
    await eventually('it is restored', async () => (await found()).spec?.config === before?.config);
    const { metadata } = await found();
    expect(metadata.labels).to.deep.equal({ team: 'network', ...OWN_LABELS });
    expect(metadata.annotations).to.deep.include({ 'k8s.ovn.org/network-id': '1', 'example.org/note': 'kept' });
    expect(metadata.finalizers).to.deep.equal([FINALIZER]);
    // As a former version has created it.
    await administrator.merge(DEFINITION, 'demo/blue', { metadata: { labels: { 'ovn-uplinks/primary': null } } });
    await eventually('it is labelled', async () => 'ovn-uplinks/primary' in ((await found()).metadata.labels ?? {}));
    await becomesReady(NETWORK, 'blue');
  });

  it('has a NetworkAttachmentDefinition again that somebody deletes while the namespace has no pods', async () => {
    const before = (await stored(DEFINITION, 'demo/blue'))!.metadata.uid;
    await administrator.delete(DEFINITION, 'demo/blue');
    await eventually(
      'there is another one',
      async () => ![undefined, before].includes((await stored(DEFINITION, 'demo/blue'))?.metadata.uid),
    );
    await becomesReady(NETWORK, 'blue');
  });

  it('leaves a NetworkAttachmentDefinition of another program alone, and says so', async () => {
    server.apply(namespace('taken', 'green'));
    const foreign = {
      apiVersion: 'k8s.cni.cncf.io/v1',
      kind: DEFINITION,
      metadata: { namespace: 'taken', name: 'green' },
      spec: { config: '{"type":"bridge"}' },
    };
    server.apply(foreign);
    const before = await stored(DEFINITION, 'taken/green');
    await administrator.apply(clusterNetwork('green'));
    await eventually('it is reported', async () =>
      (await conditions(NETWORK, 'green')).includes('NetworkCreated False ForeignAttachmentDefinition'),
    );
    await administrator.delete(NETWORK, 'green');
    await gone(NETWORK, 'green');
    expect(await stored(DEFINITION, 'taken/green')).to.deep.equal(before);
  });

  describeDefinitionOwners(() => ({ administrator }));

  it('changes no NetworkAttachmentDefinition that another program creates at the same time', async () => {
    const api = new KubernetesApi(new ApiServer(access), { fieldManager, claimsNamespace: 'ovn-uplinks' });
    try {
      await api.read();
      const named = { namespace: 'other', name: 'late' };
      const own = { labels: {}, annotations: {}, finalizers: [FINALIZER], ownerReferences: [] };
      const definition = (uid: object) => {
        const metadata = { ...named, ...own, ...uid };
        return { apiVersion: 'k8s.cni.cncf.io/v1', kind: DEFINITION, metadata, spec: { config: '{}' } } as const;
      };
      const writes = async () => {
        const created = await api.write(definitionWrite(definition({})));
        const restored = await api.write(definitionWrite(definition({ uid: 'former' })));
        await api.write(definitionDeletion({ ...named, uid: 'former' }));
        return [created, restored].map((result) => (result.done ? 'done' : result.error.replace(/ \(HTTP.*/, '')));
      };
      await administrator.apply({
        apiVersion: 'k8s.cni.cncf.io/v1',
        kind: DEFINITION,
        metadata: named,
        spec: { config: '{"type":"bridge"}' },
      });
      const before = await stored(DEFINITION, 'other/late');
      const refusals = [
        'NetworkAttachmentDefinition/other/late: network-attachment-definitions.k8s.cni.cncf.io "late" already exists',
        'NetworkAttachmentDefinition/other/late was deleted meanwhile',
      ];
      expect(await writes()).to.deep.equal(refusals);
      await eventually('it is observed', async () => {
        const reading = await api.read();
        return (
          reading.read &&
          reading.value.snapshot.networkAttachmentDefinitions.some(({ metadata }) => metadata.name === 'late')
        );
      });
      expect(await writes()).to.deep.equal(refusals);
      expect(await stored(DEFINITION, 'other/late')).to.deep.equal(before);
    } finally {
      await api.close();
    }
  });

  it('stores claims only as long as claims and reports of nodes are those that they were decided on', async () => {
    const within = 'other';
    const api = new KubernetesApi(new ApiServer(access), { fieldManager, claimsNamespace: within });
    const reports = async () => {
      const reading = await api.read();
      const { nodes, configMaps } = reading.read ? reading.value.snapshot : emptyCluster;
      return reportTexts(reportingNodes(nodes, configMaps, within));
    };
    const store = async (change: object) => {
      const result = await api.write(claimsWrite({ namespace: within, data: {}, ...change }));
      return result.done ? 'done' : result.error.replace(/.*: /, '');
    };
    try {
      const changed = 'the claims were changed meanwhile; ids are decided again';
      const [first, second] = [{ 'network-1': 'a 1' }, { 'network-1': 'a 1 released', 'network-2': 'b 2' }];
      expect(await store({ former: {}, data: first })).to.equal(changed);
      expect(await store({ data: first })).to.equal('done');
      expect(await store({ data: first })).to.equal(changed);
      expect(await store({ former: second, data: first })).to.equal(changed);
      expect(await store({ former: first, data: second })).to.equal('done');
      const before = await reports();
      await administrator.apply(await nodeReport(administrator, 'worker-b', { namespace: within, networks: [1] }));
      const end = { former: second, data: { 'network-2': 'b 2' } };
      expect(await store({ ...end, reports: before })).to.equal(
        'reports of nodes were changed meanwhile; ids are decided again',
      );
      await eventually('the report is read', async () => JSON.stringify(await reports()) !== JSON.stringify(before));
      expect(await store({ ...end, reports: await reports() })).to.equal('done');
      expect((await stored('ConfigMap', 'other/ovn-uplinks-ids'))?.data).to.deep.equal(end.data);
    } finally {
      await api.close();
    }
  });

  describeRelabelledNamespaces(() => ({ server, administrator }));

  it('keeps a deleted network as long as pods use it, and says which; then nothing of it is left', async () => {
    server.apply(pod('demo', 'web'));
    server.kubectl(['delete', 'cudn/blue', '--wait=false']);
    await eventually(
      'it says what it waits for',
      async () =>
        (await stored(NETWORK, 'blue'))?.status?.conditions?.some(
          ({ message }) => message === 'deletion waits for pods in namespace demo (web)',
        ) === true,
    );
    await gone(DEFINITION, 'shop/blue');
    expect((await stored(DEFINITION, 'demo/blue'))?.metadata.finalizers).to.deep.equal([FINALIZER]);
    expect((await claims())?.['network-1']).to.match(/^cluster_udn_blue /);
    server.kubectl(['delete', 'pod', '--namespace=demo', 'web']);
    await gone(DEFINITION, 'demo/blue');
    await gone(NETWORK, 'blue');
    await eventually(
      'its claim is withdrawn: no node reports it',
      async () => (await claims())?.['network-1'] === undefined,
    );
  });

  it('does not give an id to another network that a node may still use', async () => {
    await administrator.apply(clusterNetwork('blue'));
    await becomesReady(NETWORK, 'blue');
    const id = await idOf('blue');
    await administrator.merge('Node', 'worker-a', announcement('worker-a'));
    await administrator.apply(await nodeReport(administrator, 'worker-a', { networks: [Number(id)] }));
    await administrator.delete(NETWORK, 'blue');
    await gone(NETWORK, 'blue');
    const claim = async () => (await claims())?.[`network-${id}`];
    await eventually('its claim is released', async () => (await claim())?.endsWith(' released') === true);
    await administrator.apply(clusterNetwork('blue'));
    await becomesReady(NETWORK, 'blue');
    expect((await stored(NETWORK, 'blue'))?.metadata.annotations).to.have.all.keys('k8s.ovn.org/network-id');
    expect(await idOf('blue')).not.to.equal(id);
    expect(await claim()).to.match(/ released$/);
    await administrator.apply(await nodeReport(administrator, 'worker-a', { networks: [] }));
    await eventually('it is withdrawn', async () => (await claim()) === undefined);
  });

  it('does not give an id to another network while the report of a node that may use it is deleted', async () => {
    await administrator.apply(clusterNetwork('blue'));
    await becomesReady(NETWORK, 'blue');
    const claimed = Object.entries((await claims()) ?? {}).find(([, text]) => /^cluster_udn_blue \S+$/.test(text));
    const key = claimed?.[0] ?? '';
    await administrator.delete('ConfigMap', 'ovn-uplinks/ovn-uplinks-node-worker-a');
    await administrator.delete(NETWORK, 'blue');
    await gone(NETWORK, 'blue');
    await eventually('its claim is released', async () => (await claims())?.[key]?.endsWith(' released') === true);
    await administrator.apply(clusterNetwork('blue'));
    await becomesReady(NETWORK, 'blue');
    expect((await claims())?.[key]).to.match(/ released$/);
    await administrator.apply(await nodeReport(administrator, 'worker-a', { networks: [] }));
    await eventually('it is withdrawn', async () => (await claims())?.[key] === undefined);
  });

  it('finds its claims again after somebody has removed their label, and gives nothing away meanwhile', async () => {
    const before = await claims();
    await administrator.merge('ConfigMap', 'ovn-uplinks/ovn-uplinks-ids', {
      metadata: { labels: { 'ovn-uplinks/ids': null } },
    });
    await eventually('the label is there again', async () => {
      const { labels } = (await stored('ConfigMap', 'ovn-uplinks/ovn-uplinks-ids'))?.metadata ?? {};
      return labels?.['ovn-uplinks/ids'] === 'claims';
    });
    const after = (await claims()) ?? {};
    for (const [key, text] of Object.entries(before ?? {})) expect(after[key], key).to.equal(text);
  });
});
