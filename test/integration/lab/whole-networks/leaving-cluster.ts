import { expect } from 'chai';
import { isManagementPortName } from '../../../../src/domain/network/names/management-port.ts';
import { deviceSetting } from '../../../../src/domain/snapshot/device-settings.ts';
import { type NodeState, stateOfNode } from '../cluster/node-end-state.ts';
import type { LabNode } from '../node.ts';
import { summary } from '../packets/clients.ts';
import { type Exchange, exchange, PORT, startAnswering } from '../packets/exchange.ts';
import { KubeProxy, type ProxyMode } from '../services/node-programs.ts';
import { serviceObjects } from '../services/service-objects.ts';
import { addressInNodes6, ALL_PODS, connectedPlace, connectPods, startServices } from './default-network.ts';
import {
  addDeniedPlaces,
  addRoutesByPrimary,
  deniedFor,
  type DeniedDestination,
  type DeniedPlaces,
  NODE_PORT,
  questionsTo,
  serviceAddresses,
} from './denied-places.ts';
import { namespaceOf, type StartedPod } from './lab-pod.ts';
import { WholeCluster } from './whole-cluster.ts';
import { connectWorld, WORLD, wayAddresses, worldAddresses } from './world.ts';

const places = ['worker-a', 'worker-b'].map((name, number) => ({
  ...connectedPlace(name, number),
  address6: addressInNodes6(number),
}));

/** The tenants, which have the same subnets. */
const tenants = ['blue', 'red'] as const;

/** How kube-proxy serves on each node. */
const modes: readonly ProxyMode[] = ['iptables', 'nftables'];

/** A cluster of two nodes, of Debian 12 and 13, with kube-proxy and a pod of each of two tenants without uplinks, which leave by their nodes. */
export class LeavingCluster {
  readonly cluster: WholeCluster;
  readonly nodes: readonly LabNode[];
  readonly pods: readonly StartedPod[];
  /** kube-proxy of each node. */
  readonly proxies: readonly KubeProxy[];
  /** Each node before anything of ovn-uplinks was on it. */
  readonly untouched: readonly NodeState[];
  readonly #denied: readonly DeniedPlaces[];

  private constructor(
    cluster: WholeCluster,
    nodes: readonly LabNode[],
    {
      proxies,
      untouched,
      denied,
      pods,
    }: {
      readonly proxies: readonly KubeProxy[];
      readonly untouched: readonly NodeState[];
      readonly denied: readonly DeniedPlaces[];
      readonly pods: readonly StartedPod[];
    },
  ) {
    this.cluster = cluster;
    this.nodes = nodes;
    this.proxies = proxies;
    this.untouched = untouched;
    this.#denied = denied;
    this.pods = pods;
  }

  static async start(): Promise<LeavingCluster> {
    // By the second device, nodes reach each other: without the filter, pods would too.
    const cluster = await WholeCluster.start({}, '--egress=node', '--egress-devices=vec0');
    // Zones of both releases of OVN.
    const options = [{}, { userland: 'debian-13' as const }];
    const nodes = await Promise.all(places.map((place, number) => cluster.startNode(place, options[number])));
    const denied: DeniedPlaces[] = [];
    for (const [number, node] of nodes.entries()) {
      await connectPods(node, places);
      await startServices(node);
      await connectWorld(node, number);
      denied.push(await addDeniedPlaces(node));
    }
    await cluster.register(...places);
    const { server } = cluster.lab;
    const endpoints = denied[0]!.defaultPod;
    server.apply(
      ...serviceObjects('plain', { addresses: serviceAddresses, endpoints, port: PORT, nodePort: NODE_PORT }),
    );
    const proxies = await Promise.all(
      nodes.map((node, number) => KubeProxy.start(node, server, modes[number]!, ALL_PODS)),
    );
    const untouched = await Promise.all(nodes.map((node) => stateOfNode(node, [])));
    for (const node of nodes) await cluster.startAgent(node);
    cluster.createTenants(tenants);
    await cluster.untilReady(tenants, nodes);
    const pods: StartedPod[] = [];
    for (const node of nodes) for (const tenant of tenants) pods.push(await cluster.newPod(node, tenant, node.name));
    const leaving = new LeavingCluster(cluster, nodes, { proxies, untouched, denied, pods });
    for (const [number, node] of nodes.entries()) {
      await startAnswering(node, leaving.podsOn(node).map(namespaceOf));
      for (const pod of leaving.podsOn(node)) await addRoutesByPrimary(pod, leaving.deniedOn(number));
    }
    return leaving;
  }

  stop(): Promise<void> {
    return this.cluster.stop();
  }

  /** The pods of a node. */
  podsOn(node: LabNode): readonly StartedPod[] {
    return this.pods.filter((pod) => pod.node === node);
  }

  /** The management ports of networks in the filter of a node, and the masquerade addresses of these, IPv4 first. */
  async filtered(node: LabNode): Promise<{ readonly ports: readonly string[]; readonly sources: readonly string[] }> {
    const [filter] = (await node.snapshot()).filterTables;
    const { ports = [], sources4 = [], sources6 = [] } = filter?.sets ?? {};
    return { ports: ports.filter(isManagementPortName), sources: [...sources4, ...sources6] };
  }

  /** The management port of the network of a pod on its node, and the table of its VRF. */
  async deviceOf({ node, namespace }: StartedPod): Promise<{ readonly port: string; readonly table: number | string }> {
    const { links } = await node.snapshot();
    const vrf = links.find(({ name }) => name === namespace);
    const port = links.find(({ name, master }) => master === namespace && isManagementPortName(name));
    if (vrf?.vrfTable === undefined || port === undefined) throw new Error(`${node.name} has no VRF ${namespace}`);
    return { port: port.name, table: vrf.vrfTable };
  }

  /** The management ports of networks on a node from which the kernel forwards. */
  async forwardingPorts(node: LabNode): Promise<readonly string[]> {
    const { links, sysctls } = await node.snapshot();
    const ports = links.map(({ name }) => name).filter(isManagementPortName);
    return ports.filter((port) => sysctls[deviceSetting(4, port, 'forwarding')] === '1');
  }

  /** The destinations that pods of a node must not reach, by its number. */
  deniedOn(number: number): readonly DeniedDestination[] {
    const [own, others] = [this.#denied[number]!, this.#denied[1 - number]!];
    return deniedFor(places[number]!, number, places[1 - number]!, [own, others]);
  }

  /** Names of some of the destinations that pods must not reach, each with a pod of its node, in their order. */
  namesOfDenied(isOne: (destination: DeniedDestination) => boolean): readonly string[] {
    return this.nodes.flatMap((node, number) => this.#namesOn(node, this.deniedOn(number).filter(isOne)));
  }

  #namesOn(node: LabNode, destinations: readonly DeniedDestination[]): readonly string[] {
    return this.podsOn(node).flatMap((pod) =>
      destinations.map(({ name }) => `${pod.namespace} on ${node.name}: ${name}`),
    );
  }

  /** Names of those that the pods of all nodes reach though they must not. */
  async reachedOfDenied(): Promise<readonly string[]> {
    const found = await Promise.all(
      this.nodes.map(async (node, number) => {
        const destinations = this.deniedOn(number);
        const questions = this.podsOn(node).flatMap((pod) => questionsTo(pod, destinations));
        const answers = await exchange(
          node,
          questions.map(({ asked }) => ({ ...asked, unanswered: true })),
        );
        const reached = answers.map(({ answers: each }) => Object.keys(each).length > 0);
        return this.#namesOn(node, destinations).filter((_, index) => reached[index] === true);
      }),
    );
    return found.flat();
  }

  /** Questions of the pods of a node, each to one address a family. */
  questions(node: LabNode, to: readonly string[], question: Omit<Exchange, 'from' | 'to'>): readonly Exchange[] {
    return this.podsOn(node).flatMap((pod) =>
      to.map((address) => ({ ...question, from: namespaceOf(pod), to: address })),
    );
  }

  /**
   * Expects that the pods of a node reach a host out there, which sees the address of the node.
   *
   * @param host the namespace of the host, and its addresses, one a family
   */
  async expectLeaving(
    node: LabNode,
    question: Omit<Exchange, 'from' | 'to'>,
    { name, addresses }: { readonly name: string; readonly addresses: readonly string[] } = {
      name: WORLD,
      addresses: worldAddresses,
    },
  ): Promise<void> {
    const asked = this.questions(node, addresses, question);
    const found = await exchange(node, asked);
    const seen = wayAddresses(this.nodes.indexOf(node));
    const answer = (family: number) => (question.protocol === 'icmp' ? 'reply' : `${name} ${seen[family] ?? ''}`);
    expect(asked.map((each, index) => [each, summary(found[index]!)])).to.deep.equal(
      asked.map((each, index) => [each, { answers: { [answer(index % 2)]: question.rounds ?? 1 }, lost: 0 }]),
    );
  }

  /** Expects that no pod of a node gets an answer from the world, or another host out there. */
  async expectNotLeaving(node: LabNode, addresses: readonly string[] = worldAddresses): Promise<void> {
    const asked = this.questions(node, addresses, { protocol: 'udp', unanswered: true });
    const found = await exchange(node, asked);
    expect(found.flatMap(({ answers }) => Object.keys(answers))).to.deep.equal([]);
  }

  /** Expects that kube-proxy serves the Service of the default network to each node, by its ClusterIPs and its node port. */
  async expectServed(): Promise<void> {
    for (const [number, node] of this.nodes.entries()) {
      const asked = [
        ...serviceAddresses.map((to) => ({ protocol: 'tcp' as const, to, port: PORT })),
        { protocol: 'tcp' as const, to: places[number]!.address, port: NODE_PORT },
      ];
      const found = await exchange(node, asked);
      const names = found.map(({ answers }) => Object.keys(answers).map((each) => each.split(' ')[0]));
      expect(names, node.name).to.deep.equal(asked.map(() => ['default-plain']));
    }
  }
}

/** Content of a node's kernel for networks that leave by the node, with the handle of the filter: one that is made again has another. */
export async function inKernel(node: LabNode) {
  const { filterTables, rules, routes, sysctls } = await node.snapshot();
  const listed = await node.does(['nft', '--handle', 'list', 'table inet ovn-uplinks-egress']);
  const [, handle] = /handle (\d+)/.exec(listed) ?? [];
  return { filterTables, rules, routes, sysctls, handle: Number(handle) };
}
