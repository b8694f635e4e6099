import { expect } from 'chai';
import { accessOfKubeconfig, type ClusterAccess } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import { KubernetesApi } from '../../../src/adapters/kubernetes/kubernetes-api.ts';
import { customResourceDefinitions } from '../../../src/domain/api/definitions/custom-resource-definition.ts';
import { completeNode } from '../../../src/testing/index.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { Administrator } from './administrator.ts';
import { TestApiServer } from './api-server.ts';
import { type RunningLoop, startManager, startZoneAgent, type ZoneAgent } from './loops.ts';
import { clusterNetwork, namespace, NETWORK, node } from './network-objects.ts';
import { otherDefinitions } from './other-definitions.ts';

const CHASSIS = 'k8s.ovn.org/node-chassis-id';

/** An object, as far as it is looked at here. */
interface Stored {
  readonly metadata: {
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly object[];
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly message: string;
    }[];
  };
}

const machine = (name: string, address: string) =>
  completeNode({
    nodeName: name,
    bridges: [{ name: 'br-int' }],
    switchExternalIds: { 'system-id': `chassis-${name}`, 'ovn-encap-ip': address },
  });

/** Of a network without an Uplink. */
const READY = 'True ready on 2 of 2 active nodes; pods have no way out of the cluster: no uplink';

describe('agents and a cluster manager on an API server, which provide networks', () => {
  let server: TestApiServer;
  let administrator: Administrator;
  let access: ClusterAccess;
  let manager: RunningLoop;
  let first: ZoneAgent;
  let second: ZoneAgent;

  before(async () => {
    server = await TestApiServer.start();
    administrator = await Administrator.of(server);
    server.apply(...customResourceDefinitions(), ...otherDefinitions);
    server.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ovn-uplinks' } });
    server.apply(node('worker-a'), node('worker-b'), namespace('demo', 'blue'));
    const reading = await accessOfKubeconfig(server.kubeconfig);
    if (!reading.read) throw new Error(JSON.stringify(reading.problems));
    access = reading.value;
    manager = startManager(access, 'all', false);
    first = startZoneAgent(access, machine('worker-a', '172.30.0.2'));
    second = startZoneAgent(access, machine('worker-b', '172.30.0.3'));
  });
  after(async () => {
    for (const loop of [first, second, manager]) await loop.stop();
    administrator.close();
    await server.stop();
  });

  const stored = async (kind: string, key: string) =>
    (await administrator.get(kind, key)) as unknown as Stored | undefined;

  const reportOf = (name: string) => stored('ConfigMap', `ovn-uplinks/ovn-uplinks-node-${name}`);

  const readinessIs = (network: string, text: string) =>
    eventually(`NetworkReady of ${network} is ${text}`, async () => {
      const all = (await stored(NETWORK, network))?.status?.conditions ?? [];
      return all.some(({ type, status, message }) => `${type} ${status} ${message}` === `NetworkReady ${text}`);
    });

  const peersOf = async ({ southbound }: ZoneAgent) => {
    const reading = await southbound.read();
    return reading.read ? reading.value.chassis.map(({ name }) => name) : [];
  };

  it('have a network ready on all nodes once each has reported its id and published its chassis', async () => {
    await administrator.apply(clusterNetwork('blue'));
    await readinessIs('blue', READY);
    const { metadata, data } = (await reportOf('worker-a'))!;
    const of = (await stored('Node', 'worker-a'))!;
    expect(data).to.deep.equal({ node: 'worker-a', uid: of.metadata.uid, networks: '1', ready: '1' });
    expect(metadata.labels).to.deep.equal({ 'ovn-uplinks/ids': 'worker-a' });
    expect(metadata.ownerReferences).to.deep.equal([
      { apiVersion: 'v1', kind: 'Node', name: 'worker-a', uid: of.metadata.uid },
    ]);
    expect(of.metadata.annotations).to.deep.equal({
      'k8s.ovn.org/node-id': '2',
      'ovn-uplinks/node-report': 'ovn-uplinks-node-worker-a',
      [CHASSIS]: 'chassis-worker-a',
      'k8s.ovn.org/node-encap-ips': '["172.30.0.2"]',
    });
    await eventually(
      'each reaches the other',
      async () => [await peersOf(first), await peersOf(second)].flat().join() === 'chassis-worker-b,chassis-worker-a',
    );
  });

  it('are asked for the claims and the own report of a node only', async () => {
    const api = new KubernetesApi(new ApiServer(access), {
      fieldManager: 'ovn-uplinks-node',
      node: 'worker-a',
      claimsNamespace: 'ovn-uplinks',
    });
    const reading = await api.read();
    expect(reading.read ? reading.value.snapshot.configMaps.map(({ metadata }) => metadata.name) : []).to.have.members([
      'ovn-uplinks-ids',
      'ovn-uplinks-node-worker-a',
    ]);
    await api.close();
  });

  it('write nothing more once everything is told', async () => {
    const before = [await reportOf('worker-a'), await stored('Node', 'worker-a')];
    await administrator.merge('Node', 'worker-b', { metadata: { labels: { rack: 'a' } } });
    await administrator.apply(clusterNetwork('red', '10.30.0.0/16'));
    await readinessIs('red', READY);
    const [report, of] = [await reportOf('worker-a'), await stored('Node', 'worker-a')];
    expect(report?.data).to.deep.equal({ ...before[0]?.data, networks: '1-2', ready: '1-2' });
    expect(of?.metadata.resourceVersion).to.equal(before[1]?.metadata.resourceVersion);
  });

  it('store a report again that somebody deletes', async () => {
    const before = await reportOf('worker-a');
    await administrator.delete('ConfigMap', 'ovn-uplinks/ovn-uplinks-node-worker-a');
    await eventually('it is there again', async () => {
      const report = await reportOf('worker-a');
      return report !== undefined && JSON.stringify(report.data) === JSON.stringify(before?.data);
    });
    await readinessIs('blue', READY);
  });

  it('leave a chassis as it is that another program has published', async () => {
    await administrator.apply({
      ...node('worker-a'),
      metadata: { name: 'worker-a', annotations: { [CHASSIS]: 'of-others' } },
    });
    await eventually('the log says so', () =>
      first.lines.some((line) => line.startsWith('Node/worker-a is not written: ') && line.includes(CHASSIS)),
    );
    expect((await stored('Node', 'worker-a'))?.metadata.annotations?.[CHASSIS]).to.equal('of-others');
    await administrator.merge('Node', 'worker-a', { metadata: { annotations: { [CHASSIS]: null } } });
    await eventually(
      'it is published once the other one is gone',
      async () => (await stored('Node', 'worker-a'))?.metadata.annotations?.[CHASSIS] === 'chassis-worker-a',
    );
  });

  it('free the id of a network that was deleted once no node has anything of it', async () => {
    await administrator.delete(NETWORK, 'red');
    await eventually('no node reports it, and its claim is withdrawn', async () => {
      const [report, claims] = [await reportOf('worker-a'), await stored('ConfigMap', 'ovn-uplinks/ovn-uplinks-ids')];
      return report?.data?.['networks'] === '1' && claims?.data?.['network-2'] === undefined;
    });
  });

  it('begin anew with a node that is deleted and registered again', async () => {
    const { uid } = (await stored('Node', 'worker-b'))!.metadata;
    await administrator.delete('Node', 'worker-b');
    await eventually('the other one has removed it', async () => (await peersOf(first)).length === 0);
    server.apply(node('worker-b'));
    const again = (await stored('Node', 'worker-b'))!.metadata.uid;
    expect(again).to.not.equal(uid);
    await eventually('it reports', async () => (await reportOf('worker-b'))?.data?.['uid'] === again);
    await readinessIs('blue', READY);
    await eventually('its former id is free', async () => {
      const { data = {} } = (await stored('ConfigMap', 'ovn-uplinks/ovn-uplinks-ids')) ?? {};
      return !Object.values(data).some((claim) => claim.includes(uid));
    });
    await eventually(
      'each reaches the other',
      async () => [await peersOf(first), await peersOf(second)].flat().join() === 'chassis-worker-b,chassis-worker-a',
    );
  });
});
