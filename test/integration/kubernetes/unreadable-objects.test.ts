import { expect } from 'chai';
import { isJsonObject, type JsonObject } from '../../../src/adapters/json/json-object.ts';
import { ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import { accessOfKubeconfig, type ClusterAccess } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { KubernetesApi } from '../../../src/adapters/kubernetes/kubernetes-api.ts';
import { objectPath } from '../../../src/adapters/kubernetes/paths.ts';
import { customResourceDefinitions } from '../../../src/domain/api/definitions/custom-resource-definition.ts';
import { kinds } from '../../../src/domain/api/kinds.ts';
import { completeNode } from '../../../src/testing/index.ts';
import { describeUnreadableObjects } from '../../contract/resource-store.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { Administrator } from './administrator.ts';
import { TestApiServer } from './api-server.ts';
import { attachment, namespaceOn, network, node, NODE, uplink } from './bad-objects.ts';
import { memoryPorts, type RunningLoop, startAgent, startManager } from './loops.ts';
import { definitionsWithoutSchemas, otherDefinitions } from './other-definitions.ts';
import { ApiUser, kindsServed } from './served-config.ts';

/** A change that the definitions of now refuse. */
interface Breakage {
  readonly kind: 'Uplink' | 'ClusterUserDefinedNetwork' | 'RouteAdvertisements';
  /** Merge patches of object `blue`. */
  readonly broken: object;
  readonly mended: object;
  /** The message of agent and cluster manager. */
  readonly said: string;
  /** The condition of network blue meanwhile; absent where it stays as it was. */
  readonly condition?: string;
}

const nodeConfigs = (hostInterfaceName: string) => ({
  spec: uplink('blue', { hostInterfaceName }).spec,
});

const advertisements = {
  targetVRF: 'auto',
  advertisements: ['PodNetwork'],
  nodeSelector: {},
  frrConfigurationSelector: {},
  networkSelectors: [
    {
      networkSelectionType: 'ClusterUserDefinedNetworks',
      clusterUserDefinedNetworkSelector: {
        networkSelector: { matchLabels: { 'k8s.ovn.org/metadata.name': 'blue' } },
      },
    },
  ],
};

const breakages: readonly Breakage[] = [
  {
    kind: 'Uplink',
    broken: nodeConfigs('a-bridge-of-seventeen'),
    mended: nodeConfigs('br-blue'),
    said: 'Uplink/blue: spec.nodeConfigs[0].hostInterfaceName: expected 1 to 15 bytes',
    condition: 'UplinksReady False UplinkNotReadyForNode',
  },
  {
    kind: 'ClusterUserDefinedNetwork',
    broken: { spec: { namespaceSelector: null } },
    mended: { spec: { namespaceSelector: network('blue', []).spec?.['namespaceSelector'] } },
    said: 'ClusterUserDefinedNetwork/blue: spec.namespaceSelector: expected a value, found nothing',
  },
  {
    kind: 'RouteAdvertisements',
    broken: { spec: null },
    mended: { spec: advertisements },
    said: 'RouteAdvertisements/blue: spec: expected a value, found nothing',
    condition: 'UplinksReady False PrerequisiteMissing',
  },
];

describe('objects that cannot be read when an agent and a cluster manager start', () => {
  let server: TestApiServer;
  let user: ApiUser;
  let administrator: Administrator;
  let access: ClusterAccess;
  let count = 0;

  before(async () => {
    server = await TestApiServer.start();
    user = await ApiUser.of(server);
    administrator = await Administrator.of(server);
    const reading = await accessOfKubeconfig(server.kubeconfig);
    if (!reading.read) throw new Error(JSON.stringify(reading.problems));
    access = reading.value;
    server.apply(...customResourceDefinitions(), ...otherDefinitions);
    await kindsServed(server);
  });

  after(async () => {
    administrator.close();
    user.close();
    await server.stop();
  });

  const kindNamed = (name: string) => Object.values(kinds).find(({ kind }) => kind === name)!;
  const patch = (kind: string, name: string, body: object) =>
    administrator.send({
      method: 'PATCH',
      path: objectPath(kindNamed(kind), name),
      contentType: 'application/merge-patch+json',
      body,
    });

  /** Does something while the definitions allow everything, and has those of now in force again. */
  async function whileAnythingIsAllowed(change: () => Promise<unknown>): Promise<void> {
    const isRefused = async () => {
      const body = uplink('refused', { hostInterfaceName: 'a-bridge-of-seventeen' });
      const path = '/apis/k8s.ovn.org/v1alpha1/uplinks';
      return (await user.try({ method: 'POST', path, query: { dryRun: 'All' }, body })) !== 'done';
    };
    server.apply(...definitionsWithoutSchemas());
    await eventually('everything is allowed', async () => !(await isRefused()));
    await eventually('the change is made', () =>
      change().then(
        () => true,
        () => false,
      ),
    );
    server.apply(...customResourceDefinitions());
    await eventually('the definitions of now are in force', isRefused);
    await kindsServed(server);
  }

  describeUnreadableObjects('the API of a cluster', async (stored) => {
    await administrator.deleteAll('Uplink');
    await whileAnythingIsAllowed(() => administrator.apply(stored));
    const store = new KubernetesApi(new ApiServer(access), { fieldManager: 'ovn-uplinks-cluster-manager' });
    await eventually('all kinds are read', async () => (await store.read()).read);
    return {
      store,
      put: async (object) => {
        await administrator.apply(object);
        await eventually('it is read', async () => {
          const reading = await store.read();
          return reading.read && reading.value.snapshot.uplinks.length === 1;
        });
      },
      remove: (kind, name) => administrator.delete(kind, name),
      writeOtherState: (state) => administrator.apply(state),
      deleteOtherState: (name) => administrator.delete('UplinkState', name),
      writeOtherConditions: () => undefined,
    };
  });

  describe('leave everything unchanged that they may concern:', () => {
    const snapshot = memoryNode();
    const ports = memoryPorts(snapshot);
    let agent: RunningLoop;
    let manager: RunningLoop;

    before(async () => {
      await administrator.deleteAll('Uplink');
      const labels = { 'kubernetes.io/hostname': NODE };
      await user.send({ method: 'POST', path: '/api/v1/nodes', body: node(NODE, { labels }) });
      for (const object of namespaceOn(NODE, NODE)) await create(object);
      await create({
        apiVersion: 'k8s.ovn.org/v1',
        kind: 'RouteAdvertisements',
        metadata: { name: 'blue' },
        spec: advertisements,
      });
      await create({
        apiVersion: 'frrk8s.metallb.io/v1beta1',
        kind: 'FRRConfiguration',
        metadata: { name: 'vpn', namespace: 'default' },
        spec: { bgp: { routers: [{ vrf: 'blue' }] } },
      });
      for (const name of ['blue', 'steady']) await create(uplink(name, { hostInterfaceName: `br-${name}` }));
      await create(attachment('blue', 1));
      await create(network('blue', ['blue']));
      start();
      await becomes('blue', 'UplinksReady True UplinksReady');
    });
    after(stop);

    function start(): void {
      manager = startManager(access);
      agent = startAgent(access, snapshot, ports);
    }

    async function stop(): Promise<void> {
      await agent.stop();
      await manager.stop();
    }

    async function create(object: object): Promise<void> {
      const { kind: name, metadata } = object as { kind: string; metadata: { name: string; namespace?: string } };
      const kind = kindNamed(name);
      const within = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
      const root = kind.group === '' ? '/api/v1' : `/apis/${kind.group}/${kind.version}`;
      await administrator.send({ method: 'POST', path: `${root}${within}/${kind.plural}`, body: object });
    }

    async function becomes(name: string, condition: string): Promise<void> {
      let found: readonly string[] = [];
      await eventually(`network ${name} is ${condition}`, async () => {
        const { status } = (await administrator.get('ClusterUserDefinedNetwork', name)) ?? {};
        const conditions = isJsonObject(status) && Array.isArray(status['conditions']) ? status['conditions'] : [];
        found = (conditions as readonly JsonObject[]).map(({ type, status: is, reason }) =>
          [type, is, reason].join(' '),
        );
        return found.includes(condition);
      }).catch((error: unknown) => {
        const logs = [...manager.lines, ...agent.lines].join('\n');
        throw new Error(
          `${String(error)}; it is ${found.join(', ') || 'without conditions'}, and this was logged:\n${logs}`,
        );
      });
    }

    const nodeNow = async () => {
      const { hostNetwork, switchDatabase, kernelSettings, ledgerStore } = ports;
      const { sysctls } = kernelSettings.snapshot;
      return [await hostNetwork.read(), await switchDatabase.read(), sysctls, ledgerStore.text];
    };

    const identities = async () => {
      const uids = (object: JsonObject | undefined) => {
        const { uid, finalizers } = object?.['metadata'] as { readonly uid: string; readonly finalizers?: unknown };
        return { uid, finalizers };
      };
      return [
        uids(await administrator.get('UplinkState', `blue.${NODE}`)),
        uids(await administrator.get('Uplink', 'blue')),
      ];
    };

    for (const { kind, broken, mended, said, condition } of breakages) {
      it(`${kind}, whose definition has been tightened`, async () => {
        await stop();
        const before = { node: await nodeNow(), identities: await identities() };
        await whileAnythingIsAllowed(() => patch(kind, 'blue', broken));
        start();
        for (const { lines } of [agent, manager])
          await eventually(`it is said: ${said}`, () => lines.some((line) => line.includes(said)));
        if (condition !== undefined) await becomes('blue', condition);
        // Others go on, unless any network may be concerned.
        if (kind !== 'RouteAdvertisements') {
          count += 1;
          const name = `steady-${count}`;
          await create(attachment(name, 1 + count));
          await create(network(name, ['steady']));
          await becomes(name, 'UplinksReady True UplinksReady');
          await administrator.delete('ClusterUserDefinedNetwork', name);
          await eventually(`network ${name} is gone`, async () =>
            (await nodeNow()).every((part) => !JSON.stringify(part).includes(name)),
          );
        }
        expect(await nodeNow()).to.deep.equal(before.node);
        expect(await identities()).to.deep.equal(before.identities);
        await patch(kind, 'blue', mended);
        await becomes('blue', 'UplinksReady True UplinksReady');
        expect(await nodeNow()).to.deep.equal(before.node);
      });
    }
  });
});

/** A node with an uplink bridge for network blue, and one for others. */
function memoryNode() {
  const names = ['blue', 'steady'];
  return completeNode({
    nodeName: NODE,
    links: [
      { name: 'br-ex', addresses: [{ address: '169.254.0.2', prefixLength: 17 }] },
      ...names.flatMap((name, index) => [
        { name: `eth${index}` },
        { name: `br-${name}`, addresses: [{ address: `192.0.${index}.6`, prefixLength: 24 }] },
      ]),
      ...Array.from({ length: 20 }, (_, index) => ({ name: `ovn-k8s-mp${index + 1}` })),
    ],
    kernelRoutes: true,
    bridges: names.map((name, index) => ({ name: `br-${name}`, ports: [{ name: `eth${index}` }] })),
  });
}
