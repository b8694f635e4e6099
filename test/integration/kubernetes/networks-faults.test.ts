import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import { KubernetesApi } from '../../../src/adapters/kubernetes/kubernetes-api.ts';
import { accessOfKubeconfig, type ClusterAccess } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { customResourceDefinitions } from '../../../src/domain/api/definitions/custom-resource-definition.ts';
import { kinds } from '../../../src/domain/api/kinds.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { Administrator } from './administrator.ts';
import { TestApiServer } from './api-server.ts';
import { type Fault, FaultProxy } from './fault-proxy.ts';
import { DisturbedWrites, disturbedNames } from './faults.ts';
import { runManagerOnce, startManager } from './loops.ts';
import { clusterNetwork, namespace, NETWORK, node } from './network-objects.ts';
import { otherDefinitions } from './other-definitions.ts';

const DEFINITION = 'NetworkAttachmentDefinition';
const CLAIMS = 'ovn-uplinks/ovn-uplinks-ids';
const ID = 'k8s.ovn.org/network-id';

/** A network to which nothing happens. */
const UNDISTURBED = 'undisturbed';

/** Writes of one object at most while it is created or deleted and nothing is disturbed: of its metadata, or of its status. */
const WRITES = 3;

/** Milliseconds of an outage. */
const AWAY = 3000;

/** Milliseconds by which one sees claims late. */
const CLAIMS_DELAY = 500;

/** An object, as far as it is looked at here. */
interface Stored {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly uid: string }[];
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

async function* late(lines: AsyncIterable<string>): AsyncIterable<string> {
  for await (const line of lines) {
    await pause(CLAIMS_DELAY);
    yield line;
  }
}

describe('a cluster manager that provides networks, whose API server fails', () => {
  let server: TestApiServer;
  let administrator: Administrator;
  let access: ClusterAccess;

  before(async () => {
    server = await TestApiServer.start();
    administrator = await Administrator.of(server);
    server.apply(...customResourceDefinitions(), ...otherDefinitions);
    server.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ovn-uplinks' } });
    server.apply(node('worker-a'), node('worker-b'));
    const reading = await accessOfKubeconfig(server.kubeconfig);
    if (!reading.read) throw new Error(JSON.stringify(reading.problems));
    access = reading.value;
    // An API server serves a kind some time after it has got the definition.
    for (const { kind } of Object.values(kinds)) await administrator.list(kind);
    await runManagerOnce(access, 'all');
  });
  after(async () => {
    administrator.close();
    await server.stop();
  });

  const listOf = async (kind: string) => (await administrator.list(kind)) as unknown as readonly Stored[];

  /** Creates networks, each in a namespace of its own. */
  async function apply(names: readonly string[]): Promise<void> {
    server.apply(...names.map((name) => namespace(name, name)));
    for (const name of names) await administrator.apply(clusterNetwork(name));
  }

  async function remove(names: readonly string[]): Promise<void> {
    for (const name of names) await administrator.delete(NETWORK, name);
  }

  async function areReady(names: readonly string[]): Promise<boolean> {
    const networks = await listOf(NETWORK);
    return names.every((name) => {
      const conditions = networks.find(({ metadata }) => metadata.name === name)?.status?.conditions ?? [];
      return conditions.length === 4 && conditions.every(({ status }) => status === 'True');
    });
  }

  async function areGone(names: readonly string[]): Promise<boolean> {
    const left = [...(await listOf(NETWORK)), ...(await listOf(DEFINITION))].map(({ metadata }) => metadata.name);
    const { data = {} } = ((await administrator.get('ConfigMap', CLAIMS)) ?? {}) as Partial<Stored>;
    const claimed = Object.values(data).map((claim) => claim.split(' ')[0]);
    return !names.some((name) => left.includes(name) || claimed.includes(`cluster_udn_${name}`));
  }

  /** No id is given twice, and each is the one that is claimed. */
  async function expectConsistent(): Promise<void> {
    const { data = {} } = (await administrator.get('ConfigMap', CLAIMS)) as unknown as Stored;
    const networks = await listOf(NETWORK);
    const claims = new Map(networks.map(({ metadata: { name, uid } }) => [`cluster_udn_${name} ${uid}`, uid]));
    const ids = new Map(
      Object.entries(data).flatMap(([key, claim]) => {
        const uid = claims.get(claim);
        return uid === undefined ? [] : [[uid, key.replace('network-', '')] as const];
      }),
    );
    for (const { metadata } of networks)
      expect(metadata.annotations?.[ID], metadata.name).to.equal(ids.get(metadata.uid));
    for (const { metadata } of await listOf(DEFINITION))
      expect(metadata.annotations?.[ID], metadata.name).to.equal(ids.get(metadata.ownerReferences?.[0]?.uid ?? ''));
    expect(new Set(ids.values()).size).to.equal(networks.length);
  }

  /** A cluster manager to which nothing happens would write nothing. */
  async function expectAsUndisturbed(): Promise<void> {
    const versions = async () =>
      (await Promise.all([NETWORK, DEFINITION, 'ConfigMap', 'Node'].map(listOf)))
        .flat()
        .map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`);
    const before = await versions();
    await runManagerOnce(access, 'all');
    expect(await versions()).to.deep.equal(before);
  }

  /** The network and the definition of a name, with nothing in them that says which they are, or when they were written. */
  async function without(name: string): Promise<string> {
    const own = [...(await listOf(NETWORK)), ...(await listOf(DEFINITION))].filter(
      ({ metadata }) => metadata.name === name,
    );
    return own
      .map((object) =>
        JSON.stringify(object, (key, value: unknown) =>
          /^(uid|resourceVersion|managedFields|creationTimestamp|lastTransitionTime)$/.test(key) ? undefined : value,
        ),
      )
      .join('\n')
      .replaceAll(name, 'NAME')
      .replaceAll(/network-id":"\d+"/g, 'network-id":"ID"')
      .replaceAll(/network id \d+/g, 'network id ID');
  }

  /** Disturbs writes of the claims as well, each in another way. */
  function disturbClaims(fault: Fault): Fault {
    const answers = ['unanswered', { status: 500, body: 'Internal Server Error' }, 'dropped', 'repeated'] as const;
    let count = 0;
    return {
      ...fault,
      answer: (request) =>
        request.method !== 'GET' && request.path.includes('/configmaps') ? answers[count++] : fault.answer?.(request),
    };
  }

  /** How often an object was written at most, of its metadata or of its status. */
  function mostWrites(proxy: FaultProxy, ofClaims: boolean): number {
    const counts = new Map<string, number>();
    for (const path of proxy.writes.filter((each) => each.includes('/configmaps') === ofClaims))
      counts.set(path, (counts.get(path) ?? 0) + 1);
    return Math.max(...counts.values());
  }

  it('writes the same objects as without if each of its writes is disturbed once, and repeats them, once', async () => {
    const proxy = await FaultProxy.before(access);
    const disturbed = new DisturbedWrites();
    proxy.fault = disturbClaims(disturbed);
    const names = [UNDISTURBED, ...disturbedNames];
    const manager = startManager(proxy.access, 'all');
    try {
      await apply(names);
      await eventually('all are ready', () => areReady(names));
      const expected = await without(UNDISTURBED);
      expect(expected.split('\n')).to.have.length(2);
      for (const name of disturbedNames) expect(await without(name), name).to.equal(expected);
      for (const name of disturbedNames) {
        const seen = [...disturbed.seen].filter((each) => each.includes(`/${name}`));
        const kindsOfWrites = seen.map((each) =>
          each.replace(/ .*\/(clusteruserdefinednetworks|network-attachment-definitions)\/[^/]*/, ' $1'),
        );
        expect(kindsOfWrites.sort(), name).to.deep.equal([
          'PATCH clusteruserdefinednetworks',
          'PATCH clusteruserdefinednetworks/status',
          'POST network-attachment-definitions',
        ]);
      }
      await expectConsistent();
      expect(mostWrites(proxy, false), JSON.stringify(proxy.writes)).to.be.at.most(WRITES + 2);
      await expectAsUndisturbed();

      proxy.writes.splice(0);
      const deletions = new DisturbedWrites();
      proxy.fault = disturbClaims(deletions);
      await remove(names);
      await eventually('all are gone, with their claims', () => areGone(names));
      for (const name of disturbedNames)
        expect(
          [...deletions.seen].some((each) => each.startsWith('DELETE ') && each.includes(`/${name}`)),
          name,
        ).to.equal(true);
      expect(mostWrites(proxy, false), JSON.stringify(proxy.writes)).to.be.at.most(WRITES + 4);
      await expectAsUndisturbed();
    } finally {
      await manager.stop();
      await proxy.stop();
    }
  });

  it('ends in the same state wherever it is killed, and another one takes over', async () => {
    await apply(['reference']);
    await runManagerOnce(access, 'all');
    const expected = await without('reference');

    /** Runs a cluster manager until it has written so often; whether it was killed then. */
    async function killedAfter(writes: number): Promise<boolean> {
      const proxy = await FaultProxy.before(access);
      let count = 0;
      let isKilled = false;
      proxy.fault = {
        answer({ method }) {
          if (isKilled) return 'dropped';
          if (method !== 'GET') count += 1;
          isKilled = count > writes;
          return isKilled ? 'dropped' : undefined;
        },
      };
      const manager = startManager(proxy.access, 'all');
      await eventually('it is killed, or has nothing to do', async () => isKilled || (await isSettled()));
      await manager.stop();
      await proxy.stop();
      return isKilled;
    }

    let isSettled: () => Promise<boolean> = () => Promise.resolve(false);
    let killed = 0;
    for (let writes = 0, isKilled = true; isKilled; writes += 1) {
      const name = `killed-${writes}`;
      await apply([name]);
      isSettled = () => areReady([name]);
      isKilled = await killedAfter(writes);
      await runManagerOnce(access, 'all');
      expect(await without(name), name).to.equal(expected);
      await expectConsistent();
      killed += Number(isKilled);
    }
    const created = killed;
    for (let writes = 0, isKilled = true; isKilled; writes += 1) {
      const name = `killed-${writes % (created + 1)}`;
      await apply([name]);
      await runManagerOnce(access, 'all');
      await remove([name]);
      isSettled = () => areGone([name]);
      isKilled = await killedAfter(writes);
      await runManagerOnce(access, 'all');
      expect(await areGone([name]), name).to.equal(true);
      killed += Number(isKilled);
    }
    process.stdout.write(`      killed ${killed} times\n`);
    expect(killed).to.be.above(8);
    await expectAsUndisturbed();
  });

  it('gives no id twice, and none another one, if two lead for a while, and one sees the claims late', async () => {
    const names = (text: string) => Array.from({ length: 6 }, (_, index) => `${text}-${index}`);
    const proxy = await FaultProxy.before(access);
    proxy.fault = { lines: (lines, { path }) => (path.includes('/configmaps') ? late(lines) : lines) };
    const observer = new KubernetesApi(new ApiServer(access), {});
    /** The ids that each network has had, by its uid. */
    const ids = new Map<string, Set<string>>();
    const twice: string[] = [];
    const observe = async () => {
      const reading = await observer.read();
      const networks = reading.read ? reading.value.snapshot.clusterUserDefinedNetworks : [];
      const given = networks.flatMap(({ metadata }) => metadata.annotations?.[ID] ?? []);
      twice.push(...given.filter((id, index) => given.indexOf(id) !== index));
      for (const { metadata } of networks) {
        const id = metadata.annotations?.[ID];
        if (id !== undefined) ids.set(metadata.uid ?? '', (ids.get(metadata.uid ?? '') ?? new Set()).add(id));
      }
    };
    observer.onChange(() => void observe());
    await observe();
    const managers = [startManager(access, 'all'), startManager(proxy.access, 'all')];
    try {
      await apply(names('first'));
      await eventually('the first ones are ready', () => areReady(names('first')));
      server.apply(...names('second').map((name) => namespace(name, name)));
      for (const [index, name] of names('second').entries()) {
        await remove([`first-${index}`]);
        await administrator.apply(clusterNetwork(name));
      }
      await eventually('the first ones are gone', () => areGone(names('first')));
      await eventually('the second ones are ready', () => areReady(names('second')));
      await expectConsistent();
    } finally {
      for (const manager of managers) await manager.stop();
      await observer.close();
      await proxy.stop();
    }
    expect(twice).to.deep.equal([]);
    expect([...ids.values()].filter(({ size }) => size > 1)).to.deep.equal([]);
    expect(ids.size).to.be.at.least(12);
    // The last one to write may have been the one that was late.
    await runManagerOnce(access, 'all');
    expect(await areReady(names('second'))).to.equal(true);
    await expectConsistent();
    await expectAsUndisturbed();
  });

  it('follows what has happened while the API server was away', async () => {
    const proxy = await FaultProxy.before(access);
    const manager = startManager(proxy.access, 'all');
    try {
      await apply(['before']);
      await eventually('it is ready', () => areReady(['before']));
      proxy.fault = { answer: () => 'dropped' };
      proxy.cut();
      await apply(['meanwhile']);
      await remove(['before']);
      await pause(AWAY);
      expect(await areReady(['meanwhile'])).to.equal(false);
      proxy.fault = {};
      await eventually('one is ready', () => areReady(['meanwhile']));
      await eventually('the other one is gone', () => areGone(['before']));
    } finally {
      await manager.stop();
      await proxy.stop();
    }
    await expectAsUndisturbed();
  });

  it('leaves nothing of networks once all are deleted', async () => {
    const names = (await listOf(NETWORK)).map(({ metadata }) => metadata.name);
    server.kubectl(['delete', 'cudn', '--all', '--wait=false']);
    await runManagerOnce(access, 'all');
    expect(await areGone(names)).to.equal(true);
    const { data = {} } = (await administrator.get('ConfigMap', CLAIMS)) as unknown as Stored;
    expect(Object.keys(data)).to.deep.equal(['node-2', 'node-3']);
  });
});
