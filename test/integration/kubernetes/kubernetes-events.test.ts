import { expect } from 'chai';
import { ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import { accessOfKubeconfig } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { KubernetesEvents } from '../../../src/adapters/kubernetes/kubernetes-events.ts';
import { uplink } from '../../unit/adapters/manifests/example-objects.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { TestApiServer } from './api-server.ts';
import { FaultProxy } from './fault-proxy.ts';
import { customResourceDefinitions } from '../../../src/domain/api/definitions/custom-resource-definition.ts';

describe('events of a cluster', () => {
  let server: TestApiServer;
  let proxy: FaultProxy;
  let api: ApiServer;
  let events: KubernetesEvents;
  before(async () => {
    server = await TestApiServer.start();
    server.apply(...customResourceDefinitions());
    const reading = await accessOfKubeconfig(server.kubeconfig);
    if (!reading.read) throw new Error(JSON.stringify(reading.problems));
    proxy = await FaultProxy.before(reading.value);
  });
  after(async () => {
    await proxy.stop();
    await server.stop();
  });
  beforeEach(() => {
    server.kubectl(['delete', 'events', '--all']);
    proxy.fault = {};
    proxy.requests.clear();
    api = new ApiServer(proxy.access);
    const uids = new Map<string, string>();
    const readUid = (object: string) => {
      const [kind = '', ...path] = object.toLowerCase().split('/');
      const [name = '', namespace = 'default'] = path.toReversed();
      return server.kubectl(['get', kind, name, '-n', namespace, '-o', 'jsonpath={.metadata.uid}']);
    };
    events = new KubernetesEvents(api, {
      controller: 'ovn-uplinks-cluster-manager',
      instance: 'manager-0',
      uidOf: (object) => {
        const uid = uids.get(object) ?? readUid(object);
        uids.set(object, uid);
        return uid;
      },
    });
  });
  afterEach(async () => {
    await events.close();
    api.close();
  });

  const degraded = (reason: string, message = '', status = 'True') => {
    events.report({ kind: 'condition', object: 'Uplink/blue', type: 'Degraded', status, reason, message });
  };
  it('are in the namespace of an object that is in one, where kubectl describe finds them', async () => {
    server.kubectl(['create', 'namespace', 'demo']);
    server.apply({
      apiVersion: 'k8s.ovn.org/v1',
      kind: 'UserDefinedNetwork',
      metadata: { namespace: 'demo', name: 'red' },
      spec: { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] } },
    });
    const created = (reason: string, message: string) => {
      events.report({
        kind: 'condition',
        object: 'UserDefinedNetwork/demo/red',
        type: 'NetworkCreated',
        status: 'False',
        reason,
        message,
      });
    };
    created('PodsExist', 'it already has pods: web');
    const inNamespace = () => server.kubectl(['get', 'events', '-n', 'demo']);
    await eventually('it is there', () => inNamespace().includes('PodsExist'));
    expect(inNamespace()).to.match(/Warning +PodsExist +userdefinednetwork\/red +it already has pods: web/);
    expect(server.kubectl(['describe', 'userdefinednetwork', 'red', '-n', 'demo'])).to.match(/Warning +PodsExist /);
    expect(server.kubectl(['get', 'events', '-n', 'default'])).to.not.include('PodsExist');
    created('NetworkNotAllocated', '');
    created('PodsExist', 'it already has pods: web');
    await eventually('it is counted', () =>
      server
        .kubectl(['get', 'events.events.k8s.io', '-n', 'demo', '-o=jsonpath={.items[*].series.count}'])
        .includes('2'),
    );
  });

  it('are found by kubectl describe where they warn of a pod', async () => {
    server.apply({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: 'default', name: 'web' },
      spec: { nodeName: 'worker-a', containers: [{ name: 'main', image: 'example.org/main' }] },
    });
    const uid = server.kubectl(['get', 'pod', 'web', '-o', 'jsonpath={.metadata.uid}']);
    const about = { kind: 'Pod', namespace: 'default', name: 'web', uid, reason: 'OpenPortsRefused' };
    events.warn({ ...about, message: 'annotation a: expected b, found c' });
    await eventually('it is there', () => printed() !== '');
    expect(server.kubectl(['get', 'events'])).to.match(
      /Warning +OpenPortsRefused +pod\/web +annotation a: expected b, found c/,
    );
    expect(server.kubectl(['describe', 'pod', 'web'])).to.match(/Warning +OpenPortsRefused .*expected b, found c/);
    for (const message of ['another one', 'annotation a: expected b, found c']) events.warn({ ...about, message });
    events.warn({ ...about, message: 'ü'.repeat(2000) });
    await eventually('the last one is there', () => printed().includes('üüü'));
    expect(writes()).to.have.length(2);
  });

  const printed = () =>
    server.kubectl([
      'get',
      'events.events.k8s.io',
      '-o=jsonpath={range .items[*]}{.type} {.reason} {.regarding.kind}/{.regarding.name} {.series.count}: {.note}{"\\n"}{end}',
    ]);
  const writes = () => [...proxy.requests.values()].flat().sort((left, right) => left - right);

  it('are written if a reason changes, and found by kubectl', async () => {
    server.apply(uplink('blue'));
    degraded('UplinkStateMissing', '1 of 2 selected nodes not ready: a (UplinkStateMissing)');
    degraded('UplinkStateMissing', '2 of 2 selected nodes not ready: a (UplinkStateMissing), b (UplinkStateMissing)');
    degraded('AllNodesReady', '', 'False');
    await eventually('both are there', () => printed().split('\n').length === 3);
    expect(printed().split('\n').sort()).to.deep.equal([
      '',
      'Normal AllNodesReady Uplink/blue : Degraded is False',
      'Warning UplinkStateMissing Uplink/blue : 1 of 2 selected nodes not ready: a (UplinkStateMissing)',
    ]);
    expect(server.kubectl(['get', 'events'])).to.match(/Warning +UplinkStateMissing +uplink\/blue +1 of 2 selected/);
    expect(server.kubectl(['describe', 'uplink', 'blue'])).to.match(
      /Warning +UplinkStateMissing .* ovn-uplinks-cluster-manager/,
    );
  });

  it('are not written for objects without problems when they are reported first', async () => {
    degraded('AllNodesReady', '', 'False');
    degraded('NodeSelectorOverlap');
    await eventually('one is there', () => printed() !== '');
    expect(printed()).to.match(/^Warning NodeSelectorOverlap [^\n]*\n$/);
  });

  it('are counted if reasons recur, with one write a second', async () => {
    server.apply(uplink('blue'));
    for (let round = 0; round < 50; round += 1) {
      degraded('BridgeNotFound', 'no bridge');
      degraded('AllNodesReady', '', 'False');
    }
    await eventually('both are there', () => printed().split('\n').length === 3);
    degraded('BridgeNotFound', 'no bridge');
    await eventually('it is counted', () => printed().includes('BridgeNotFound Uplink/blue 51:'));
    expect(printed()).to.include('AllNodesReady Uplink/blue 50:');
    const intervals = writes()
      .slice(1)
      .map((at, index) => at - (writes()[index] ?? 0));
    expect(intervals).to.have.length(2);
    for (const interval of intervals) expect(interval).to.be.at.least(990);
  });

  it('name the present nodes if a reason recurs with others', async () => {
    degraded('BridgeNotFound', '2 of 2 selected nodes not ready: a (BridgeNotFound), b (BridgeNotFound)');
    degraded('AllNodesReady', '', 'False');
    await eventually('both are there', () => printed().split('\n').length === 3);
    degraded('BridgeNotFound', '1 of 2 selected nodes not ready: b (BridgeNotFound)');
    await eventually('there is another one', () =>
      printed().includes('BridgeNotFound Uplink/blue : 1 of 2 selected nodes not ready: b (BridgeNotFound)'),
    );
  });

  it('are written again if they have been deleted', async () => {
    degraded('BridgeNotFound', 'no bridge');
    await eventually('it is there', () => printed() !== '');
    server.kubectl(['delete', 'events', '--all']);
    degraded('AllNodesReady', '', 'False');
    degraded('BridgeNotFound', 'no bridge');
    await eventually('it is there again', () => printed().includes('BridgeNotFound Uplink/blue 2: no bridge'));
  });

  it('are dropped if they cannot be written', async () => {
    proxy.fault = { answer: () => ({ status: 403 }) };
    degraded('BridgeNotFound', 'no bridge');
    await eventually('it was refused', () => writes().length === 1);
    proxy.fault = {};
    degraded('AllNodesReady', '', 'False');
    await eventually('the next is there', () => printed().includes('AllNodesReady'));
    expect(writes()).to.have.length(2);
  });

  it('have a note that the API server accepts', async () => {
    degraded('BridgeNotFound', 'ü'.repeat(2000));
    await eventually('it is there', () => printed().includes(`${'ü'.repeat(512)}\n`));
  });
});
