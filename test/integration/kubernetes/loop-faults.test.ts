import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { accessOfKubeconfig, type ClusterAccess } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { pathOf } from '../../../src/adapters/kubernetes/paths.ts';
import { customResourceDefinitions } from '../../../src/domain/api/definitions/custom-resource-definition.ts';
import { kinds } from '../../../src/domain/api/kinds.ts';
import { completeNode } from '../../../src/testing/index.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { clusterOf } from '../lab/clusters.ts';
import { Administrator } from './administrator.ts';
import { TestApiServer } from './api-server.ts';
import { FaultProxy } from './fault-proxy.ts';
import { DisturbedWrites, disturbedNames, RETRY_AFTER } from './faults.ts';
import { type RunningLoop, runManagerOnce, startAgent, startManager } from './loops.ts';
import { shiftClock } from './wall-clock.ts';

const HOUR = 3_600_000;

/** Milliseconds of an outage: with a backoff of its own a list would wait as long again. */
const AWAY = 12_000;

/** Milliseconds of a long one. */
const LONG_AWAY = 30_000;

/** Milliseconds within which all follow once there are answers again, also on a busy machine. */
const FOLLOWS = 9000;

/** Milliseconds that an API server asks clients to wait until it has read which kinds there are (kube-apiserver, Retry-After). */
const STARTING = 5000;

/** Requests of a client in an outage at most: one of each list, and then ever fewer, to one every two seconds. */
const REQUESTS = 30;

/** Requests of a client at most in a long outage. */
const LONG_REQUESTS = REQUESTS + (LONG_AWAY - AWAY) / 2000;

/** Writes of an object at most, of its metadata or of its status, while it is created or deleted and nothing is disturbed. */
const WRITES = 3;

/** An Uplink to which nothing happens. */
const UNDISTURBED = 'undisturbed';

/** An object, as far as it is looked at here. */
interface Stored {
  readonly metadata: {
    readonly name: string;
    readonly generation: number;
    readonly resourceVersion: string;
    readonly ownerReferences?: readonly { readonly uid: string }[];
  };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason: string;
      readonly observedGeneration: number;
      readonly lastTransitionTime: string;
    }[];
  };
}

const { nodes, uplinks, clusterUserDefinedNetworks } = clusterOf([{ name: 'blue', device: 'br-blue' }]);
const watched = [kinds.uplinks, kinds.uplinkStates, kinds.clusterUserDefinedNetworks];
const names = [UNDISTURBED, ...disturbedNames];

const node = completeNode({
  nodeName: 'worker-a',
  links: [
    { name: 'eth1' },
    { name: 'br-blue', addresses: [{ address: '192.0.2.6', prefixLength: 24 }] },
    ...names.flatMap((_, index) => [
      { name: `port-${index}` },
      { name: `br-${index}`, addresses: [{ address: `192.0.2.${index + 10}`, prefixLength: 24 }] },
    ]),
  ],
  bridges: [
    { name: 'br-blue', ports: [{ name: 'eth1' }] },
    ...names.map((_, index) => ({ name: `br-${index}`, ports: [{ name: `port-${index}` }] })),
  ],
});

describe('an agent and a cluster manager whose API server fails', () => {
  let server: TestApiServer;
  let administrator: Administrator;
  let access: ClusterAccess;
  const proxies: FaultProxy[] = [];
  const loops: RunningLoop[] = [];

  before(async () => {
    server = await TestApiServer.start();
    administrator = await Administrator.of(server);
    server.apply(...customResourceDefinitions());
    for (const object of [...nodes, ...uplinks, ...clusterUserDefinedNetworks]) await administrator.apply(object);
    const reading = await accessOfKubeconfig(server.kubeconfig);
    if (!reading.read) throw new Error(JSON.stringify(reading.problems));
    access = reading.value;
    for (let count = 0; count < 2; count += 1) proxies.push(await FaultProxy.before(access));
    startLoops();
    await followed('br-blue', 'AllNodesReady');
  });
  after(async () => {
    for (const loop of loops) await loop.stop();
    for (const proxy of proxies) await proxy.stop();
    administrator.close();
    await server.stop();
  });
  beforeEach(() => {
    for (const proxy of proxies) proxy.writes.splice(0);
  });

  /** Starts a cluster manager and an agent, each behind a proxy of its own. */
  function startLoops(): void {
    const [ofManager, ofAgent] = proxies;
    loops.push(startManager(ofManager!.access), startAgent(ofAgent!.access, node));
  }

  const conditionsOf = async (kind: string, name: string) =>
    ((await administrator.get(kind, name)) as unknown as Stored | undefined)?.status?.conditions ?? [];

  /** Waits until the condition of the Uplink is about its spec, which the agent has reported on. */
  async function followed(hostInterfaceName: string, reason: string): Promise<void> {
    await administrator.apply({
      ...uplinks[0],
      spec: { nodeConfigs: [{ type: 'OVSBridge', nodeSelector: {}, hostInterfaceName }] },
    });
    await eventually(`${hostInterfaceName} is reported as ${reason}`, async () => {
      const { status, metadata } = (await administrator.get('Uplink', 'uplink-0')) as unknown as Stored;
      const condition = status?.conditions?.[0];
      return condition?.reason === reason && condition.observedGeneration === metadata.generation;
    });
  }

  /** All objects that are written, without what differs between two clusters. */
  async function objects(): Promise<readonly Stored[]> {
    const lists = await Promise.all(watched.map((kind) => administrator.send({ method: 'GET', path: pathOf(kind) })));
    return lists.flatMap(({ items }) => items as readonly Stored[]);
  }

  /** A cluster manager to which nothing happens would write nothing. */
  async function expectAsUndisturbed(): Promise<void> {
    const versions = async () =>
      (await objects()).map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`);
    const before = await versions();
    await runManagerOnce(access);
    expect(await versions()).to.deep.equal(before);
  }

  /** How often each object has been written, most often first; of its metadata and of its status. */
  function writes(): readonly (readonly [string, number])[] {
    const counts = new Map<string, number>();
    for (const path of proxies.flatMap((proxy) => proxy.writes)) {
      const [, object] = /^\/apis\/k8s\.ovn\.org\/[^/]*\/(.*)$/.exec(path) ?? [];
      if (object !== undefined) counts.set(object, (counts.get(object) ?? 0) + 1);
    }
    return [...counts].sort(([, left], [, right]) => right - left);
  }

  /** Prints how often the objects have been written, which is so often at most. */
  function expectWrites(most: number): void {
    const [[object, count] = ['none', 0], ...others] = writes();
    const sum = others.reduce((total, [, each]) => total + each, count);
    process.stdout.write(`      ${sum} writes of ${others.length + 1} objects, at most ${count} of one (${object})\n`);
    expect(count, JSON.stringify(writes())).to.be.at.most(most);
  }

  /** Has an outage, in which clients ask rarely, and then all follow. */
  async function expectFollows(
    outage: { begin(): Promise<void>; end(): Promise<void>; readonly length: number; readonly mostRequests: number },
    [hostInterfaceName, reason, within]: readonly [string, string, number],
  ): Promise<void> {
    await outage.begin();
    const before = proxies.map((proxy) => proxy.count(''));
    await pause(outage.length);
    const requests = proxies.map((proxy, index) => proxy.count('') - (before[index] ?? 0));
    await outage.end();
    const begin = performance.now();
    await followed(hostInterfaceName, reason);
    const time = performance.now() - begin;
    process.stdout.write(`      ${requests.join(' and ')} requests; they follow after ${(time / 1000).toFixed(1)} s\n`);
    for (const count of requests) expect(count).to.be.within(1, outage.mostRequests);
    expect(time).to.be.below(within);
    expectWrites(WRITES);
    await expectAsUndisturbed();
  }

  it('wait, back off, and continue at once when a connection, or an API server behind a load balancer, is available again', async () => {
    const unavailable = { status: 503, headers: { 'content-type': 'text/html' }, body: '<html>No server</html>' };
    await expectFollows(
      {
        length: LONG_AWAY,
        mostRequests: LONG_REQUESTS,
        begin: () => {
          for (const [index, proxy] of proxies.entries()) {
            proxy.fault = { answer: () => (index === 0 ? unavailable : 'dropped') };
            proxy.cut();
          }
          return Promise.resolve();
        },
        end: () => {
          for (const proxy of proxies) proxy.fault = {};
          return Promise.resolve();
        },
      },
      ['br-other', 'HostInterfaceNotFound', FOLLOWS],
    );
  });

  it('wait, back off, and continue as soon as possible after the API server has restarted', async () => {
    await expectFollows(
      {
        length: AWAY,
        mostRequests: REQUESTS,
        begin: () => server.stopApiServer(),
        end: () => server.startApiServer(),
      },
      ['br-blue', 'AllNodesReady', STARTING + FOLLOWS],
    );
  });

  it('continue with what is allowed while one kind is forbidden, and catch up then', async () => {
    const forbidden = { status: 403, body: '{"kind":"Status","message":"uplinkstates is forbidden"}' };
    for (const proxy of proxies) {
      proxy.fault = { answer: ({ path }) => (path.includes('/uplinkstates') ? forbidden : undefined) };
      proxy.cut();
    }
    await eventually('both say so', () =>
      loops.every(({ lines }) => lines.some((line) => line.includes('uplinkstates is forbidden'))),
    );
    const uplink = { ...uplinks[0], metadata: { name: 'meanwhile' } };
    await administrator.apply(uplink);
    await eventually('the Uplink has a condition', async () =>
      (await conditionsOf('Uplink', 'meanwhile')).some(({ reason }) => reason === 'UplinkStateMissing'),
    );
    await pause(1000);
    for (const proxy of proxies) proxy.fault = {};
    await followed('br-other', 'HostInterfaceNotFound');
    await eventually('the state is written', async () =>
      (await conditionsOf('Uplink', 'meanwhile')).some(({ reason }) => reason === 'AllNodesReady'),
    );
    await administrator.delete('Uplink', 'meanwhile');
    await eventually('it is gone with its state', async () =>
      (await objects()).every(({ metadata }) => !metadata.name.startsWith('meanwhile')),
    );
    // What is forbidden is tried at each change, and again after a while.
    expectWrites(4 * WRITES);
    await expectAsUndisturbed();
  });

  it('catch up if etcd has compacted what has changed meanwhile', async () => {
    for (const proxy of proxies) {
      proxy.fault = { answer: () => 'dropped' };
      proxy.cut();
    }
    await administrator.apply({ ...uplinks[0], metadata: { name: 'meanwhile' } });
    await administrator.delete('Uplink', 'meanwhile');
    await server.stopApiServer();
    await server.compact();
    await server.startApiServer();
    for (const proxy of proxies) proxy.fault = {};
    await followed('br-blue', 'AllNodesReady');
    expectWrites(WRITES);
    await expectAsUndisturbed();
  });

  describe('whose writes are disturbed', () => {
    /** The Uplink, network and state of a name, with nothing in them that says which it is, or when it was written. */
    async function without(name: string): Promise<string> {
      const text = (await objects())
        .filter(({ metadata }) => metadata.name.split('.')[0] === name)
        .map((object) =>
          JSON.stringify(object, (key, value: unknown) =>
            /^(uid|resourceVersion|managedFields|creationTimestamp|lastTransitionTime|macAddress)$/.test(key)
              ? undefined
              : value,
          ),
        );
      const index = String(names.indexOf(name));
      return text
        .join('\n')
        .replaceAll(name, 'NAME')
        .replaceAll(new RegExp(`\\b(br|port)-${index}\\b`, 'g'), '$1-N')
        .replaceAll(`192.0.2.${Number(index) + 10}/`, 'ADDRESS/');
    }

    /** Disturbs writes from now on. Its result are the kinds of writes that were disturbed so far, of each name. */
    function disturb(): () => readonly string[] {
      const faults = proxies.map((proxy) => (proxy.fault = new DisturbedWrites()));
      return () =>
        disturbedNames.map((name) => {
          const all = faults.flatMap(({ seen }) => [...seen]).filter((each) => each.includes(`/${name}`));
          return all
            .map((each) => each.replace(/ .*\/(\w+)\/[^/]*(\/status)?$/, ' $1$2'))
            .sort()
            .join();
        });
    }

    /** Milliseconds between the writes of what the API server was too busy for, and the next ones. */
    function waits(): readonly number[] {
      return proxies.flatMap(({ changes }) =>
        [...changes].flatMap(([path, [first = 0, second]]) =>
          path.includes('write-too-soon') && second !== undefined ? [second - first] : [],
        ),
      );
    }

    it('write the same conditions, states and finalizers as without, and repeat disturbed writes, once', async () => {
      const disturbed = disturb();
      for (const [index, name] of names.entries()) {
        await administrator.apply({
          ...uplinks[0],
          metadata: { name },
          spec: { nodeConfigs: [{ type: 'OVSBridge', nodeSelector: {}, hostInterfaceName: `br-${index}` }] },
        });
        const [network] = clusterUserDefinedNetworks;
        await administrator.apply({ ...network, metadata: { name }, spec: { ...network!.spec, uplinks: [name] } });
      }
      for (const name of names) {
        await eventually(`${name} is ready`, async () =>
          (await conditionsOf('Uplink', name)).some(({ reason }) => reason === 'AllNodesReady'),
        );
        await eventually(`the network of ${name} is ready`, async () =>
          (await conditionsOf('ClusterUserDefinedNetwork', name)).some(({ status }) => status === 'True'),
        );
      }
      const expected = await without(UNDISTURBED);
      expect(expected.split('\n')).to.have.length(watched.length);
      for (const name of disturbedNames) expect(await without(name), name).to.equal(expected);
      const kindsOfWrites = [
        ...['PATCH clusteruserdefinednetworks/status', 'PATCH uplinks', 'PATCH uplinks/status'],
        ...['PATCH uplinkstates/status', 'POST uplinkstates'],
      ];
      expect(disturbed()).to.deep.equal(disturbedNames.map(() => kindsOfWrites.join()));
      expect(waits()).to.have.length(kindsOfWrites.length - 1);
      expect(Math.min(...waits())).to.be.at.least(RETRY_AFTER * 1000 - 10);
      expectWrites(WRITES + 1);
      await expectAsUndisturbed();
    });

    it('delete the same states and finalizers as without, and repeat disturbed writes, once', async () => {
      const disturbed = disturb();
      for (const name of names) {
        await administrator.delete('ClusterUserDefinedNetwork', name);
        await administrator.delete('Uplink', name);
      }
      await eventually('all are gone', async () =>
        (await objects()).every(({ metadata }) => !names.includes(metadata.name.split('.')[0] ?? '')),
      );
      for (const each of disturbed())
        expect(each.split(',')).to.include.members(['DELETE uplinkstates', 'PATCH uplinks']);
      expectWrites(WRITES + 1);
      await expectAsUndisturbed();
    });
  });

  it('write no more than without if the clock jumps by an hour, forth or back', async () => {
    try {
      for (const ahead of [HOUR, -HOUR]) {
        shiftClock(ahead);
        for (const proxy of proxies) proxy.writes.splice(0);
        await followed('br-other', 'HostInterfaceNotFound');
        await followed('br-blue', 'AllNodesReady');
        expectWrites(2 * WRITES);
        const conditions = (await objects()).flatMap(({ metadata, status }) =>
          metadata.name.split('.')[0] === 'uplink-0' ? (status?.conditions ?? []) : [],
        );
        expect(conditions.map(({ type }) => type).sort()).to.deep.equal(['Degraded', 'Ready']);
        for (const { lastTransitionTime } of conditions)
          expect(Date.parse(lastTransitionTime) - Date.now()).to.be.closeTo(0, 60_000);
      }
    } finally {
      shiftClock(0);
    }
    await expectAsUndisturbed();
  });

  it('continue if the API server has another certificate, and refuses the former token', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-token-'));
    const others: RunningLoop[] = [];
    try {
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'other', namespace: 'default' } };
      const binding = {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'other' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ kind: 'ServiceAccount', name: 'other', namespace: 'default' }],
      };
      server.apply(account, binding);
      const tokenFile = join(folder, 'token');
      const renew = () => writeFileSync(tokenFile, server.kubectl(['create', 'token', 'other']));
      renew();
      for (const loop of loops.splice(0)) await loop.stop();
      // Without the proxies, which know certificates and tokens of their own.
      const byToken: ClusterAccess = { cluster: access.cluster, user: { name: 'other' }, tokenFile };
      others.push(startManager(byToken), startAgent(byToken, node));
      await followed('br-other', 'HostInterfaceNotFound');
      server.kubectl(['delete', 'serviceaccount', 'other']);
      const former = readFileSync(tokenFile, 'utf8');
      // With the process goes what it remembers of tokens.
      await server.replaceCertificate();
      await eventually('they say that their token is refused', () =>
        others.every(({ lines }) => lines.some((line) => line.includes('HTTP 401'))),
      );
      server.apply(account);
      renew();
      expect(readFileSync(tokenFile, 'utf8')).to.not.equal(former);
      const version = async () => Number((await objects())[0]?.metadata.resourceVersion);
      const before = await version();
      await followed('br-blue', 'AllNodesReady');
      expect(await version()).to.be.greaterThan(before);
      await expectAsUndisturbed();
    } finally {
      for (const loop of others) await loop.stop();
      rmSync(folder, { recursive: true, force: true });
      startLoops();
    }
  });
});
