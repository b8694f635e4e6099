import { expect } from 'chai';
import { readClaims } from '../../../../src/domain/network/allocation/id-claim.ts';
import {
  ID_CLAIMS_NAME,
  MANAGEMENT_PORT_PREFIX,
  OWN_ROUTE_PROTOCOL,
} from '../../../../src/domain/basics/conventions.ts';
import { defaultSettings, emptyCluster } from '../../../../src/domain/index.ts';
import { eventually } from '../../../unit/adapters/processes.ts';
import { namespace } from '../../kubernetes/network-objects.ts';
import { clusterOf } from '../clusters.ts';
import { isOfTunnels, type NodeState, stateDifferences, stateOfNode } from '../cluster/node-end-state.ts';
import { ip } from '../commands.ts';
import type { LabNode } from '../node.ts';
import { summary } from '../packets/clients.ts';
import { type Exchange, exchange, startAnswering } from '../packets/exchange.ts';
import { expectNoLoops } from '../packets/loops.ts';
import { providerNamespace } from '../packets/provider.ts';
import { addressesOf, bridgeOf, common, type LabUplink } from '../packets/tenant.ts';
import { prepare } from '../prepare.ts';
import {
  addRoutesToPods,
  betweenPods,
  type ConnectedPlace,
  connectedPlace,
  connectPods,
  type DefaultPod,
  expectAnswered,
  expectUnanswered,
  neededBy,
  PROBED,
  startServices,
} from './default-network.ts';
import { observed } from '../zones/zone-node.ts';
import { attachPod, namespaceOf, portsOf, startDefault, type StartedPod } from './lab-pod.ts';
import { expectTenantsApart } from './reachability.ts';
import { hasRemotePorts, WholeCluster } from './whole-cluster.ts';
import { WAY, wayOut, WORLD } from './world.ts';

/** A node with two uplinks. */
interface UplinkPlace extends ConnectedPlace {
  /** In the default routing domain, for two tenants. */
  readonly shared: LabUplink;
  /** In the VRF of a tenant. */
  readonly own: LabUplink;
}

/** An uplink of a node by the last number of the addresses that it has there, and the subnets of pods of that node. */
const uplinkOf = (name: string, number: number, nodeSubnets: readonly string[]): LabUplink => ({
  name,
  macAddress: `02:00:00:00:0${name.length}:0${number}`,
  addresses: [`192.0.2.${number}`, `2001:db8:b::${number}`],
  nodeSubnets,
});

const places = ['worker-a', 'worker-b', 'worker-c'].map((name, number): UplinkPlace => {
  // Those of the nodes with the ids from 2 on.
  const nodeSubnets = [`10.20.${number}.0/24`, number === 0 ? 'fd20::/64' : `fd20:0:0:${number}::/64`];
  const shared = uplinkOf('shared', 6 + number, nodeSubnets);
  const own = uplinkOf('red', 6 + number, nodeSubnets);
  return { ...connectedPlace(name, number), uplinks: [shared, own], shared, own };
});

/** The tenants, which have the same subnets. */
const tenants = ['amber', 'green', 'red'] as const;
const [{ shared, own }] = places as [UplinkPlace];
const isInVrf = (tenant: string) => tenant === own.name;
const bridges = [shared, own].map(bridgeOf);

/** The tenant that has made its network itself, which can name no Uplink: it has that of the setting. */
const maker = 'green';

/** The networks of administrators with the Uplinks that they use, and what advertises one of them in a VRF. */
const { uplinks, clusterUserDefinedNetworks, routeAdvertisements, frrConfigurations } = clusterOf(
  tenants
    .filter((tenant) => tenant !== maker)
    .map((name) => ({
      name,
      device: bridgeOf(isInVrf(name) ? own : shared),
      ...(isInVrf(name) && { targetVRF: 'auto' }),
    })),
  { devices: bridges },
);

const [{ metadata: ofSetting }] = uplinks as [(typeof uplinks)[number]];

/** The other way out of the second node: a better default route, to a router before the same hosts. */
const beside = {
  addresses: ['198.51.102.11', '2001:db8:d::11'],
  routers: ['198.51.102.1', '2001:db8:d::1'],
  hosts: common.outside,
} as const;

const protocols = ['tcp', 'udp', 'icmp'] as const;

/** A pod with its addresses in both networks. */
type Pod = StartedPod & DefaultPod;

describe('pods of three tenants with the same subnets on three nodes, with an uplink of each node, one by the setting, in a default network that connects all pods', () => {
  let cluster: WholeCluster;
  let nodes: readonly LabNode[];
  /** The second node, which is not rebooted, before anything was on it. */
  let untouched: NodeState;
  const pods: Pod[] = [];

  const onEach = async (work: (node: LabNode, place: UplinkPlace, index: number) => Promise<void>) => {
    await Promise.all(nodes.map((node, index) => work(node, places[index]!, index)));
  };

  async function joinDefaultNetwork(node: LabNode): Promise<void> {
    await connectPods(node, places);
    await startServices(node);
  }

  /** Attaches pods of a node to their own networks. They add routes to all pods of the default network, as they may. */
  async function attach(place: UplinkPlace, started: readonly DefaultPod[]): Promise<void> {
    for (const pod of started) {
      pods.push({ ...pod, addresses: await attachPod(pod) });
      await addRoutesToPods(pod, place);
    }
  }

  /** Each pod reaches those of its own tenant by their network, none by the default network, and there what it needs. */
  async function expectApart(): Promise<void> {
    await onEach((node) => expectTenantsApart(node, pods));
    await expectUnanswered(betweenPods(pods, pods));
    await expectAnswered(pods.flatMap(neededBy));
  }

  before(async () => {
    cluster = await WholeCluster.start({}, `--egress=uplink=${ofSetting.name}`);
    nodes = await Promise.all(places.map((place) => cluster.startNode(place)));
    await onEach(joinDefaultNetwork);
    untouched = await stateOfNode(nodes[1]!, bridges);
    await cluster.register(...places);
    cluster.lab.server.apply(...tenants.map((tenant) => namespace(tenant, tenant)));
    await cluster.lab.apply({
      ...emptyCluster,
      uplinks,
      routeAdvertisements,
      frrConfigurations,
      clusterUserDefinedNetworks,
    });
    cluster.createOwnNetwork(maker);
  });
  after(() => cluster.stop());

  /** Where a pod leaves its node: the namespace of the router there, and the addresses that it sees. The providers of other nodes have no route back to any of them. */
  function wayOf(pod: Pod, { own: inVrf, shared: inDefault }: UplinkPlace, isMakerByNode: boolean) {
    if (isMakerByNode && pod.namespace === maker) return { name: WORLD, seen: beside.addresses };
    return isInVrf(pod.namespace)
      ? { name: providerNamespace(inVrf), seen: pod.addresses }
      : { name: providerNamespace(inDefault), seen: addressesOf(inDefault) };
  }

  /** The questions of a node's pods to hosts behind the providers, and the answers, which name the provider and the address that it has seen. */
  function questions(node: LabNode, place: UplinkPlace, protocol: Exchange['protocol'], isMakerByNode = false) {
    return pods
      .filter((pod) => pod.node === node)
      .flatMap((pod) => {
        const { name, seen } = wayOf(pod, place, isMakerByNode);
        return common.outside.map((to, family) => ({
          asked: { from: namespaceOf(pod), to, protocol, rounds: 20 },
          answer: protocol === 'icmp' ? 'reply' : `${name} ${seen[family] ?? ''}`,
        }));
      });
  }

  async function expectLeaving(
    node: LabNode,
    place: UplinkPlace,
    protocol: Exchange['protocol'],
    isMakerByNode = false,
  ): Promise<void> {
    const cases = questions(node, place, protocol, isMakerByNode);
    const found = await exchange(
      node,
      cases.map(({ asked }) => asked),
    );
    expect(cases.map(({ asked }, index) => [asked, summary(found[index]!)])).to.deep.equal(
      cases.map(({ asked, answer }) => [asked, { answers: { [answer]: 20 }, lost: 0 }]),
    );
  }

  /** Waits until the networks and their uplinks are ready on all nodes. */
  async function untilReady(): Promise<void> {
    await cluster.untilReady(tenants, nodes);
    for (const tenant of tenants)
      cluster.lab.server.kubectl([
        'wait',
        '--for=condition=UplinksReady',
        ...cluster.wordsFor(tenant),
        '--timeout=90s',
      ]);
  }

  it('have networks and uplinks that become ready by a single pass of the agent on nodes without any configuration', async () => {
    const claims = async () => {
      const stored = await cluster.administrator.get('ConfigMap', `${defaultSettings.namespace}/${ID_CLAIMS_NAME}`);
      return readClaims((stored?.['data'] ?? {}) as Readonly<Record<string, string>>);
    };
    await eventually('their ids are claimed', async () => {
      const { network, node } = await claims();
      return network.length === tenants.length && node.length === places.length;
    });
    await Promise.all(nodes.map((node) => cluster.passOnce(node)));
    await untilReady();
  });

  it('reach each other by the default network until agents that go on have attached them to their own', async () => {
    const started: DefaultPod[] = [];
    await onEach(async (node, _place, index) => {
      await cluster.startAgent(node);
      const own: DefaultPod[] = [];
      // The second one of a tenant has an address that no pod of another one has.
      for (const [number, tenant] of [...tenants, tenants[index]!].entries()) {
        const pod = await cluster.newObject(node, tenant, `pod-${number}-on-${node.name}`, { probedPort: PROBED });
        own.push({ ...pod, defaultAddresses: await startDefault(pod) });
      }
      await startAnswering(node, own.map(namespaceOf));
      started.push(...own);
    });
    await expectAnswered([...betweenPods(started, started), ...started.flatMap(neededBy)]);
    await onEach((node, place) =>
      attach(
        place,
        started.filter((pod) => pod.node === node),
      ),
    );
    for (const node of nodes) await hasRemotePorts(node, (nodes.length - 1) * tenants.length);
  });

  for (const protocol of protocols) {
    it(`leave by the uplink of their own node, with its address or, in a VRF, their own, by ${protocol} in both families`, () =>
      onEach((node, place) => expectLeaving(node, place, protocol)));
  }

  it('have packets for addresses that no node has dropped at once', () =>
    onEach((node) => expectNoLoops(node, pods.filter((pod) => pod.node === node).map(namespaceOf))));

  it('reach their own on all nodes, none of others by either network, and DNS and the Kubernetes API; their nodes probe them', () =>
    expectApart());

  it('leave by their node instead of the uplink of the setting, and by that again, as their agent is told, and others as before', async () => {
    const [, node] = nodes as [LabNode, LabNode];
    const [, place] = places as [UplinkPlace, UplinkPlace];
    const { routers, addresses } = beside;
    await prepare(node, [
      ...wayOut(WAY, WORLD, addresses, beside),
      ...routers.map((router) => ip`route add default via ${router} dev ${WAY} metric 5`),
      // One of them has an address of the network of the nodes.
      ...routers.map((router, family) => ip`route add ${beside.hosts[family]!} via ${router} dev ${WAY}`),
    ]);
    await startAnswering(node, [WORLD]);
    for (const isByNode of [true, false]) {
      await cluster.agentOf(node).stop();
      await cluster.restartAgent(node, ...(isByNode ? ['--egress=node'] : []));
      const cases = questions(node, place, 'udp', isByNode);
      const once = cases.map(({ asked }) => ({ ...asked, rounds: 1, unanswered: true }));
      let found: readonly (readonly string[])[] = [];
      await eventually('they leave there', async () => {
        found = (await exchange(node, once)).map((each) => Object.keys(summary(each).answers));
        return cases.every(({ answer }, index) => found[index]?.join() === answer);
      }).catch(() => expect(found).to.deep.equal(cases.map(({ answer }) => [answer])));
      for (const protocol of protocols) await expectLeaving(node, place, protocol, isByNode);
      const { filterTables } = await node.snapshot();
      const { northbound } = await observed(node);
      const ofMaker = northbound.filter(({ network }) => network === `${maker}_${maker}`);
      const defaults = ofMaker.flatMap(({ table, columns: { ip_prefix: prefix } }) =>
        table === 'Logical_Router_Static_Route' && (prefix === '0.0.0.0/0' || prefix === '::/0') ? [prefix] : [],
      );
      expect(defaults.sort()).to.deep.equal(['0.0.0.0/0', '::/0']);
      expect(ofMaker.filter(({ table }) => table === 'Gateway_Chassis')).to.have.length(isByNode ? 1 : 0);
      expect(filterTables).to.have.length(isByNode ? 1 : 0);
    }
    await node.does(ip`link delete ${WAY}`, ip`netns delete ${WORLD}`);
  });

  it('leave by the uplink of their node again once they are started after it was rebooted, and reach the other nodes', async () => {
    const [place] = places as [UplinkPlace];
    const [before, ...others] = nodes as [LabNode, ...LabNode[]];
    const ran = pods.filter(({ node }) => node === before);
    const node = await cluster.reboot(before, place);
    nodes = [node, ...others];
    await joinDefaultNetwork(node);
    // As the kernel lost it all, the device of the VRF is not there, and the interface of the uplink is in none.
    expect((await node.snapshot()).links.filter(({ kind, master }) => kind === 'vrf' || master === own.name)).to.be
      .empty;
    await cluster.startAgent(node);
    await eventually('their ports are gone', async () => (await portsOf(node)).length === 0);
    await untilReady();
    const started: DefaultPod[] = [];
    for (const pod of ran) started.push({ ...pod, node, defaultAddresses: await startDefault({ ...pod, node }) });
    await startAnswering(node, started.map(namespaceOf));
    pods.splice(0, pods.length, ...pods.filter((pod) => pod.node !== before));
    await attach(place, started);
    await eventually('all of them leave', async () => {
      const asked = questions(node, place, 'icmp').map((each) => ({ ...each.asked, rounds: 1 }));
      return (await exchange(node, asked)).every(({ lost }) => lost === 0);
    });
    for (const protocol of protocols) await expectLeaving(node, place, protocol);
    await expectApart();
  });

  it('leave nothing on the nodes once everything is deleted and cleaned up', async () => {
    for (const pod of pods.splice(0)) await cluster.deletePod(pod);
    const { server } = cluster.lab;
    server.kubectl(['delete', 'cudn,routeadvertisements', '--all', '--timeout=90s']);
    server.kubectl(['delete', 'uplinks', '--all', '--wait=false']);
    server.kubectl(['wait', '--for=delete', 'uplinks/uplink-1', '--timeout=90s']);
    const degraded = '{.status.conditions[?(@.type=="Degraded")].message}';
    expect(server.kubectl(['get', `uplinks/${ofSetting.name}`, `--output=jsonpath=${degraded}`])).to.include(
      `deletion waits for UserDefinedNetwork ${maker}/${maker}, as --egress uplink=${ofSetting.name} names it`,
    );
    server.kubectl(['delete', ...cluster.wordsFor(maker), '--timeout=90s']);
    server.kubectl(['wait', '--for=delete', `uplinks/${ofSetting.name}`, '--timeout=90s']);
    await onEach((node) => cluster.cleanUp(node));
    const [rebooted, node] = nodes as [LabNode, LabNode];
    const differences = stateDifferences(untouched, await stateOfNode(node, bridges));
    expect(differences.filter((line) => !isOfTunnels(line))).to.deep.equal([]);
    // Its cards have other addresses since then.
    const { links, rules } = await rebooted.snapshot();
    const { northbound } = await observed(rebooted);
    const ofNetworks = links.filter(({ name, kind }) => kind === 'vrf' || name.startsWith(MANAGEMENT_PORT_PREFIX));
    const ownRules = rules.filter(({ protocol }) => protocol === OWN_ROUTE_PROTOCOL);
    expect([...ofNetworks, ...ownRules, ...northbound]).to.deep.equal([]);
  });
});
