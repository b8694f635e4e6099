import { expect } from 'chai';
import { WRITES_AT_ONCE } from '../../../src/control/cluster/cluster-loop.ts';
import { pathOf } from '../../../src/adapters/kubernetes/paths.ts';
import { customResourceDefinitions } from '../../../src/domain/api/definitions/custom-resource-definition.ts';
import { kinds } from '../../../src/domain/api/kinds.ts';
import type { UplinkState } from '../../../src/domain/api/uplink-state.ts';
import { LEASE_TIMES } from '../../../src/adapters/kubernetes/lease-leadership.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { ovnUplinksProcess } from '../command.ts';
import { clusterOf } from '../lab/clusters.ts';
import { stateOf } from '../uplink-state.ts';
import { Administrator } from './administrator.ts';
import { TestApiServer } from './api-server.ts';
import { inParallel } from './many-nodes.ts';
import { ManagerProcess } from './manager-process.ts';
import { kindsServed } from './served-config.ts';

/** The fields of objects that are read here. */
interface Stored {
  readonly metadata: {
    readonly name: string;
    readonly generation: number;
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
  };
  readonly spec: { readonly nodeConfigs: readonly { readonly hostInterfaceName: string }[] };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string;
}

const FINALIZER = 'k8s.ovn.org/uplink-protection';
const HOUR = 3_600_000;

/** More than are written at once. */
const networks = Array.from({ length: WRITES_AT_ONCE + 2 }, (_, index) => `tenant-${index}`);
const cluster = clusterOf(
  networks.map((name) => ({ name, device: 'br-blue' })),
  { devices: ['br-blue'] },
);

/** The state of the only uplink on the only node, and of all networks on it: `Ready`, or why they are not. */
function stateOfAll(reason: string): UplinkState {
  const state = stateOf('worker-a', reason);
  const { networks: of = [], ...status } = state.status!;
  return { ...state, status: { ...status, networks: networks.map((name) => ({ ...of[0]!, name })) } };
}

describe('a cluster manager under faults', () => {
  let server: TestApiServer;
  let administrator: Administrator;
  const managers: ManagerProcess[] = [];

  before(async () => {
    server = await TestApiServer.start();
    administrator = await Administrator.of(server);
    server.apply(...customResourceDefinitions());
    await kindsServed(server);
    for (const object of [...cluster.nodes, ...cluster.uplinks, ...cluster.clusterUserDefinedNetworks])
      await administrator.apply(object);
    await administrator.apply(stateOfAll('Ready'));
  });
  after(async () => {
    administrator.close();
    await server.stop();
  });
  afterEach(async () => {
    for (const manager of managers.splice(0)) await manager.stop();
  });

  /** Starts a cluster manager that leads, or that waits for leadership. */
  async function start(role: 'leading' | 'waiting for leadership'): Promise<ManagerProcess> {
    const manager = await ManagerProcess.start(server);
    managers.push(manager);
    await manager.untilLogged(`"${role}"`);
    return manager;
  }

  const stored = async (kind: string, name: string) => (await administrator.get(kind, name)) as unknown as Stored;

  /** The condition of each network. */
  const conditions = () =>
    Promise.all(
      networks.map(async (name) => (await stored('ClusterUserDefinedNetwork', name)).status?.conditions?.[0]),
    );

  /** Has all networks turn ready, or not, and waits until their conditions say so. */
  async function turn(reason: 'Ready' | 'GatewayRouterFailed'): Promise<readonly Condition[]> {
    await administrator.apply(stateOfAll(reason));
    return await untilTurned(reason);
  }

  async function untilTurned(reason: 'Ready' | 'GatewayRouterFailed'): Promise<readonly Condition[]> {
    const status = reason === 'Ready' ? 'True' : 'False';
    let now: readonly (Condition | undefined)[] = [];
    await eventually(`all networks are UplinksReady ${status}`, async () => {
      now = await conditions();
      return now.every((each) => each?.status === status);
    });
    return now as readonly Condition[];
  }

  async function versions(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const kind of [kinds.uplinks, kinds.uplinkStates, kinds.clusterUserDefinedNetworks]) {
      const { items } = await administrator.send({ method: 'GET', path: pathOf(kind) });
      for (const { metadata } of items as readonly Stored[])
        found.push(`${kind.kind}/${metadata.name} ${metadata.resourceVersion}`);
    }
    return found;
  }

  /** One that nothing has happened to would write nothing. */
  async function expectAsUndisturbed(): Promise<void> {
    const before = await versions();
    const { exitCode, stderr } = await ovnUplinksProcess([
      ...['cluster-manager', '--once', '--kubeconfig', server.kubeconfig],
    ]);
    expect(exitCode, stderr).to.equal(0);
    expect(await versions()).to.deep.equal(before);
  }

  it('stays the leader if its clock jumps by an hour, forth or back, and writes no more than without', async () => {
    const leader = await start('leading');
    const standby = await start('waiting for leadership');
    const counts: number[] = [];
    for (const ahead of [HOUR, -HOUR]) {
      const before = leader.writes.length;
      await leader.setClock(ahead);
      const requests = [leader, standby].map((each) => each.leaseRequests);
      await eventually('the lease is renewed, and seen by the other', () =>
        [leader, standby].every((each, index) => each.leaseRequests > requests[index]! + 1),
      );
      expect(leader.writes.length - before).to.equal(0);
      await turn('GatewayRouterFailed');
      const times = (await turn('Ready')).map(({ lastTransitionTime }) => Date.parse(lastTransitionTime));
      for (const time of times) expect(time - Date.now()).to.be.closeTo(ahead, 30_000);
      counts.push(leader.writes.length - before);
    }
    process.stdout.write(`      ${counts.join(', ')} writes with each clock\n`);
    expect(new Set(counts)).to.deep.equal(new Set([2 * networks.length]));
    expect(standby.log).to.not.include('"leading"');
    expect(standby.writes).to.deep.equal([]);
    await expectAsUndisturbed();
  });

  it('keeps finalizer and conditions right, and the fields of others, while a hundred clients write an Uplink', async () => {
    const manager = await start('leading');
    const path = `${pathOf(kinds.uplinks)}/busy`;
    const merge = async (body: object) => {
      await administrator.send({ method: 'PATCH', path, contentType: 'application/merge-patch+json', body });
    };
    const apply = async (fieldManager: string, fields: object, subresource = '') => {
      await administrator.send({
        method: 'PATCH',
        path: `${path}${subresource}`,
        query: { fieldManager },
        body: { apiVersion: 'k8s.ovn.org/v1alpha1', kind: 'Uplink', metadata: { name: 'busy' }, ...fields },
      });
    };
    const spec = (hostInterfaceName: string) => ({
      nodeConfigs: [{ type: 'OVSBridge', nodeSelector: { matchLabels: { no: 'node' } }, hostInterfaceName }],
    });
    const condition = (type: string) => ({
      ...{ type, reason: 'Written', status: 'True', message: '', lastTransitionTime: '2026-01-02T03:04:05Z' },
    });
    /** The action of each writer. */
    const writers: readonly ((name: string) => Promise<void>)[] = [
      (name) => apply(name, { metadata: { name: 'busy', labels: { [name]: 'yes' } } }),
      (name) => merge({ metadata: { annotations: { [name]: 'yes' } } }),
      (name) => merge({ spec: spec(`br-of-${name.slice(-2)}`) }),
      async (name) => {
        await apply(name, { metadata: { name: 'busy', finalizers: [`example.org/${name}`] } });
        await apply(name, { status: { conditions: [condition(`Type${name.slice(-2)}`)] } }, '/status');
      },
    ];
    const names = Array.from({ length: 100 }, (_, index) => `writer-${String(index).padStart(2, '0')}`);
    const namesOf = (which: number) => names.filter((_, index) => index % writers.length === which);
    const network = cluster.clusterUserDefinedNetworks[0]!;
    await administrator.apply({
      ...network,
      metadata: { name: 'busy' },
      spec: { ...network.spec, uplinks: ['busy'] },
    });
    await apply('administrator', { spec: spec('br-busy') });
    // An API server tries a write again until no other was faster: more of them at once take minutes.
    await inParallel([...names.entries()], ([index, name]) => writers[index % writers.length]!(name), 10);
    const generation = 1 + namesOf(2).length;
    const degradedOf = ({ status }: Stored) => status?.conditions?.find(({ type }) => type === 'Degraded');
    await eventually(
      'the condition is about the last spec',
      async () => degradedOf(await stored('Uplink', 'busy'))?.observedGeneration === generation,
    );
    const { metadata, spec: kept, status } = await stored('Uplink', 'busy');
    expect(metadata.generation).to.equal(generation);
    expect(metadata.labels).to.deep.equal(Object.fromEntries(namesOf(0).map((name) => [name, 'yes'])));
    expect(metadata.annotations).to.deep.equal(Object.fromEntries(namesOf(1).map((name) => [name, 'yes'])));
    expect(kept.nodeConfigs[0]?.hostInterfaceName).to.match(/^br-of-\d\d$/);
    expect(metadata.finalizers).to.have.members([FINALIZER, ...namesOf(3).map((name) => `example.org/${name}`)]);
    const expected = [...namesOf(3).map((name) => `Type${name.slice(-2)} Written`), 'Degraded NoNodesSelected'];
    expect(status?.conditions?.map(({ type, reason }) => `${type} ${reason}`)).to.have.members(expected);
    const writes = manager.writes.filter((each) => each.startsWith('/uplinks/busy'));
    process.stdout.write(`      ${writes.length} writes, where the spec has changed ${generation - 1} times\n`);
    expect(writes.filter((each) => !each.endsWith('/status'))).to.have.length(1);
    expect(writes.length).to.be.at.most(generation + 1);
    await merge({ metadata: { finalizers: metadata.finalizers!.filter((each) => each !== FINALIZER) } });
    await eventually('the finalizer is back', async () =>
      ((await stored('Uplink', 'busy')).metadata.finalizers ?? []).includes(FINALIZER),
    );
    await expectAsUndisturbed();
  });

  it('writes nothing more, reports it and exits, if it was stopped until another one leads, which has all objects already', async () => {
    const first = await start('leading');
    const second = await start('waiting for leadership');
    await eventually('the other has asked for all lists', () => second.listRequests === first.listRequests);
    const { listRequests } = second;
    expect(listRequests).to.be.above(3);
    const [isWriting, answered] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    // It is stopped when some objects are written, as many as it writes at once, and the others are still to be.
    let written = 0;
    first.proxy.fault = {
      async *lines(lines, { method, url }) {
        if (method === 'PATCH' && url.pathname.endsWith('/status')) {
          written += 1;
          if (written === WRITES_AT_ONCE) isWriting.resolve(undefined);
          await answered.promise;
        }
        yield* lines;
      },
    };
    await administrator.apply(stateOfAll('GatewayRouterFailed'));
    await isWriting.promise;
    first.pause();
    const [begin, before] = [performance.now(), first.writes.length];
    await second.untilLogged('"leading"');
    const [taken, seconds] = [performance.now(), (from: number) => ((performance.now() - from) / 1000).toFixed(1)];
    process.stdout.write(`      another leads after ${seconds(begin)} s`);
    // What is left of the lease, and until it looks again.
    expect(taken - begin).to.be.below(2 * LEASE_TIMES.lease);
    await untilTurned('GatewayRouterFailed');
    process.stdout.write(`, and has written all conditions ${seconds(taken)} s later\n`);
    expect(performance.now() - taken).to.be.below(LEASE_TIMES.lease);
    expect(second.listRequests).to.equal(listRequests);
    await turn('Ready');
    answered.resolve(undefined);
    const ended = first.ended();
    first.resume();
    expect(await ended).to.equal(1);
    expect(first.log).to.match(/"lost leadership, exiting: it was not renewed within 10 s: /);
    expect(first.writes.slice(before)).to.deep.equal([]);
    expect(second.writes).to.have.length(networks.length - WRITES_AT_ONCE + networks.length);
    expect((await conditions()).map((each) => each?.status)).to.deep.equal(networks.map(() => 'True'));
    await expectAsUndisturbed();
  });
});
