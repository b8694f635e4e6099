import { stateDeletion, stateWrite } from '../../../src/domain/objects/writes.ts';
import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import { accessOfKubeconfig, type ClusterAccess } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { stateOf } from '../../contract/resource-store.ts';
import { uplink } from '../../unit/adapters/manifests/example-objects.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { Administrator } from './administrator.ts';
import { TestApiServer } from './api-server.ts';
import { type Fault, FaultProxy } from './fault-proxy.ts';
import { lastingFaults, passingFaults, times } from './faults.ts';
import { customResourceDefinitions } from '../../../src/domain/api/definitions/custom-resource-definition.ts';
import { COUNTING, STEADY, WatchingStore } from './watching-store.ts';

/** Rights to read all kinds of the store but namespaces, which are added by another role. */
const roles = [
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'most' },
    rules: [
      { apiGroups: [''], resources: ['nodes', 'pods'], verbs: ['list', 'watch'] },
      { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['get'] },
      {
        apiGroups: ['k8s.ovn.org', 'k8s.cni.cncf.io', 'frrk8s.metallb.io'],
        resources: ['*'],
        verbs: ['list', 'watch'],
      },
    ],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'namespaces' },
    rules: [{ apiGroups: [''], resources: ['namespaces'], verbs: ['list', 'watch'] }],
  },
];
const bindingOf = (role: string) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: role },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects: [{ kind: 'ServiceAccount', name: 'reader', namespace: 'default' }],
});
const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'reader', namespace: 'default' } };

describe('a store on an API server that fails', () => {
  let server: TestApiServer;
  let administrator: Administrator;
  let access: ClusterAccess;
  let folder: string;
  let changes = 0;
  const stores: WatchingStore[] = [];
  const proxies: FaultProxy[] = [];
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-faults-'));
    server = await TestApiServer.start();
    server.apply(...customResourceDefinitions(), account, ...roles);
    administrator = await Administrator.of(server);
    const reading = await accessOfKubeconfig(server.kubeconfig);
    if (!reading.read) throw new Error(JSON.stringify(reading.problems));
    access = reading.value;
    await administrator.apply(uplink(STEADY));
    await change();
  });
  after(async () => {
    administrator.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await Promise.all(proxies.splice(0).map((proxy) => proxy.stop()));
  });

  /** Creates, changes and deletes objects. */
  async function change(): Promise<void> {
    changes += 1;
    await administrator.apply(uplink(`number-${changes}`));
    await administrator.apply(uplink(`number-${changes}`, { hostInterfaceName: 'br-other' }));
    if (changes > 1) await administrator.delete('Uplink', `number-${changes - 1}`);
    await administrator.apply(uplink(`other-${changes % 4}`, { hostInterfaceName: `br-${changes}` }));
    if (changes % 2 === 0) await administrator.delete('Uplink', `other-${changes % 4}`);
    await administrator.apply(uplink(COUNTING, { hostInterfaceName: `br-${changes}` }));
  }

  function start(to: ClusterAccess = access, timeout?: number): WatchingStore {
    const store = new WatchingStore(to, timeout);
    stores.push(store);
    return store;
  }

  async function startProxy(fault: Fault = {}, to: ClusterAccess = access): Promise<FaultProxy> {
    const proxy = await FaultProxy.before(to);
    proxy.fault = fault;
    proxies.push(proxy);
    return proxy;
  }

  async function isUpToDate(store: WatchingStore): Promise<void> {
    await eventually('all changes are read', () => store.count === changes && store.warnings.length === 0);
  }

  /** Checks that the objects are those that another store reads, which was not disturbed. */
  async function expectUndisturbed(store: WatchingStore): Promise<void> {
    await isUpToDate(store);
    const undisturbed = start();
    await isUpToDate(undisturbed);
    expect(store.text).to.equal(undisturbed.text);
    store.expectConsistent();
  }

  /** Requests for Uplinks are at most so many. */
  function expectRequests(proxy: FaultProxy, most: number): void {
    const count = proxy.count('/uplinks');
    process.stdout.write(`      ${count} requests for Uplinks\n`);
    expect(count).to.be.at.most(most);
  }

  it('keeps the objects that were read last while the API server is away', async () => {
    const store = start();
    await isUpToDate(store);
    store.problems.splice(0);
    await server.stopApiServer();
    await eventually('there is a warning', () => store.warnings.length > 0);
    expect(store.uplinks.has(STEADY)).to.equal(true);
    expect(store.warnings.join('\n')).to.include('the objects that were read last stay in use');
    await server.startApiServer();
    await change();
    await expectUndisturbed(store);
    expect(store.problems).to.deep.equal([]);
  });

  it('starts once the API server is available', async () => {
    await server.stopApiServer();
    const store = start();
    await eventually('there are problems', () => store.problems.length > 0);
    expect(store.problems[0]).to.match(/^https:\/\/127\.0\.0\.1:\d+: cannot be reached: connect ECONNREFUSED/);
    await server.startApiServer();
    await expectUndisturbed(store);
  });

  it('lists again if etcd has compacted the changes since', async () => {
    const proxy = await startProxy();
    const store = start(proxy.access);
    await isUpToDate(store);
    proxy.fault = { answer: () => 'dropped' };
    proxy.cut();
    await eventually('there is a warning', () => store.warnings.length > 0);
    await change();
    await change();
    await server.stopApiServer();
    await server.compact();
    // Its cache of former events goes with it.
    await server.startApiServer();
    const expired: string[] = [];
    proxy.fault = {
      async *lines(lines) {
        for await (const line of lines) {
          if (line.includes('"code":410')) expired.push(line);
          yield line;
        }
      },
    };
    await change();
    await expectUndisturbed(store);
    expect(expired.length).to.be.greaterThan(0);
  });

  it('accepts another certificate of the API server once it is in the file', async () => {
    const store = start();
    await isUpToDate(store);
    await server.replaceCertificate();
    await change();
    await expectUndisturbed(store);
  });

  it('uses another token once it is in the file, if the former one is refused', async () => {
    server.apply(bindingOf('most'), bindingOf('namespaces'));
    const tokenFile = join(folder, 'token');
    const writeToken = () => writeFileSync(tokenFile, server.kubectl(['create', 'token', 'reader']));
    writeToken();
    const { cluster } = access;
    const proxy = await startProxy({}, { cluster, user: { name: 'reader' }, tokenFile });
    const store = start(proxy.access);
    await isUpToDate(store);
    server.kubectl(['delete', 'serviceaccount', 'reader']);
    const user = new ApiServer(proxy.access);
    // An API server remembers for ten seconds which tokens it has accepted.
    await eventually('the token is refused', async () => {
      const result = await user.send({ method: 'GET', path: '/api/v1/nodes' });
      return !result.ok && result.failure.status === 401;
    });
    user.close();
    proxy.cut();
    await eventually('there is a warning', () => store.warnings.some((warning) => warning.includes('HTTP 401')));
    server.apply(account);
    writeToken();
    await change();
    await expectUndisturbed(store);
  });

  it('has no reading while one kind is forbidden, and names the kind', async () => {
    server.kubectl(['delete', 'clusterrolebinding', 'namespaces', '--ignore-not-found']);
    server.apply(bindingOf('most'));
    const token = server.kubectl(['create', 'token', 'reader']).trim();
    const { cluster } = access;
    const proxy = await startProxy({}, { cluster, user: { name: 'reader', token } });
    const store = start(proxy.access);
    await eventually('there are problems', () => store.problems.length > 0);
    expect(store.problems[0]).to.match(/Namespace objects cannot be read: .*forbidden.*\(HTTP 403\)$/);
    server.apply(bindingOf('namespaces'));
    await expectUndisturbed(store);
    server.kubectl(['delete', 'clusterrolebinding', 'namespaces']);
    proxy.cut();
    await eventually('there is a warning', () => store.warnings.some((warning) => warning.includes('HTTP 403')));
    expect(store.warnings.join('\n')).to.match(/Namespace objects cannot be read/);
    await eventually('other kinds are up to date', () => store.warnings.length === 1);
    await change();
    await eventually('changes are read', () => store.count === changes);
    store.expectConsistent();
  });

  describe('behind a proxy', () => {
    for (const [what, { fault, most }] of Object.entries(passingFaults)) {
      it(`reads the same objects if one ${what}`, async () => {
        const proxy = await startProxy(fault);
        const store = start(proxy.access);
        for (let round = 0; round < 3; round += 1) await change();
        await isUpToDate(store);
        // As an API server does at times.
        proxy.cut();
        for (let round = 0; round < 3; round += 1) await change();
        await expectUndisturbed(store);
        expectRequests(proxy, most);
      });
    }

    it('honours Retry-After', async () => {
      const proxy = await startProxy(
        times(2, (happen) => ({
          answer: () => (happen() ? { status: 429, headers: { 'retry-after': '1' } } : undefined),
        })),
      );
      const store = start(proxy.access);
      await expectUndisturbed(store);
      const arrivals = [...proxy.requests].find(([path]) => path.endsWith('/uplinks'))?.[1] ?? [];
      const intervals = arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? 0));
      expect(intervals).to.have.length(2);
      for (const interval of intervals) expect(interval).to.be.at.least(990);
    });

    it('limits the wait of Retry-After', async () => {
      const proxy = await startProxy(
        times(0, () => ({ answer: () => ({ status: 429, headers: { 'retry-after': '99999999999' } }) })),
      );
      const store = start(proxy.access);
      await eventually('there are problems', () => store.problems.length > 0);
      await pause(1000);
      expect(proxy.count('/uplinks')).to.equal(1);
    });

    it('ends a request without a response', async () => {
      const proxy = await startProxy(times(2, (happen) => ({ answer: () => (happen() ? 'ignored' : undefined) })));
      const store = start(proxy.access, 500);
      await eventually('there are problems', () => store.problems.length > 0);
      expect(store.problems[0]).to.match(/cannot be reached: it does not answer in time$/m);
      await expectUndisturbed(store);
    });

    it('keeps its own writes and deletions while the list is read again', async () => {
      const proxy = await startProxy();
      const watching = start(proxy.access);
      await isUpToDate(watching);
      const { store } = watching;
      expect(await store.write(stateWrite(stateOf('blue.worker-a')))).to.deep.include({ done: true });
      const [held, released] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
      proxy.fault = {
        answer: ({ url: { pathname, searchParams } }) =>
          pathname.endsWith('/uplinkstates') && searchParams.has('resourceVersion') ? { status: 410 } : undefined,
        async *lines(lines, { url }) {
          for await (const line of lines) {
            if (url.pathname.endsWith('/uplinkstates') && line.includes('initial-events-end')) {
              held.resolve(undefined);
              await released.promise;
            }
            yield line;
          }
        },
      };
      proxy.cut();
      await held.promise;
      expect(await store.write(stateWrite(stateOf('blue.worker-b')))).to.deep.include({ done: true });
      expect(await store.write(stateDeletion('blue.worker-a'))).to.deep.include({ done: true });
      const seen: (readonly string[])[] = [];
      const isRead = Promise.withResolvers<undefined>();
      store.onChange(
        () =>
          void store.read().then((reading) => {
            if (!reading.read) return;
            seen.push(reading.value.snapshot.uplinkStates.map(({ metadata }) => metadata.name));
            if (reading.value.warnings.length === 0) isRead.resolve(undefined);
          }),
      );
      released.resolve(undefined);
      await isRead.promise;
      for (const names of seen) expect(names).to.deep.equal(['blue.worker-b']);
      await store.write(stateDeletion('blue.worker-b'));
    });

    for (const [what, fault] of Object.entries(lastingFaults)) {
      it(`backs off if one ${what}`, async () => {
        const proxy = await startProxy(fault);
        const store = start(proxy.access);
        await eventually('it is read', () => store.count === changes);
        const end = performance.now() + 4000;
        while (performance.now() < end) {
          proxy.cut();
          await pause(100);
        }
        // A second after the first four, and then twice as long.
        expectRequests(proxy, 16);
        await change();
        proxy.fault = {};
        await expectUndisturbed(store);
      });
    }
  });
});
