import { expect } from 'chai';
import { readClaims } from '../../../../src/domain/allocation/id-claim.ts';
import { ID_CLAIMS_NAME, MANAGEMENT_PORT_PREFIX, OWN_ROUTE_PROTOCOL } from '../../../../src/domain/conventions.ts';
import { defaultSettings, emptyCluster } from '../../../../src/domain/index.ts';
import { eventually } from '../../../unit/adapters/processes.ts';
import { namespace } from '../../kubernetes/network-objects.ts';
import { clusterOf } from '../clusters.ts';
import { isOfTunnels, type NodeState, stateDifferences, stateOfNode } from '../cluster/node-end-state.ts';
import type { LabNode } from '../node.ts';
import { summary } from '../packets/clients.ts';
import { type Exchange, exchange, startAnswering } from '../packets/exchange.ts';
import { providerNamespace } from '../packets/provider.ts';
import { addressesOf, bridgeOf, common, type LabUplink } from '../packets/tenant.ts';
import { namespaceOf, portsOf, type StartedPod, startPod } from './lab-pod.ts';
import { expectTenantsApart } from './reachability.ts';
import { hasRemotePorts, WholeCluster } from './whole-cluster.ts';
import type { WholePlace } from './whole-node.ts';

/** A node with two uplinks. */
interface UplinkPlace extends WholePlace {
  /** In the default routing domain, for two tenants. */
  readonly shared: LabUplink;
  /** In the VRF of a tenant. */
  readonly own: LabUplink;
}

/** An uplink of a node by the last number of the addresses that it has there, and the pods of that node. */
const uplinkOf = (name: string, number: number, nodeSubnets: readonly string[]): LabUplink => ({
  name,
  macAddress: `02:00:00:00:0${name.length}:0${number}`,
  addresses: [`192.0.2.${number}`, `2001:db8:b::${number}`],
  nodeSubnets,
});

const placeOf = (name: string, address: string, index: number): UplinkPlace => {
  // Those of the nodes with the ids 2 and 3.
  const nodeSubnets = [`10.20.${index}.0/24`, index === 0 ? 'fd20::/64' : `fd20:0:0:${index}::/64`];
  const shared = uplinkOf('shared', 6 + index, nodeSubnets);
  const own = uplinkOf('red', 6 + index, nodeSubnets);
  return { name, address, podSubnet: `10.244.${index}.0/24`, uplinks: [shared, own], shared, own };
};

const places = [placeOf('worker-a', '198.51.100.10', 0), placeOf('worker-b', '198.51.100.11', 1)];

/** The tenants, which have the same subnets. */
const tenants = ['amber', 'green', 'red'] as const;
const [{ shared, own }] = places as [UplinkPlace];
const isInVrf = (tenant: string) => tenant === own.name;
const bridges = [shared, own].map(bridgeOf);

/** The networks with the Uplinks that they use, and what advertises one of them in a VRF. */
const { uplinks, clusterUserDefinedNetworks, routeAdvertisements, frrConfigurations } = clusterOf(
  tenants.map((name) => ({
    name,
    device: bridgeOf(isInVrf(name) ? own : shared),
    ...(isInVrf(name) && { targetVRF: 'auto' }),
  })),
  { devices: bridges },
);

const protocols = ['tcp', 'udp', 'icmp'] as const;

describe('pods of three tenants with the same subnets on two nodes, with an uplink of each node', () => {
  let cluster: WholeCluster;
  let nodes: readonly LabNode[];
  /** The second node, which is not rebooted, before anything was on it. */
  let untouched: NodeState;
  const pods: StartedPod[] = [];

  const onEach = async (work: (node: LabNode, place: UplinkPlace, index: number) => Promise<void>) => {
    await Promise.all(nodes.map((node, index) => work(node, places[index]!, index)));
  };

  before(async () => {
    cluster = await WholeCluster.start();
    nodes = await Promise.all(places.map((place) => cluster.startNode(place)));
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
  });
  after(() => cluster.stop());

  /** What the pods of a node ask of hosts behind the providers, and the answers, which name the provider and the address that it has seen. */
  function questions(node: LabNode, place: UplinkPlace, protocol: Exchange['protocol']) {
    return pods
      .filter((pod) => pod.node === node)
      .flatMap((pod) => {
        const uplink = isInVrf(pod.namespace) ? place.own : place.shared;
        // The provider of the other node has no route back to either of them.
        const seen = isInVrf(pod.namespace) ? pod.addresses : addressesOf(uplink);
        return common.outside.map((to, family) => ({
          asked: { from: namespaceOf(pod), to, protocol, rounds: 20 },
          answer: protocol === 'icmp' ? 'reply' : `${providerNamespace(uplink)} ${seen[family] ?? ''}`,
        }));
      });
  }

  async function expectLeaving(node: LabNode, place: UplinkPlace, protocol: Exchange['protocol']): Promise<void> {
    const cases = questions(node, place, protocol);
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
    cluster.lab.server.kubectl(['wait', '--for=condition=UplinksReady', 'cudn', '--all', '--timeout=90s']);
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

  it('are attached by agents that go on', async () => {
    for (const node of nodes) {
      await cluster.startAgent(node);
      const started: StartedPod[] = [];
      for (const tenant of tenants) started.push(await cluster.newPod(node, tenant, `on-${node.name}`));
      await startAnswering(node, started.map(namespaceOf));
      pods.push(...started);
    }
    for (const node of nodes) await hasRemotePorts(node, tenants.length);
  });

  for (const protocol of protocols) {
    it(`leave by the uplink of their own node, with its address or, in a VRF, their own, by ${protocol} in both families`, () =>
      onEach((node, place) => expectLeaving(node, place, protocol)));
  }

  it('reach their own on the other node, and none of others', async () => {
    await onEach((node) => expectTenantsApart(node, pods, []));
  });

  it('leave by the uplink of their node again once they are started after it was rebooted, and reach the other node', async () => {
    const [place] = places as [UplinkPlace];
    const [before, other] = nodes as [LabNode, LabNode];
    const ran = pods.filter(({ node }) => node === before);
    const node = await cluster.reboot(before, place);
    nodes = [node, other];
    // As the kernel lost it all, the device of the VRF is not there, and the interface of the uplink is in none.
    expect((await node.snapshot()).links.filter(({ kind, master }) => kind === 'vrf' || master === own.name)).to.be
      .empty;
    await cluster.startAgent(node);
    await eventually('their ports are gone', async () => (await portsOf(node)).length === 0);
    await untilReady();
    const started: StartedPod[] = [];
    for (const pod of ran) started.push({ ...pod, node, addresses: await startPod({ ...pod, node }) });
    await startAnswering(node, started.map(namespaceOf));
    pods.splice(0, pods.length, ...started, ...pods.filter((pod) => pod.node === other));
    await eventually('all of them leave', async () => {
      const asked = questions(node, place, 'icmp').map((each) => ({ ...each.asked, rounds: 1 }));
      return (await exchange(node, asked)).every(({ lost }) => lost === 0);
    });
    for (const protocol of protocols) await expectLeaving(node, place, protocol);
    await onEach((each) => expectTenantsApart(each, pods, []));
  });

  it('leave nothing on the nodes once everything is deleted and cleaned up', async () => {
    for (const pod of pods.splice(0)) await cluster.deletePod(pod);
    cluster.lab.server.kubectl(['delete', 'cudn,routeadvertisements,uplinks', '--all', '--timeout=90s']);
    await onEach((node) => cluster.cleanUp(node));
    const [rebooted, node] = nodes as [LabNode, LabNode];
    const differences = stateDifferences(untouched, await stateOfNode(node, bridges));
    expect(differences.filter((line) => !isOfTunnels(line))).to.deep.equal([]);
    // Its cards have other addresses since then.
    const { links, rules, northbound } = await rebooted.snapshot();
    const ofNetworks = links.filter(({ name, kind }) => kind === 'vrf' || name.startsWith(MANAGEMENT_PORT_PREFIX));
    const ownRules = rules.filter(({ protocol }) => protocol === OWN_ROUTE_PROTOCOL);
    expect([...ofNetworks, ...ownRules, ...northbound]).to.deep.equal([]);
  });
});
