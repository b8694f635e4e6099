import { accessOfKubeconfig } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import { KubernetesApi } from '../../../src/adapters/kubernetes/kubernetes-api.ts';
import { describeResourceStore, type ResourceStoreUnderTest } from '../../contract/resource-store.ts';
import { uplink } from '../../unit/adapters/manifests/example-objects.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { customResourceDefinitions } from '../../../src/domain/api/custom-resource-definition.ts';
import { Administrator } from './administrator.ts';
import { TestApiServer } from './api-server.ts';

describe('a store on an API server', () => {
  let server: TestApiServer;
  let administrator: Administrator;
  before(async () => {
    server = await TestApiServer.start();
    server.apply(...customResourceDefinitions());
    administrator = await Administrator.of(server);
  });
  after(async () => {
    administrator.close();
    await server.stop();
  });

  describeResourceStore('the API of a cluster', async (): Promise<ResourceStoreUnderTest> => {
    for (const kind of ['Uplink', 'UplinkState', 'ClusterUserDefinedNetwork']) await administrator.deleteAll(kind);
    const access = await accessOfKubeconfig(server.kubeconfig);
    if (!access.read) throw new Error(JSON.stringify(access.problems));
    const store = new KubernetesApi(new ApiServer(access.value), { fieldManager: 'ovn-uplinks-cluster-manager' });
    /** As a user who goes on once the store has seen what was done: its watch is behind. */
    const seen = async (kind: string, name: string, change: Promise<void>, isThere: boolean) => {
      await change;
      await eventually(`${kind}/${name} is ${isThere ? '' : 'not '}there`, async () => {
        const reading = await store.read();
        if (!reading.read) return reading.problems.some(({ message }) => message.includes('is closed'));
        const lists: readonly { readonly kind: string; readonly metadata: { readonly name: string } }[] = Object.values(
          reading.value.snapshot,
        ).flat();
        return lists.some((object) => object.kind === kind && object.metadata.name === name) === isThere;
      });
    };
    return {
      store,
      put: (object) => {
        const { kind, metadata } = object as { readonly kind: string; readonly metadata: { readonly name: string } };
        return seen(kind, metadata.name, administrator.apply(object), true);
      },
      remove: (kind, name) => administrator.delete(kind, name),
      writeOtherState: (state) => administrator.apply(state),
      deleteOtherState: (name) => administrator.delete('UplinkState', name),
      writeOtherConditions: async (name, conditions) => {
        const { apiVersion, metadata, spec } = uplink(name);
        await administrator.apply({ apiVersion, kind: 'Uplink', metadata, spec, status: { conditions } });
      },
    };
  });
});
