import { conditionsWrite, stateWrite } from '../../../src/domain/objects/writes.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { accessOfKubeconfig, type ClusterAccess } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import { KubernetesApi } from '../../../src/adapters/kubernetes/kubernetes-api.ts';
import { describeResourceStore, type ResourceStoreUnderTest } from '../../contract/resource-store.ts';
import { network, uplink } from '../../unit/adapters/manifests/example-objects.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { stateOf } from '../uplink-state.ts';
import { customResourceDefinitions } from '../../../src/domain/api/definitions/custom-resource-definition.ts';
import { Administrator } from './administrator.ts';
import { type KindKey, kinds } from '../../../src/domain/api/kinds.ts';
import type { UplinkState } from '../../../src/domain/api/uplink-state.ts';
import { TestApiServer } from './api-server.ts';
import { FaultProxy } from './fault-proxy.ts';
import { ownedFields } from './owned-fields.ts';
import { otherDefinitions, routeAdvertisements } from './other-definitions.ts';

const isOf = (kind: string, definition: object) => JSON.stringify(definition).includes(`"kind":"${kind}"`);

/** A condition of another program. */
const foreignCondition = {
  type: 'Foreign',
  status: 'True',
  reason: 'A',
  message: 'b',
  lastTransitionTime: '2026-01-02T03:04:05Z',
};

describe('a store on an API server', () => {
  let server: TestApiServer;
  let administrator: Administrator;
  before(async () => {
    server = await TestApiServer.start();
    // FRRConfigurations there are none.
    server.apply(...customResourceDefinitions(), ...otherDefinitions.filter((each) => !isOf('FRRConfiguration', each)));
    administrator = await Administrator.of(server);
    // An API server serves a kind some time after it has got the definition.
    for (const kind of ['Uplink', 'UplinkState', 'ClusterUserDefinedNetwork', 'RouteAdvertisements']) {
      await eventually(`${kind} is served`, () =>
        administrator.deleteAll(kind).then(
          () => true,
          () => false,
        ),
      );
    }
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
        const { snapshot } = reading.value;
        const { unreadable = [] } = snapshot;
        const objects: readonly { readonly kind: string; readonly metadata: { readonly name: string } }[] = (
          Object.keys(kinds) as KindKey[]
        ).flatMap((key) => snapshot[key]);
        const isRead = objects.some((object) => object.kind === kind && object.metadata.name === name);
        return (isRead || unreadable.some((object) => object.name === name)) === isThere;
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

  it('owns the conditions and the finalizer that a cluster manager writes, and keeps conditions of others', async () => {
    const manager = 'ovn-uplinks-cluster-manager';
    const access = await accessOfKubeconfig(server.kubeconfig);
    if (!access.read) throw new Error(JSON.stringify(access.problems));
    await administrator.apply({ ...uplink('blue'), status: { conditions: [foreignCondition] } });
    await administrator.apply({ ...network('blue'), status: { conditions: [foreignCondition] } });
    const store = new KubernetesApi(new ApiServer(access.value), { fieldManager: manager });
    await eventually('all kinds are read', async () => (await store.read()).read);
    for (const [kind, type, finalizers] of [
      ['Uplink', 'Degraded', ['k8s.ovn.org/uplink-protection']],
      ['ClusterUserDefinedNetwork', 'UplinksReady', undefined],
    ] as const) {
      const conditions = [{ ...foreignCondition, status: 'True' as const, type, observedGeneration: 1 }];
      const written = await store.write(
        conditionsWrite({ kind, name: 'blue', conditions, ...(finalizers && { finalizers }) }),
      );
      expect(written).to.deep.equal({ done: true });
      const object = (await administrator.get(kind, 'blue')) as {
        readonly status: { readonly conditions: readonly { readonly type: string }[] };
      };
      expect(object.status.conditions.map((each) => each.type)).to.have.members(['Foreign', type]);
      const fields = ['lastTransitionTime', 'message', 'observedGeneration', 'reason', 'status', 'type'];
      expect(ownedFields(object, manager)).to.deep.equal({
        ...(finalizers && { Apply: ['metadata.finalizers["k8s.ovn.org/uplink-protection"]'] }),
        'Apply status': fields.map((field) => `status.conditions[{"type":"${type}"}].${field}`),
      });
    }
    await store.close();
  });

  describe('of an agent', () => {
    let access: ClusterAccess;
    let store: KubernetesApi;
    beforeEach(async () => {
      await administrator.deleteAll('UplinkState');
      const found = await accessOfKubeconfig(server.kubeconfig);
      if (!found.read) throw new Error(JSON.stringify(found.problems));
      access = found.value;
      store = new KubernetesApi(new ApiServer(access), { fieldManager: 'ovn-uplinks-node', node: 'worker-a' });
      await eventually('all kinds are read', async () => (await store.read()).read);
    });
    afterEach(() => store.close());

    const snapshot = async () => {
      const reading = await store.read();
      if (!reading.read) throw new Error(JSON.stringify(reading.problems));
      return reading.value.snapshot;
    };

    it('has the states and pods of its node only, and of each only the fields that are used', async () => {
      for (const node of ['worker-a', 'worker-b']) {
        await administrator.apply(stateOf(node, 'Ready'));
        await administrator.send({ method: 'POST', path: '/api/v1/namespaces/default/pods', body: podOn(node) });
      }
      await eventually('both are there', async () => {
        const { pods, uplinkStates } = await snapshot();
        return pods.length > 0 && uplinkStates.length > 0;
      });
      const { pods, uplinkStates } = await snapshot();
      expect(uplinkStates.map(({ metadata }) => metadata.name)).to.deep.equal(['uplink-0.worker-a']);
      expect(pods.map(({ spec }) => spec)).to.deep.equal([{ nodeName: 'worker-a' }]);
    });

    it('has of other Nodes their InternalIPs only, and ignores their other changes', async () => {
      const nodeWith = (name: string, networks: string) => ({
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name, labels: { rack: 'a' }, annotations: { 'k8s.ovn.org/node-subnets': networks } },
        status: {
          addresses: [
            { type: 'InternalIP', address: '198.51.100.10' },
            { type: 'Hostname', address: name },
          ],
        },
      });
      const nodes = async () => new Map((await snapshot()).nodes.map((node) => [node.metadata.name, node]));
      for (const name of ['worker-a', 'worker-b']) {
        await administrator.apply(nodeWith(name, '{}'));
        await eventually(
          `Node ${name} has addresses`,
          async () => (await nodes()).get(name)?.status?.addresses !== undefined,
        );
      }
      const before = await nodes();
      expect(before.get('worker-a')).to.deep.include({ status: nodeWith('worker-a', '{}').status });
      expect(before.get('worker-a')?.metadata.annotations).to.have.property('k8s.ovn.org/node-subnets', '{}');
      const { apiVersion, kind } = nodeWith('worker-b', '{}');
      const status = { addresses: [{ type: 'InternalIP', address: '198.51.100.10' }] };
      expect(before.get('worker-b')).to.deep.equal({ apiVersion, kind, metadata: { name: 'worker-b' }, status });

      let changes = 0;
      store.onChange(() => (changes += 1));
      await administrator.apply(nodeWith('worker-b', '{"blue":["10.20.0.0/24"]}'));
      await administrator.apply({ apiVersion, kind, metadata: { name: 'worker-c' } });
      // Events of a kind come in order.
      while (changes === 0) await pause(1);
      expect([...(await nodes()).keys()]).to.include('worker-c');
      expect((await nodes()).get('worker-b')).to.equal(before.get('worker-b'));
    });

    for (const streams of [true, false]) {
      it(`asks for no more than the metadata of Namespaces and NetworkAttachmentDefinitions, ${streams ? 'streamed' : 'in pages'}`, async () => {
        const path = '/apis/k8s.cni.cncf.io/v1/namespaces/default/network-attachment-definitions/blue';
        const definition = (id: string) => ({
          apiVersion: 'k8s.cni.cncf.io/v1',
          kind: 'NetworkAttachmentDefinition',
          metadata: { name: 'blue', annotations: { 'k8s.ovn.org/network-id': id } },
          spec: { config: 'nobody reads it' },
        });
        const query = { fieldManager: 'administrator', force: 'true' };
        const apply = (id: string) => administrator.send({ method: 'PATCH', path, query, body: definition(id) });
        await apply('3');
        const proxy = await FaultProxy.before(access);
        const received = { namespaces: '', 'network-attachment-definitions': '' };
        proxy.fault = {
          answer: ({ url }) =>
            !streams && url.searchParams.has('sendInitialEvents') ? { status: 422, body: '{}' } : undefined,
          async *lines(lines, { url }) {
            const plural = url.pathname.split('/').at(-1) as keyof typeof received;
            for await (const line of lines) {
              if (plural in received) received[plural] += line;
              yield line;
            }
          },
        };
        const reader = new KubernetesApi(new ApiServer(proxy.access), { node: 'worker-a' });
        const idOf = async () => {
          const reading = await reader.read();
          if (!reading.read) throw new Error(JSON.stringify(reading.problems));
          const { namespaces, networkAttachmentDefinitions } = reading.value.snapshot;
          expect(namespaces.map(({ metadata }) => metadata.labels)).to.deep.include({
            'kubernetes.io/metadata.name': 'default',
          });
          return networkAttachmentDefinitions
            .map(({ metadata }) => metadata.annotations?.['k8s.ovn.org/network-id'])
            .join();
        };
        expect(await idOf()).to.equal('3');
        await apply('4');
        await eventually('its change is read', async () => (await idOf()) === '4');
        for (const text of Object.values(received)) {
          expect(text).to.include('"kind":"PartialObjectMetadata');
          expect(text).to.not.match(/"(spec|status)":/);
        }
        await reader.close();
        await proxy.stop();
        await administrator.send({ method: 'DELETE', path });
      });
    }

    it('does not read kinds that are not used', async () => {
      const proxy = await FaultProxy.before(access);
      const server = new ApiServer(proxy.access);
      const reader = new KubernetesApi(server, { node: 'worker-a', unread: ['namespaces', 'pods'] });
      const reading = await reader.read();
      expect(reading.read && reading.value.snapshot).to.deep.include({ namespaces: [], pods: [] });
      const asked = ['/nodes', '/namespaces', '/pods'].filter((path) => proxy.count(path) > 0);
      expect(asked).to.deep.equal(['/nodes']);
      await reader.close();
      await proxy.stop();
    });

    it('does not drop a kind that requests do not find while the API server lists it', async () => {
      await administrator.apply(routeAdvertisements);
      const proxy = await FaultProxy.before(access);
      const open = () => new KubernetesApi(new ApiServer(proxy.access), { node: 'worker-a' });
      const reader = open();
      const reading = async (of = reader) => {
        const result = await of.read();
        if (!result.read) return { problems: result.problems.map(({ message }) => message) };
        const { snapshot, warnings } = result.value;
        return {
          names: snapshot.routeAdvertisements.map(({ metadata }) => metadata.name),
          others: snapshot.frrConfigurations.length,
          problems: warnings.map(({ message }) => message),
        };
      };
      expect(await reading()).to.deep.equal({ names: ['blue'], others: 0, problems: [] });
      const notFound = { status: 404, body: '404 page not found' };
      let isDiscovered = true;
      proxy.fault = {
        answer: ({ url: { pathname } }) =>
          pathname.endsWith('/routeadvertisements') || (!isDiscovered && pathname === '/apis') ? notFound : undefined,
      };
      proxy.cut();
      const said = 'RouteAdvertisements objects cannot be read: Not Found (HTTP 404)';
      const kept = `${said}; the objects that were read last stay in use`;
      await eventually('that alone is reported', async () => (await reading()).problems.join() === kept);
      expect((await reading()).names).to.deep.equal(['blue']);
      for (isDiscovered of [true, false]) {
        const starting = open();
        const { names, problems } = await reading(starting);
        expect(names).to.equal(undefined);
        expect(problems).to.include(said);
        await starting.close();
      }
      proxy.fault = {};
      await eventually('it is up to date again', async () => (await reading()).problems.length === 0);
      await administrator.delete('RouteAdvertisements', 'blue');
      await eventually('it is gone', async () => (await reading()).names?.length === 0);
      await reader.close();
      await proxy.stop();
    });

    it('writes no state with the name of another object', async () => {
      const { labels: _, ...metadata } = stateOf('worker-a', 'Ready').metadata;
      const foreign = { ...stateOf('worker-a', 'Ready'), metadata, status: { uplinkName: 'other', nodeName: 'other' } };
      await administrator.apply(foreign);
      const result = await store.write(stateWrite(stateOf('worker-a', 'Ready')));
      expect(result.done ? '' : result.error).to.match(/^UplinkState\/uplink-0\.worker-a: .*already exists/);
      expect(await administrator.get('UplinkState', 'uplink-0.worker-a')).to.deep.include({ status: foreign.status });
    });

    /** The state as its agent writes it. */
    const own = (() => {
      const state = stateOf('worker-a', 'Ready');
      return { ...state, metadata: { ...state.metadata, annotations: { ...state.metadata.labels } } };
    })();
    const { name } = own.metadata;
    const names = async () => (await snapshot()).uplinkStates.map(({ metadata }) => metadata.name);
    /** The state as it is stored, and its uid. */
    const stored = async () => {
      const state = (await administrator.get('UplinkState', name)) as UplinkState | undefined;
      if (state === undefined) throw new Error('there is no state');
      const { uid, labels, annotations } = state.metadata as UplinkState['metadata'] & { readonly uid: string };
      return { uid, metadata: { name, labels, annotations }, status: state.status };
    };

    it('restores the label by which it selects its state', async () => {
      expect(await store.write(stateWrite(own))).to.deep.equal({ done: true });
      const { uid } = await stored();
      const labels = { 'k8s.ovn.org/node': null };
      await administrator.merge('UplinkState', name, { metadata: { labels } });
      await eventually('it is not seen', async () => (await names()).length === 0);
      const later = { ...own, status: { ...own.status, macAddress: '02:00:00:00:01:07' } };
      expect(await store.write(stateWrite(later))).to.deep.equal({ done: true });
      expect(await stored()).to.deep.equal({ uid, metadata: own.metadata, status: later.status });
      expect(await names()).to.deep.equal([name]);
      await administrator.delete('UplinkState', name);
      await eventually('its events are seen again', async () => (await names()).length === 0);
    });

    it('owns what it writes of its state, and keeps what others add', async () => {
      await store.write(stateWrite(own));
      const added = {
        apiVersion: own.apiVersion,
        kind: own.kind,
        metadata: { name, labels: { team: 'a' }, annotations: { note: 'b' } },
      };
      await administrator.apply({ ...added, status: { conditions: [foreignCondition] } });
      await administrator.merge('UplinkState', name, { metadata: { labels: { 'k8s.ovn.org/uplink': null } } });
      await eventually('that is seen', async () => {
        const [state] = (await snapshot()).uplinkStates;
        return state?.metadata.labels?.['k8s.ovn.org/uplink'] === undefined && state?.status?.conditions?.length === 2;
      });
      const later = { ...own, status: { ...own.status, macAddress: '02:00:00:00:01:07' } };
      expect(await store.write(stateWrite(later))).to.deep.equal({ done: true });
      const { metadata, status } = await stored();
      expect(metadata.labels).to.deep.equal({ ...own.metadata.labels, team: 'a' });
      expect(metadata.annotations).to.deep.equal({ ...own.metadata.annotations, note: 'b' });
      expect(status?.macAddress).to.equal('02:00:00:00:01:07');
      expect(status?.conditions?.map(({ type }) => type)).to.have.members(['Ready', 'Foreign']);
      const owned = ownedFields(await administrator.get('UplinkState', name), 'ovn-uplinks-node');
      const ready = ['lastTransitionTime', 'message', 'reason', 'status', 'type'];
      const network = ['message', 'name', 'ready', 'reason'];
      expect(owned).to.deep.include({
        Apply: ['annotations', 'labels'].flatMap((field) =>
          ['node', 'uplink'].map((key) => `metadata.${field}.k8s.ovn.org/${key}`),
        ),
        'Apply status': [
          ...ready.map((field) => `status.conditions[{"type":"Ready"}].${field}`),
          'status.hostInterfaceName',
          'status.ipAddresses',
          'status.macAddress',
          ...network.map((field) => `status.networks[{"name":"blue"}].${field}`),
          'status.nodeName',
          'status.ovsBridge.name',
          'status.type',
          'status.uplinkName',
        ],
      });
      // The creation, before it was applied.
      expect(Object.keys(owned)).to.have.members(['Apply', 'Apply status', 'Update']);
      expect(owned['Update']?.every((field) => owned['Apply']?.includes(field))).to.equal(true);
    });

    it('keeps the time of a condition that has not changed', async () => {
      await administrator.apply({ ...own, metadata: { name } });
      const [ready] = own.status?.conditions ?? [];
      const lastTransitionTime = '2026-03-02T03:04:05Z';
      const conditions = [{ ...ready!, message: 'differently', lastTransitionTime }];
      expect(await store.write(stateWrite({ ...own, status: { ...own.status, conditions } }))).to.deep.equal({
        done: true,
      });
      expect((await stored()).status?.conditions).to.deep.equal([{ ...ready, message: 'differently' }]);
    });

    it('takes over a state without an identity', async () => {
      await administrator.apply({ apiVersion: own.apiVersion, kind: own.kind, metadata: { name } });
      const { uid } = await stored();
      expect(await store.write(stateWrite(own))).to.deep.equal({ done: true });
      expect(await stored()).to.deep.equal({ uid, metadata: own.metadata, status: own.status });
      expect(await names()).to.deep.equal([name]);
    });

    for (const [what, foreign] of [
      ['status', { ...own, status: { uplinkName: 'other', nodeName: 'worker-a' } }],
      [
        'annotations',
        {
          apiVersion: own.apiVersion,
          kind: own.kind,
          metadata: { ...own.metadata, annotations: { ...own.metadata.annotations, 'k8s.ovn.org/uplink': 'other' } },
        },
      ],
    ] as const) {
      it(`reports a state with managed labels that is another's by its ${what}`, async () => {
        await administrator.apply(foreign);
        const before = await stored();
        const expected =
          'UplinkState/uplink-0.worker-a: it already exists, and is of Uplink "other" on Node "worker-a"';
        const unseen = await store.write(stateWrite(own));
        // It is created first, and gets its status then.
        await eventually('it is seen', async () => {
          const [state] = (await snapshot()).uplinkStates;
          return state !== undefined && state.status?.uplinkName === before.status?.uplinkName;
        });
        const seen = await store.write(stateWrite(own));
        for (const result of [unseen, seen])
          expect(result).to.deep.equal({ done: false, error: expected, isRefused: true });
        expect(await stored()).to.deep.equal(before);
      });
    }
  });
});

/** A pod that is assigned to a node, without a scheduler. */
function podOn(nodeName: string) {
  const containers = [{ name: 'main', image: 'example.org/image' }];
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: `on-${nodeName}` }, spec: { nodeName, containers } };
}
