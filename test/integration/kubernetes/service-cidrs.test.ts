import { expect } from 'chai';
import { ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import { accessOfKubeconfig, type ClusterAccess } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { KubernetesApi } from '../../../src/adapters/kubernetes/kubernetes-api.ts';
import { customResourceDefinitions } from '../../../src/domain/api/definitions/custom-resource-definition.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { valueOf } from '../../unit/adapters/readings.ts';
import { serviceCidr } from '../../unit/domain/brief-objects.ts';
import { Administrator } from './administrator.ts';
import { TestApiServer } from './api-server.ts';
import { FaultProxy } from './fault-proxy.ts';
import { type RunningLoop, startManager } from './loops.ts';
import { clusterNetwork, namespace, NETWORK, node } from './network-objects.ts';
import { otherDefinitions } from './other-definitions.ts';

const RESOURCES = '/apis/networking.k8s.io/v1';

describe('the ServiceCIDRs of an API server', () => {
  let server: TestApiServer;
  let administrator: Administrator;
  let access: ClusterAccess;
  let manager: RunningLoop | undefined;
  before(async () => {
    server = await TestApiServer.start();
    administrator = await Administrator.of(server);
    server.apply(...customResourceDefinitions(), ...otherDefinitions);
    server.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ovn-uplinks' } });
    server.apply(node('worker-a'), namespace('demo', 'blue'), clusterNetwork('blue'));
    access = valueOf(await accessOfKubeconfig(server.kubeconfig));
  });
  after(async () => {
    await manager?.stop();
    administrator.close();
    await server.stop();
  });

  const remove = (name: string) => server.kubectl(['delete', `servicecidr/${name}`, '--wait=false']);

  /** As an agent or, without a node, a cluster manager reads them. */
  const reader = (to: ClusterAccess, ofNode: { readonly node?: string } = { node: 'worker-a' }) =>
    new KubernetesApi(new ApiServer(to), { ...ofNode, claimsNamespace: 'ovn-uplinks' });

  /** None as long as nothing is read: an API server serves a kind some time after it has got the definition. */
  const cidrsIn = async (store: KubernetesApi) => {
    const reading = await store.read();
    const objects = reading.read ? reading.value.snapshot.serviceCidrs : [];
    return objects.map(({ metadata, spec }) => `${metadata.name} ${spec?.cidrs?.join() ?? ''}`).sort();
  };

  for (const { who, of } of [
    { who: 'an agent', of: { node: 'worker-a' } },
    { who: 'a cluster manager', of: {} },
  ])
    it(`are followed by ${who}`, async () => {
      const store = reader(access, of);
      const first = 'kubernetes 10.96.0.0/16,fd96::/112';
      await eventually('the first one is read', async () => (await cidrsIn(store)).join() === first);
      server.apply(serviceCidr('more', '10.112.0.0/16', 'fd98::/112'));
      const both = [first, 'more 10.112.0.0/16,fd98::/112'].join();
      await eventually('another one is read', async () => (await cidrsIn(store)).join() === both);
      remove('more');
      await eventually('it is gone', async () => (await cidrsIn(store)).join() === first);
      await store.close();
    });

  it('are not asked for where ovn-uplinks provides no networks', async () => {
    const proxy = await FaultProxy.before(access);
    const store = new KubernetesApi(new ApiServer(proxy.access), { node: 'worker-a' });
    expect(await cidrsIn(store)).to.deep.equal([]);
    expect(proxy.count('/servicecidrs')).to.equal(0);
    await store.close();
    await proxy.stop();
  });

  it('are none where the API server has no such kind, as before Kubernetes 1.33', async () => {
    const proxy = await FaultProxy.before(access);
    proxy.fault = {
      answer: ({ url: { pathname } }) => {
        if (pathname === `${RESOURCES}/servicecidrs`) return { status: 404, body: '404 page not found' };
        if (pathname !== RESOURCES) return undefined;
        const list = { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'networking.k8s.io/v1', resources: [] };
        return { status: 200, body: JSON.stringify(list) };
      },
    };
    const store = reader(proxy.access);
    const { snapshot, warnings } = valueOf(await store.read());
    expect(snapshot.serviceCidrs).to.deep.equal([]);
    expect(snapshot.nodes).to.have.length(1);
    expect(warnings).to.deep.equal([]);
    await store.close();
    await proxy.stop();
  });

  it('have subnets that no network may have, as long as they are there', async () => {
    manager = startManager(access, 'all', false);
    const created = async () => {
      const { status = {} } = ((await administrator.get(NETWORK, 'blue')) ?? {}) as {
        status?: { conditions?: readonly { type: string; reason: string; message: string }[] };
      };
      const { reason, message } = status.conditions?.find(({ type }) => type === 'NetworkCreated') ?? {};
      return `${reason}: ${message}`;
    };
    await eventually('the network is created', async () =>
      (await created()).startsWith('NetworkAttachmentDefinitionCreated:'),
    );
    server.apply(serviceCidr('more', '10.20.7.0/24'));
    await eventually('it overlaps', async () => (await created()).startsWith('SubnetsOverlap:'));
    expect(await created()).to.include('10.20.0.0/16 of its pods overlaps with 10.20.7.0/24 of services');
    remove('more');
    await eventually('it does not any more', async () =>
      (await created()).startsWith('NetworkAttachmentDefinitionCreated:'),
    );
  });
});
