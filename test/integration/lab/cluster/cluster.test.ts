import { expect } from 'chai';
import { load } from 'js-yaml';
import { eventually } from '../../../unit/adapters/processes.ts';
import { Administrator } from '../../kubernetes/administrator.ts';
import { applyConfig, LabCluster } from './lab-cluster.ts';
import { NodeAgent } from '../agent/node-agent.ts';
import type { LabNode } from '../node.ts';
import { expectAnswers, podsAndHosts } from '../packets/clients.ts';
import { podNamespace } from '../packets/own-half.ts';
import { carrying } from '../packets/packet-node.ts';
import { SteadyTraffic } from '../packets/steady.ts';
import { blue, bridgeOf, common, red, type Tenant } from '../packets/tenant.ts';
import { type ClusterNode, clusterOfRacks as cluster, workerA, workerOfRackB } from './cluster-nodes.ts';
import { type NodeState, stateDifferences, stateOfNode } from './node-end-state.ts';

const places = [workerA, workerOfRackB];
const bridges = [blue, red].map(({ uplink }) => bridgeOf(uplink));

/** Questions a second of each pod and host. */
const RATE = 50;

/** The fields of objects that are read here. */
interface Stored {
  readonly metadata: { readonly finalizers?: readonly string[]; readonly deletionTimestamp?: string };
  readonly status?: { readonly networks?: readonly { readonly ready: string; readonly vrf?: string }[] };
}

/** The streams of a node's tenants: of pods and the host, in both families. */
function streamsOf(tenants: readonly Tenant[]) {
  return tenants.flatMap((tenant) =>
    common.outside.flatMap((to) =>
      [{ from: podNamespace(tenant) }, { device: tenant.name }].map((client) => ({ ...client, to, rate: RATE })),
    ),
  );
}

/** A status without times and generations, which a folder of files does not have. */
function timeless(status: unknown): unknown {
  return JSON.parse(
    JSON.stringify(status, (key, value: unknown) =>
      key === 'lastTransitionTime' || key === 'observedGeneration' ? undefined : value,
    ),
  );
}

describe('two tenants of a cluster with a node on each of two machines, with other interfaces in each rack', () => {
  let lab: LabCluster;
  let administrator: Administrator;
  let nodes: readonly LabNode[];
  let agents: NodeAgent[];
  let untouched: NodeState;
  let programmed: NodeState;
  let statuses: Readonly<Record<string, unknown>>;

  const stored = async (kind: string, name: string) => (await administrator.get(kind, name)) as Stored | undefined;
  const onEach = async (work: (node: LabNode, place: ClusterNode, index: number) => Promise<void>) => {
    await Promise.all(nodes.map((node, index) => work(node, places[index]!, index)));
  };
  const stateOfWorkerA = () => stateOfNode(nodes[0]!, bridges);

  /** Starts an agent on each node, and waits until each has logged what matches a pattern. */
  const startAgents = (pattern: string) =>
    onEach(async (node, _, index) => {
      const { length } = Buffer.from(await agents[index]!.log());
      agents[index] = await lab.startAgent(node);
      await agents[index].untilLogged(`\\A.{${length}}.*${pattern}`);
    });
  const stopAgents = () => Promise.all(agents.map((agent) => agent.stop()));

  /** Waits until network red is ready on each node in a VRF, or without one. */
  const redIsReadyIn = async (vrf: string | undefined) => {
    for (const { name } of places)
      await eventually(`red is ready on ${name} in ${vrf ?? 'the default routing domain'}`, async () => {
        const { networks } = (await stored('UplinkState', `uplink-1.${name}`))?.status ?? {};
        return networks?.[0]?.ready === 'True' && networks[0].vrf === vrf;
      });
  };

  before(async () => {
    lab = await LabCluster.start();
    administrator = await Administrator.of(lab.server);
    await lab.install();
    nodes = await Promise.all(places.map((place) => lab.newNode(place)));
    untouched = await stateOfWorkerA();
    await lab.apply(cluster);
    await lab.startManager();
    await onEach((node) => lab.newToken(node));
    agents = await Promise.all(nodes.map((node) => lab.startAgent(node)));
  });
  after(async () => {
    administrator.close();
    await lab.stop();
  });

  it('are programmed on both, as kubectl shows', async () => {
    lab.server.kubectl(['wait', '--for=condition=UplinksReady', 'cudn', '--all', '--timeout=90s']);
    lab.server.kubectl(['wait', '--for=condition=Degraded=False', 'uplinks', '--all', '--timeout=60s']);
    const printed = lab.server.kubectl(['get', 'uplinks,uplinkstates,cudn', '--no-headers']);
    const lines = printed.split('\n').filter((line) => line !== '');
    expect(
      lines.map((line) =>
        line
          .replace(/^\w+\.k8s\.ovn\.org\//, '')
          .replace(/ +\d+s *$/, '')
          .split(/ +/)
          .join(' '),
      ),
    ).to.deep.equal([
      'blue-underlay False AllNodesReady',
      'uplink-1 False AllNodesReady',
      'blue-underlay.worker-a blue-underlay worker-a br-blue br-blue True Ready',
      'blue-underlay.worker-b blue-underlay worker-b pf1hpf br-blue True Ready',
      'uplink-1.worker-a uplink-1 worker-a br-red br-red True Ready',
      'uplink-1.worker-b uplink-1 worker-b br-red br-red True Ready',
      'blue Layer3 blue-underlay True UplinksReady',
      'red Layer3 uplink-1 True UplinksReady',
    ]);
    for (const uplink of ['blue-underlay', 'uplink-1'])
      expect((await stored('Uplink', uplink))?.metadata.finalizers).to.deep.equal(['k8s.ovn.org/uplink-protection']);
    const names = ['blue-underlay.worker-a', 'uplink-1.worker-a'];
    statuses = Object.fromEntries(
      await Promise.all(
        names.map(async (name) => [name, timeless((await stored('UplinkState', name))?.status)] as const),
      ),
    );
    programmed = await stateOfWorkerA();
  });

  it('exchange packets with their own providers', () =>
    onEach((node, { tenants }) => expectAnswers(node, podsAndHosts(tenants), { protocol: 'tcp', rounds: 20 })));

  it('lose no packet while there is no API server, and agents that are restarted meanwhile change nothing', async () => {
    const traffic = await Promise.all(
      nodes.map((node, index) => SteadyTraffic.start(node, streamsOf(places[index]!.tenants))),
    );
    await lab.server.stopApiServer();
    await onEach(async (_, __, index) => {
      await agents[index]!.untilLogged('the objects that were read last stay in use');
    });
    await stopAgents();
    await startAgents('cannot read');
    expect(stateDifferences(programmed, await stateOfWorkerA())).to.deep.equal([]);
    const sizes = await Promise.all(agents.map(async (agent) => Buffer.from(await agent.log()).length));
    await lab.server.startApiServer();
    await onEach(async (_, __, index) => {
      await agents[index]!.untilLogged(`\\A.{${sizes[index]!}}.*(nothing to do|settled)`);
    });
    for (const each of traffic) {
      await each.expectNothingLost();
    }
    expect(stateDifferences(programmed, await stateOfWorkerA())).to.deep.equal([]);
  });

  it('follow changes once it is back', async () => {
    lab.server.kubectl(['delete', 'routeadvertisements/red']);
    await redIsReadyIn(undefined);
  });

  it('keep their programming if agents start without permission to read, and follow changes once they have it', async () => {
    // A watch that is established goes on.
    await stopAgents();
    const before = await stateOfWorkerA();
    lab.server.kubectl(['delete', 'clusterrolebinding/ovn-uplinks-node-read']);
    await lab.apply(cluster);
    await startAgents('cannot read');
    expect(stateDifferences(before, await stateOfWorkerA())).to.deep.equal([]);
    lab.server.kubectl(applyConfig);
    await redIsReadyIn('red');
    expect(stateDifferences(programmed, await stateOfWorkerA())).to.deep.equal([]);
  });

  it('recreate a state that somebody deletes, and print after what time', async () => {
    const uidOf = () =>
      lab.server.kubectl([
        'get',
        'uplinkstate/blue-underlay.worker-b',
        '--ignore-not-found',
        '--output=jsonpath={.metadata.uid}/{.status.nodeName}',
      ]);
    const uid = uidOf();
    lab.server.kubectl(['delete', 'uplinkstate/blue-underlay.worker-b']);
    const begin = performance.now();
    await eventually('it is back', () => /.\/worker-b$/.test(uidOf()) && uidOf() !== uid);
    process.stdout.write(`      back after ${(performance.now() - begin).toFixed(0)} ms\n`);
  });

  it('keep a deleted Uplink until its network is deleted', async () => {
    lab.server.kubectl(['delete', 'uplink/blue-underlay', '--wait=false']);
    expect((await stored('Uplink', 'blue-underlay'))?.metadata.deletionTimestamp).to.be.a('string');
    await onEach((node, { tenants }) => expectAnswers(node, podsAndHosts(tenants), { protocol: 'tcp', rounds: 5 }));
    expect(await stored('Uplink', 'blue-underlay')).to.not.equal(undefined);
    await Promise.all([
      onEach((node, { tenants }) =>
        expectAnswers(
          node,
          podsAndHosts(tenants).filter(({ tenant }) => tenant.name === 'red'),
          { protocol: 'udp', rounds: 500 },
        ),
      ),
      eventually('the Uplink and its states are gone', async () => {
        if ((await stored('ClusterUserDefinedNetwork', 'blue')) !== undefined)
          await administrator.delete('ClusterUserDefinedNetwork', 'blue');
        const left = [
          ['Uplink', 'blue-underlay'],
          ...places.map(({ name }) => ['UplinkState', `blue-underlay.${name}`]),
        ];
        return (await Promise.all(left.map(([kind = '', name = '']) => stored(kind, name)))).every(
          (each) => each === undefined,
        );
      }),
    ]);
    await Promise.all(agents.map((agent) => agent.untilForgotten('blue')));
  });

  it('are removed completely, and leave the same rows on a node with the objects in a folder', async () => {
    lab.server.kubectl(['delete', 'cudn/red', 'uplink/uplink-1']);
    await Promise.all(agents.map((agent) => agent.untilForgotten()));
    const [node] = nodes;
    const removed = await stateOfWorkerA();
    expect(stateDifferences(untouched, removed)).to.deep.equal([]);
    await agents[0]!.stop();
    await NodeAgent.prepare(node!, cluster);
    await carrying(node!, workerA.tenants, ['blue-underlay', 'uplink-1']);
    expect(stateDifferences(programmed, await stateOfWorkerA())).to.deep.equal([]);
    for (const [name, status] of Object.entries(statuses)) {
      const text = await node!.read(`/run/manifests/status/UplinkState/${name}.yaml`);
      expect(timeless((load(text) as Stored).status)).to.deep.equal(status);
    }
  });
});
