import { expect } from 'chai';
import type { ClusterAccess } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import { accessOfKubeconfig } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { KubernetesApi } from '../../../src/adapters/kubernetes/kubernetes-api.ts';
import { customResourceDefinitions } from '../../../src/domain/api/definitions/custom-resource-definition.ts';
import { describeProblem } from '../../../src/ports/input-problem.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { TestApiServer } from './api-server.ts';
import { type Fault, FaultProxy } from './fault-proxy.ts';
import { ApiUser, kindsServed } from './served-config.ts';

const account = { kind: 'ServiceAccount', name: 'reader', namespace: 'default' };
const rbac = 'rbac.authorization.k8s.io';

/** A service account that may read the pods of namespace a alone, and all of the other kinds. */
const rights = [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'reader', namespace: 'default' } },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: { name: 'others' },
    rules: [
      { apiGroups: [''], resources: ['nodes', 'namespaces'], verbs: ['list', 'watch'] },
      {
        apiGroups: ['k8s.ovn.org', 'k8s.cni.cncf.io', 'frrk8s.metallb.io'],
        resources: ['*'],
        verbs: ['list', 'watch'],
      },
    ],
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'others' },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'others' },
    subjects: [account],
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'Role',
    metadata: { name: 'pods', namespace: 'a' },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch'] }],
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'pods', namespace: 'a' },
    roleRef: { apiGroup: rbac, kind: 'Role', name: 'pods' },
    subjects: [account],
  },
];

describe('pods of namespaces that are selected at run time', () => {
  let server: TestApiServer;
  let administrator: ApiUser;
  let access: ClusterAccess;
  let store: KubernetesApi;
  let calls = 0;
  const proxies: FaultProxy[] = [];

  before(async () => {
    server = await TestApiServer.start();
    administrator = await ApiUser.of(server);
    const reading = await accessOfKubeconfig(server.kubeconfig);
    if (!reading.read) throw new Error(JSON.stringify(reading.problems));
    access = reading.value;
    server.apply(...customResourceDefinitions());
    for (const name of ['a', 'b', 'c']) server.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    server.apply(...rights);
    await kindsServed(server);
    for (const namespace of ['a', 'b', 'c']) await create(namespace, 'steady');
  });
  after(async () => {
    administrator.close();
    await server.stop();
  });
  afterEach(async () => {
    await store.close();
    for (const proxy of proxies.splice(0)) await proxy.stop();
  });

  async function start(to = access): Promise<void> {
    store = new KubernetesApi(new ApiServer(to), { unread: ['pods'] });
    store.onChange(() => (calls += 1));
    await eventually('all other kinds are read', async () => (await store.read()).read);
  }

  async function startBehindProxy(fault: Fault = {}): Promise<FaultProxy> {
    const proxy = await FaultProxy.before(access);
    proxy.fault = fault;
    proxies.push(proxy);
    await start(proxy.access);
    return proxy;
  }

  const podsIn = (namespace: string) => `/api/v1/namespaces/${namespace}/pods`;
  const create = (namespace: string, name: string) =>
    administrator.send({
      method: 'POST',
      path: podsIn(namespace),
      body: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name },
        spec: { containers: [{ name: 'main', image: 'main' }], terminationGracePeriodSeconds: 0 },
      },
    });
  const remove = (namespace: string, name: string) =>
    administrator.send({ method: 'DELETE', path: `${podsIn(namespace)}/${name}` });

  /** The pods that are read, as `namespace/name`; undefined while there is no reading. */
  async function pods(): Promise<readonly string[] | undefined> {
    const reading = await store.read();
    if (!reading.read) return undefined;
    const { pods: all } = reading.value.snapshot;
    return all.map(({ metadata: { namespace = '', name } }) => `${namespace}/${name}`).sort();
  }

  async function become(...expected: readonly string[]): Promise<void> {
    let found: readonly string[] | undefined;
    const isThere = async () => (found = await pods())?.join() === expected.join();
    await eventually(`the pods are ${expected.join()}`, isThere).catch(() => expect(found).to.deep.equal(expected));
  }

  it('are in the next reading, and are no longer in it after the selection ends', async () => {
    await start();
    expect(await pods()).to.deep.equal([]);
    for (const [scope, expected] of [
      [['a'], ['a/steady']],
      [
        ['b', 'a'],
        ['a/steady', 'b/steady'],
      ],
      ['everywhere', ['a/steady', 'b/steady', 'c/steady']],
      [['c'], ['c/steady']],
      [[], []],
    ] as const) {
      calls = 0;
      store.watch('pods', scope);
      expect(calls, 'the listener is called').to.equal(1);
      expect(await pods()).to.deep.equal(expected);
    }
  });

  it('need no permission to read those of others', async () => {
    const { status } = await administrator.send({
      method: 'POST',
      path: '/api/v1/namespaces/default/serviceaccounts/reader/token',
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: [] } },
    });
    const { token } = status as { readonly token: string };
    await start({ ...access, user: { name: 'reader', token } });
    store.watch('pods', ['a']);
    expect(await pods()).to.deep.equal(['a/steady']);
    store.watch('pods', ['a', 'b']);
    const reading = await store.read();
    // Those of b count as unknown, not as absent.
    expect(reading.read ? [] : reading.problems.map(describeProblem).join()).to.match(
      /Pod objects cannot be read: .*in the namespace "b"/,
    );
    store.watch('pods', ['a']);
    expect(await pods()).to.deep.equal(['a/steady']);
  });

  it('are right after namespaces were selected and deselected while pods changed', async () => {
    await start();
    const scopes = [['a'], ['a', 'b'], ['b'], ['b', 'c'], [], ['c', 'a'], ['a', 'b']] as const;
    for (const [index, scope] of scopes.entries()) {
      const changes = ['a', 'b', 'c'].map((namespace) => create(namespace, `number-${index}`));
      store.watch('pods', scope);
      const read = pods();
      await Promise.all(changes);
      if (index > 0) await Promise.all(['a', 'b', 'c'].map((namespace) => remove(namespace, `number-${index - 1}`)));
      const isOfScope = (pod: string) => scope.some((namespace) => pod.startsWith(`${namespace}/`));
      expect((await read)?.every(isOfScope), 'no pods of other namespaces').to.equal(true);
    }
    await become('a/number-6', 'a/steady', 'b/number-6', 'b/steady');
    for (const namespace of ['a', 'b', 'c']) await remove(namespace, 'number-6');
    await become('a/steady', 'b/steady');
  });

  it('are not read any more if the selection ends while they are listed', async () => {
    const [held, released] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    await startBehindProxy({
      async *lines(lines, { url }) {
        for await (const line of lines) {
          if (url.pathname === podsIn('b') && line.includes('initial-events-end')) {
            held.resolve(undefined);
            await released.promise;
          }
          yield line;
        }
      },
    });
    store.watch('pods', ['a', 'b']);
    await held.promise;
    store.watch('pods', ['a']);
    await become('a/steady');
    released.resolve(undefined);
    await create('b', 'later');
    await create('a', 'later');
    await become('a/later', 'a/steady');
    for (const namespace of ['a', 'b']) await remove(namespace, 'later');
  });

  it('are listed again if their version has expired, and others are not', async () => {
    let expired = 0;
    const proxy = await startBehindProxy();
    store.watch('pods', ['a', 'b']);
    await become('a/steady', 'b/steady');
    proxy.fault = {
      answer: ({ url: { pathname, searchParams } }) =>
        pathname === podsIn('a') && searchParams.has('resourceVersion') && (expired += 1) === 1
          ? { status: 410 }
          : undefined,
    };
    const before = proxy.count(podsIn('b'));
    proxy.cut();
    await create('a', 'after');
    await become('a/after', 'a/steady', 'b/steady');
    expect(expired).to.be.at.least(1);
    await eventually('b is watched again', () => proxy.count(podsIn('b')) > before);
    expect(proxy.count(podsIn('b')) - before).to.equal(1);
    await remove('a', 'after');
    await become('a/steady', 'b/steady');
  });
});
