import { expect } from 'chai';
import { readClaims } from '../../../../src/domain/network/allocation/id-claim.ts';
import { nodeReportName, reportedNetworks } from '../../../../src/domain/network/allocation/node-report.ts';
import { ID_CLAIMS_NAME } from '../../../../src/domain/basics/conventions.ts';
import { defaultSettings } from '../../../../src/domain/index.ts';
import { eventually } from '../../../unit/adapters/processes.ts';
import { ovsVsctl } from '../commands.ts';
import type { LabNode } from '../node.ts';
import { startAnswering } from '../packets/exchange.ts';
import { SteadyTraffic } from '../packets/steady.ts';
import { observed } from '../zones/zone-node.ts';
import { endPod, namespaceOf, portsOf, type ScheduledPod, type StartedPod, startPod } from './lab-pod.ts';
import { answersOf, expectTenantsApart } from './reachability.ts';
import { hasRemotePorts, WholeCluster } from './whole-cluster.ts';
import type { WholePlace } from './whole-node.ts';

const workerA: WholePlace = { name: 'worker-a', address: '198.51.100.10', podSubnet: '10.244.0.0/24' };
const workerB: WholePlace = { name: 'worker-b', address: '198.51.100.11', podSubnet: '10.244.1.0/24' };
const workerC: WholePlace = { name: 'worker-c', address: '198.51.100.12', podSubnet: '10.244.2.0/24' };

/** The tenants, each with a namespace of its name. They have the same subnets. */
const tenants = ['blue', 'red'] as const;

/** Questions a second of a running pod to another one. */
const RATE = 50;

/** Neither the agent of a node nor anything else on it reaches the API server, which does not reach them; nodes reach each other. */
const cutOff = (apiServer: string) =>
  `add table inet cut {
    chain in { type filter hook input priority 0; ip saddr ${apiServer} drop; }
    chain out { type filter hook output priority 0; ip daddr ${apiServer} drop; }
  }`;

describe('nodes of two tenants with the same subnets, which are added, cut off, removed and replaced', () => {
  let cluster: WholeCluster;
  const nodes = new Map<string, LabNode>();
  const pods = new Set<StartedPod>();

  const nodeOf = ({ name }: WholePlace): LabNode => nodes.get(name)!;
  const podsOn = (place: WholePlace, tenant?: string) =>
    [...pods].filter(({ node, namespace }) => node === nodeOf(place) && (tenant ?? namespace) === namespace);

  /** Starts the machine of a node, which joins the cluster, and its agent. */
  async function addNode(place: WholePlace): Promise<LabNode> {
    const node = await cluster.startNode(place);
    nodes.set(place.name, node);
    await cluster.register(place);
    await cluster.startAgent(node);
    return node;
  }

  /** Starts pods on a node, which answer. */
  async function startPods(place: WholePlace, scheduled: readonly Omit<ScheduledPod, 'node'>[]): Promise<void> {
    const started: StartedPod[] = [];
    for (const pod of scheduled) {
      const onNode = { ...pod, node: nodeOf(place) };
      started.push({ ...onNode, addresses: await startPod(onNode) });
    }
    await startAnswering(nodeOf(place), started.map(namespaceOf));
    for (const pod of started) pods.add(pod);
  }

  /** Creates a pod of each tenant on a node and starts it. */
  async function addPods(place: WholePlace, ofTenants: readonly string[], name = 'first'): Promise<void> {
    const scheduled: ScheduledPod[] = [];
    for (const tenant of ofTenants)
      scheduled.push(await cluster.newObject(nodeOf(place), tenant, `${name}-on-${place.name}`));
    await startPods(place, scheduled);
  }

  /** Ends the machine of a node at once, and deletes its pods and then the Node, as the cluster and an administrator do. */
  async function removeNode(place: WholePlace): Promise<void> {
    for (const pod of podsOn(place)) {
      cluster.deleteObject(pod);
      pods.delete(pod);
    }
    await cluster.lab.endMachine(place.name);
    nodes.delete(place.name);
    cluster.lab.server.kubectl(['delete', `node/${place.name}`]);
  }

  /** All pods reach all of their own tenant, and none of another. @param also pods without an object */
  async function expectReached(also: readonly StartedPod[] = []): Promise<void> {
    await Promise.all([...nodes.values()].map((node) => expectTenantsApart(node, [...pods, ...also])));
  }

  /** Packets between running pods of each tenant on two nodes, in both families. */
  function trafficBetween(from: WholePlace, to: WholePlace): Promise<SteadyTraffic> {
    const streams = tenants.flatMap((tenant) => {
      const [client] = podsOn(from, tenant) as [StartedPod];
      const [server] = podsOn(to, tenant) as [StartedPod];
      return server.addresses.map((address) => ({ from: namespaceOf(client), to: address, rate: RATE }));
    });
    return SteadyTraffic.start(nodeOf(from), streams);
  }

  /** The names of the chassis of other nodes that a node has, and of those rows of it that name a node. */
  async function rowsOn(place: WholePlace, about: WholePlace): Promise<readonly string[]> {
    const { chassis, remotePorts, northbound } = await observed(nodeOf(place));
    return [
      ...chassis.map(({ name }) => name),
      ...remotePorts.map(({ port }) => port),
      ...northbound.map((row) => JSON.stringify(row)),
    ].filter((text) => text.includes(about.name));
  }

  async function dataOf(configMap: string): Promise<Readonly<Record<string, string>>> {
    const stored = await cluster.administrator.get('ConfigMap', `${defaultSettings.namespace}/${configMap}`);
    return stored?.['data'] as Readonly<Record<string, string>>;
  }
  const claims = async () => readClaims(await dataOf(ID_CLAIMS_NAME));
  const claimOf = async (tenant: string) =>
    (await claims()).network.find(({ name }) => name === `cluster_udn_${tenant}`);
  const idsUsedOn = async (node: string) => reportedNetworks(await dataOf(nodeReportName(node)))!;

  before(async () => {
    cluster = await WholeCluster.start();
    await Promise.all([workerA, workerB].map(addNode));
    cluster.createTenants(tenants);
    await cluster.untilReady(tenants, [...nodes.values()]);
    for (const place of [workerA, workerB]) await addPods(place, tenants);
    // Their addresses are of no pod of the other tenant.
    await addPods(workerA, ['red'], 'second');
    await addPods(workerB, ['blue'], 'second');
    for (const place of [workerA, workerB]) await hasRemotePorts(nodeOf(place), tenants.length);
  });
  after(() => cluster.stop());

  it('reach pods on a node that is added, and lose no packet of running pods', async () => {
    const traffic = await trafficBetween(workerA, workerB);
    const added = await addNode(workerC);
    await cluster.untilCreated(tenants, [added]);
    await addPods(workerC, tenants);
    for (const node of nodes.values()) await hasRemotePorts(node, 2 * tenants.length);
    await expectReached();
    await traffic.expectNothingLost([...nodes.values()]);
  });

  it('keep the id of a network that is deleted while a node is cut off until that node has let go of it', async () => {
    cluster.createTenants(['green']);
    await cluster.untilReady(['green'], [...nodes.values()]);
    await addPods(workerA, ['green']);
    await addPods(workerC, ['green']);
    const [there] = podsOn(workerA, 'green') as [StartedPod];
    const [lonely] = podsOn(workerC, 'green') as [StartedPod];
    await eventually('they reach each other', async () => (await answersOf(lonely, there.addresses[0]!)) === 1);
    const { id } = (await claimOf('green'))!;

    const traffic = await trafficBetween(workerC, workerA);
    await nodeOf(workerC).does(['nft', cutOff(cluster.lab.server.address)]);
    await cluster.deletePod(there);
    cluster.deleteObject(lonely);
    for (const pod of [there, lonely]) pods.delete(pod);
    cluster.lab.server.kubectl(['delete', 'cudn/green', '--timeout=60s']);
    cluster.createTenants(['yellow']);
    const reachable = [workerA, workerB];
    await cluster.untilCreated(['yellow'], [...nodes.values()]);
    for (const place of reachable) await addPods(place, ['yellow']);
    for (const { name } of reachable)
      await eventually(`${name} has let go of green`, async () => !(await idsUsedOn(name)).has(id));
    expect(await claimOf('green')).to.include({ id, released: true });
    expect((await claimOf('yellow'))?.id).to.not.equal(id);
    // The pod still runs, as its kubelet knows nothing of all this, and pods of yellow have the addresses of its own.
    expect(reachable.flatMap((place) => podsOn(place, 'yellow')).map(({ addresses }) => addresses)).to.deep.include(
      there.addresses,
    );
    await expectReached([lonely]);
    await traffic.expectNothingLost([...nodes.values()]);

    await nodeOf(workerC).does(['nft', 'delete table inet cut']);
    await endPod(lonely);
    await eventually('nobody uses the id', async () => (await claimOf('green')) === undefined);
    cluster.createTenants(['orange']);
    await cluster.untilReady(['yellow', 'orange'], [...nodes.values()]);
    expect((await claimOf('orange'))?.id).to.equal(id);
    await addPods(workerC, ['yellow']);
    await expectReached();
  });

  it('reach pods on a machine that replaces another one of the same name, and lose no packet of others', async () => {
    const traffic = await trafficBetween(workerA, workerC);
    await removeNode(workerB);
    const replaced = await addNode(workerB);
    await cluster.untilCreated(tenants, [replaced]);
    await addPods(workerB, tenants, 'new');
    const { network } = await claims();
    for (const node of nodes.values()) await hasRemotePorts(node, 2 * network.length);
    await expectReached();
    await traffic.expectNothingLost([...nodes.values()]);
  });

  it('reach pods on a node that gets another chassis, and lose no packet of others', async () => {
    const traffic = await trafficBetween(workerA, workerC);
    // As the manual has it where ovn-controller goes on (ovn-controller(8), system-id).
    const former = workerB.name;
    await nodeOf(workerB).does(ovsVsctl`set open_vswitch . external_ids:system-id=reinstalled`, [
      'ovn-sbctl',
      'destroy',
      'Chassis',
      former,
      '--',
      'destroy',
      'Chassis_Private',
      former,
    ]);
    for (const place of [workerA, workerC])
      await eventually(`${place.name} has the new chassis`, async () =>
        (await observed(nodeOf(place))).chassis.some(({ name }) => name === 'reinstalled'),
      );
    const [to] = podsOn(workerB, 'blue') as [StartedPod];
    for (const place of [workerA, workerC]) {
      const [from] = podsOn(place, 'blue') as [StartedPod];
      await eventually('they reach each other', async () => (await answersOf(from, to.addresses[0]!)) === 1);
    }
    await addPods(workerB, ['red'], 'later');
    await expectReached();
    await traffic.expectNothingLost([...nodes.values()]);
  });

  it('reach pods that are started again on a node that was rebooted, and lose no packet of others', async () => {
    const traffic = await trafficBetween(workerB, workerC);
    const ran = podsOn(workerA);
    const rebooted = await cluster.reboot(nodeOf(workerA), workerA);
    nodes.set(workerA.name, rebooted);
    // Open vSwitch has them as they were, without devices.
    expect(await portsOf(rebooted)).to.have.length(ran.length);
    await cluster.startAgent(rebooted);
    await eventually('they are gone', async () => (await portsOf(rebooted)).length === 0);
    await cluster.untilReady([...new Set(ran.map(({ namespace }) => namespace))], [rebooted]);
    await startPods(workerA, ran);
    for (const pod of ran) pods.delete(pod);
    await expectReached();
    await traffic.expectNothingLost([...nodes.values()]);
  });

  it('lose all that others have of a node that is removed, and no packet', async () => {
    const traffic = await trafficBetween(workerA, workerB);
    expect(await rowsOn(workerA, workerC)).to.not.deep.equal([]);
    await removeNode(workerC);
    for (const place of [workerA, workerB])
      await eventually(`${place.name} has nothing of it`, async () => (await rowsOn(place, workerC)).length === 0);
    await eventually('its id is free', async () => (await claims()).node.every(({ name }) => name !== workerC.name));
    await expectReached();
    await traffic.expectNothingLost([...nodes.values()]);
  });
});
