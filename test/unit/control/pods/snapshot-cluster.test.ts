import { expect } from 'chai';
import { SnapshotCluster } from '../../../../src/control/pods/snapshot-cluster.ts';
import { POD_NETWORKS_ANNOTATION, PRIMARY_NETWORK_LABEL } from '../../../../src/domain/basics/conventions.ts';
import { type ClusterSnapshot, defaultSettings, emptyCluster, type Pod } from '../../../../src/domain/index.ts';
import type { PodKey } from '../../../../src/domain/pods/pod-key.ts';
import { namespace, network, node, pod } from '../../domain/brief-objects.ts';

const webIn = (namespaceName: string, nodeName = 'worker-a', brief: Partial<Pod> = {}): Pod =>
  pod('web', namespaceName, nodeName, {
    metadata: {
      name: 'web',
      namespace: namespaceName,
      uid: `${namespaceName} on ${nodeName}`,
      creationTimestamp: '2026-11-24T00:00:00Z',
      annotations: { [POD_NETWORKS_ANNOTATION]: `{"${namespaceName}/blue":{"ip_addresses":["10.20.1.3/24"]}}` },
    },
    ...brief,
  });

const primary = (tenant: string) => ({ tenant, [PRIMARY_NETWORK_LABEL]: '' });

const snapshot: ClusterSnapshot = {
  ...emptyCluster,
  nodes: [node('worker-a'), node('worker-b')],
  namespaces: [namespace('demo', primary('blue')), namespace('shop', primary('red')), namespace('plain')],
  clusterUserDefinedNetworks: [network('blue'), network('red', { uplinks: undefined })],
  pods: [
    webIn('demo'),
    webIn('shop'),
    webIn('plain'),
    webIn('other', 'worker-b'),
    webIn('ended', 'worker-a', { status: { phase: 'Succeeded' } }),
  ],
};

const settings = { ...defaultSettings, providedNetworks: 'all' as const };

/** The pods whose annotation the API server was asked to change. */
let asked: string[] = [];
const annotations = {
  annotate: ({ name }: PodKey) => {
    asked.push(name);
    return Promise.resolve({ done: true as const });
  },
};

describe('the cluster of a snapshot', () => {
  let cluster: SnapshotCluster;
  beforeEach(() => {
    asked = [];
    cluster = new SnapshotCluster('worker-a', settings, annotations);
  });

  it('warns of own pods in networks that open ports in vain', () => {
    expect(cluster.warnings()).to.deep.equal([]);
    const opening = (each: Pod, brief: Partial<Pod> = {}): Pod => ({
      ...each,
      ...brief,
      metadata: { ...each.metadata, annotations: { 'k8s.ovn.org/open-default-ports': '[{protocol: udp, port: 53}]' } },
    });
    const [first, ...others] = snapshot.pods as readonly [Pod, ...Pod[]];
    const onHost = {
      ...first,
      metadata: { ...first.metadata, name: 'on-host' },
      spec: { ...first.spec, hostNetwork: true },
    };
    cluster.update({ ...snapshot, pods: [first, onHost, ...others].map((each) => opening(each)) });
    expect(
      cluster.warnings().map(({ namespace: where, name, uid, reason }) => [where, name, uid, reason]),
    ).to.deep.equal([
      ['demo', 'web', 'demo on worker-a', 'OpenPortsRefused'],
      ['shop', 'web', 'shop on worker-a', 'OpenPortsRefused'],
    ]);
    cluster.update(snapshot);
    expect(cluster.warnings()).to.deep.equal([]);
  });

  it('knows nothing at first, not even that there are no pods', () => {
    expect(cluster.pods()).to.equal(undefined);
    expect(cluster.annotated('cluster_udn_blue')).to.deep.equal([]);
    expect(cluster.facts({ namespace: 'demo', name: 'web' })).to.deep.equal({
      pod: undefined,
      namespace: undefined,
      node: undefined,
      nodeId: undefined,
      networks: [],
    });
  });

  it('knows the objects of a pod', () => {
    cluster.update(snapshot);
    const { networks, ...facts } = cluster.facts({ namespace: 'demo', name: 'web' });
    const [first] = snapshot.pods;
    expect(facts).to.deep.equal({
      pod: first,
      namespace: snapshot.namespaces[0],
      node: snapshot.nodes[0],
      nodeId: undefined,
    });
    expect(networks.map(({ networkName }) => networkName)).to.deep.equal(['cluster_udn_blue', 'cluster_udn_red']);
    expect(cluster.facts({ namespace: 'demo', name: 'gone' }).pod).to.equal(undefined);
  });

  it('knows the ids that are claimed for networks and for the node, and says once it has one', () => {
    const metadata = { namespace: 'ovn-uplinks', name: 'ovn-uplinks-ids' };
    const claims = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: { 'node-4': 'worker-a', 'network-7': 'cluster_udn_blue' },
    } as const;
    const report = { ...claims, metadata: { ...metadata, name: 'ovn-uplinks-node-worker-b' } };
    const nodeId = () => cluster.facts({ namespace: 'demo', name: 'web' }).nodeId;
    let changes = 0;
    cluster.update(snapshot);
    cluster.onChange(() => (changes += 1));
    cluster.update({ ...snapshot, configMaps: [report] });
    expect([nodeId(), changes]).to.deep.equal([undefined, 0]);
    cluster.update({ ...snapshot, configMaps: [claims, report] });
    expect([nodeId(), changes]).to.deep.equal([4, 1]);
    expect(['blue', 'red', 'unknown'].map((name) => cluster.networkId(`cluster_udn_${name}`))).to.deep.equal([
      7,
      undefined,
      undefined,
    ]);
  });

  it('leaves networks to others that ovn-uplinks does not provide', () => {
    const withUplinks = new SnapshotCluster('worker-a', { ...settings, providedNetworks: 'with-uplinks' }, annotations);
    withUplinks.update(snapshot);
    const { networks } = withUplinks.facts({ namespace: 'demo', name: 'web' });
    expect(networks.map(({ networkName }) => networkName)).to.deep.equal(['cluster_udn_blue']);
  });

  it('knows the pods of this node that have not ended', () => {
    cluster.update(snapshot);
    expect(cluster.pods()?.map((each) => each.namespace)).to.deep.equal(['demo', 'shop', 'plain']);
  });

  it('knows the annotations of the pods of a network, whatever other pods say', () => {
    cluster.update(snapshot);
    expect(cluster.annotated('cluster_udn_blue')).to.deep.equal([
      {
        pod: { namespace: 'demo', name: 'web', uid: 'demo on worker-a' },
        addresses: ['10.20.1.3'],
        createdAt: '2026-11-24T00:00:00Z',
      },
    ]);
  });

  it('asks the API server for no annotation that a pod has already', async () => {
    cluster.update(snapshot);
    const [pod] = cluster.pods()!;
    const same = (text: string | undefined) => text ?? '';
    expect(await cluster.annotate(pod!, same)).to.deep.equal({ done: true });
    expect(asked).to.deep.equal([]);
    await cluster.annotate(pod!, () => 'other');
    await cluster.annotate({ ...pod!, uid: 'another pod of its name' }, same);
    await cluster.annotate({ ...pod!, name: 'unknown' }, same);
    expect(asked).to.deep.equal(['web', 'web', 'unknown']);
  });

  it('does not tell of changes of what attachments do not follow from', () => {
    let count = 0;
    cluster.update(snapshot);
    cluster.onChange(() => (count += 1));
    cluster.update({ ...snapshot, uplinkStates: [] });
    expect(count).to.equal(0);
    cluster.update({ ...snapshot, pods: [...snapshot.pods, pod('other', 'demo', 'worker-b')] });
    expect(count, 'of another node').to.equal(0);
    cluster.update({ ...snapshot, pods: [] });
    expect(count).to.equal(1);
  });

  it('tells of changes until it is told not to', () => {
    let count = 0;
    const stop = cluster.onChange(() => (count += 1));
    cluster.update(snapshot);
    stop();
    cluster.update(emptyCluster);
    expect(count).to.equal(1);
    expect(cluster.pods()).to.deep.equal([]);
  });
});
