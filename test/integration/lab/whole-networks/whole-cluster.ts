import { POD_NETWORKS_ANNOTATION } from '../../../../src/domain/basics/conventions.ts';
import { emptyCluster } from '../../../../src/domain/index.ts';
import { eventually } from '../../../unit/adapters/processes.ts';
import { Administrator } from '../../kubernetes/administrator.ts';
import { namespace } from '../../kubernetes/network-objects.ts';
import type { NodeAgent } from '../agent/node-agent.ts';
import { LabCluster } from '../cluster/lab-cluster.ts';
import type { LabNode, ProcessExit } from '../node.ts';
import { recentLogs } from '../open-agents.ts';
import { observed } from '../zones/zone-node.ts';
import { configureNetwork, endPod, type ScheduledPod, type StartedPod, startPod } from './lab-pod.ts';
import { createPods, type MoreOfPod, networkOf, ownNetworkOf } from './objects.ts';
import {
  internalIps,
  nodeObject,
  rebooted,
  startWholeNode,
  type WholeNodeOptions,
  type WholePlace,
} from './whole-node.ts';

/**
 * A cluster whose networks ovn-uplinks provides: an API server with `config`, a cluster manager, nodes with agents, and pods that the CNI plugin attaches.
 * Each tenant has a network and a namespace of its name.
 */
export class WholeCluster {
  readonly lab: LabCluster;
  readonly administrator: Administrator;
  readonly #nodes: WholeNodeOptions;
  readonly #words: readonly string[];
  readonly #agents = new Map<LabNode, NodeAgent>();
  /** The tenants that have made their networks themselves. */
  readonly #makers = new Set<string>();

  private constructor(
    lab: LabCluster,
    administrator: Administrator,
    nodes: WholeNodeOptions,
    words: readonly string[],
  ) {
    this.lab = lab;
    this.administrator = administrator;
    this.#nodes = nodes;
    this.#words = words;
  }

  /**
   * Starts one that has no nodes and no tenants.
   *
   * @param nodes how its nodes are started
   * @param words options of the cluster manager and the agents
   */
  static async start(nodes: WholeNodeOptions = {}, ...words: readonly string[]): Promise<WholeCluster> {
    const lab = await LabCluster.start();
    await lab.install('networks');
    const all = ['--networks=all', ...words];
    await lab.startManager(...all);
    return new WholeCluster(lab, await Administrator.of(lab.server), nodes, all);
  }

  /** Starts the machine of a node, without an agent. @param options that differ from those of the cluster's nodes */
  startNode(place: WholePlace, options: WholeNodeOptions = {}): Promise<LabNode> {
    return startWholeNode(this.lab, place, { ...this.#nodes, ...options });
  }

  /** Reboots a node, whose agent does not run then. */
  reboot(node: LabNode, place: WholePlace): Promise<LabNode> {
    return rebooted(this.lab, node, place);
  }

  /** Creates Nodes, as their kubelets do. */
  async register(...places: readonly WholePlace[]): Promise<void> {
    await this.lab.apply({ ...emptyCluster, nodes: places.map(nodeObject) });
    for (const { name, address, address6 } of places) {
      // Server-side apply refuses two addresses of one type.
      if (address6 !== undefined)
        await this.administrator.mergeStatus('Node', name, { addresses: internalIps(address, address6) });
    }
  }

  /** Starts the agent of a node with a token of its own, and waits until it serves runtimes. */
  async startAgent(node: LabNode): Promise<void> {
    await this.lab.newToken(node);
    await this.restartAgent(node);
  }

  /** Starts the agent of a node with the token that it has. @param words options in place of those of the cluster's agents */
  async restartAgent(node: LabNode, ...words: readonly string[]): Promise<void> {
    const { length } = Buffer.from((await this.#agents.get(node)?.log()) ?? '');
    const agent = await this.lab.startAgent(node, ...this.#words, ...words);
    this.#agents.set(node, agent);
    await agent.untilLogged(`\\A.{${length}}.*serving container runtimes`);
  }

  /** Ends the agent of a node, and removes all that ovn-uplinks has there, as an administrator does. */
  async cleanUp(node: LabNode): Promise<void> {
    await this.agentOf(node).stop();
    await this.#succeed(node, '--cleanup');
  }

  /** Has an agent make a single pass on a node that has none, with a token of its own. */
  async passOnce(node: LabNode): Promise<void> {
    await this.lab.newToken(node);
    await this.pass(node);
  }

  /** Has an agent make a single pass on a node whose agent does not run. @param words options in place of those of the cluster's agents */
  async pass(node: LabNode, ...words: readonly string[]): Promise<void> {
    await this.#succeed(node, '--once', ...words);
  }

  /** Has an agent make a single pass, which is killed right after a change. @returns whether it was: there may be fewer changes */
  async killedPass(node: LabNode, change: number, ...words: readonly string[]): Promise<boolean> {
    const agent = await this.lab.startKilledAgent(node, change, ...this.#words, '--once', ...words);
    const exit = await agent.exit();
    if ('signal' in exit && exit.signal === 'SIGKILL') return true;
    await requireSuccess(agent, exit);
    return false;
  }

  /** Runs an agent that ends by itself, and has to succeed. */
  async #succeed(node: LabNode, ...words: readonly string[]): Promise<void> {
    const agent = await this.lab.startAgent(node, ...this.#words, ...words);
    await requireSuccess(agent, await agent.exit());
  }

  /** The agent of a node that was started last. */
  agentOf(node: LabNode): NodeAgent {
    const agent = this.#agents.get(node);
    if (agent === undefined) throw new Error(`no agent was started on ${node.name}`);
    return agent;
  }

  /** Creates the network and the namespace of each tenant. */
  createTenants(tenants: readonly string[]): void {
    this.lab.server.apply(...tenants.map((tenant) => namespace(tenant, tenant)), ...tenants.map(networkOf));
  }

  /** Creates the network that a tenant makes in its namespace. */
  createOwnNetwork(tenant: string): void {
    this.#makers.add(tenant);
    this.lab.server.apply(ownNetworkOf(tenant));
  }

  /** The words of kubectl for the network of a tenant. */
  wordsFor(tenant: string): readonly string[] {
    return this.#makers.has(tenant) ? [`udn/${tenant}`, `--namespace=${tenant}`] : [`cudn/${tenant}`];
  }

  /**
   * Waits until the networks of tenants are ready on all nodes, and has the runtimes of nodes know them.
   *
   * @param seconds for each of them
   */
  async untilReady(tenants: readonly string[], nodes: readonly LabNode[], seconds = 60): Promise<void> {
    await this.untilCreated(tenants, nodes);
    for (const tenant of tenants) await this.#untilTrue('NetworkReady', tenant, seconds);
  }

  /** Waits until the networks of tenants are in their namespaces, and has the runtimes of nodes know them: not all nodes may have them yet. */
  async untilCreated(tenants: readonly string[], nodes: readonly LabNode[]): Promise<void> {
    for (const tenant of tenants) {
      await this.#untilTrue('NetworkCreated', tenant);
      const definition = await this.administrator.get('NetworkAttachmentDefinition', `${tenant}/${tenant}`);
      const { config } = definition?.['spec'] as { readonly config: string };
      for (const node of nodes) await configureNetwork(node, config);
    }
  }

  /** Waits for the message of a condition of a tenant's network. */
  untilMessage(condition: string, tenant: string, message: string): void {
    const path = `{.status.conditions[?(@.type=="${condition}")].message}`;
    this.lab.server.kubectl(['wait', `--for=jsonpath=${path}=${message}`, ...this.wordsFor(tenant), '--timeout=60s']);
  }

  async #untilTrue(condition: string, tenant: string, seconds = 60): Promise<void> {
    const words = this.wordsFor(tenant);
    try {
      this.lab.server.kubectl(['wait', `--for=condition=${condition}`, ...words, `--timeout=${seconds}s`]);
    } catch (error) {
      const conditions = this.lab.server.kubectl(['get', ...words, '--output=jsonpath={.status.conditions}']);
      throw new Error([String(error), conditions, await recentLogs()].join('\n'), { cause: error });
    }
  }

  /** Creates the object of a pod that is scheduled to a node. */
  async newObject(node: LabNode, tenant: string, name: string, more: MoreOfPod = {}): Promise<ScheduledPod> {
    const pod = { node, namespace: tenant, name };
    const [uid = ''] = await createPods({ server: this.lab.server, administrator: this.administrator }, [
      { ...pod, ...more },
    ]);
    return { ...pod, uid, network: this.#makers.has(tenant) ? `${tenant}_${tenant}` : `cluster_udn_${tenant}` };
  }

  /** Creates a pod and starts it. */
  async newPod(node: LabNode, tenant: string, name: string, more: MoreOfPod = {}): Promise<StartedPod> {
    const scheduled = await this.newObject(node, tenant, name, more);
    return { ...scheduled, addresses: await startPod(scheduled) };
  }

  /** Ends a pod and deletes its object. */
  async deletePod(pod: ScheduledPod): Promise<void> {
    await endPod(pod);
    this.deleteObject(pod);
  }

  /** Deletes the object of a pod. */
  deleteObject({ namespace: inNamespace, name }: ScheduledPod): void {
    this.lab.server.kubectl(['delete', `pod/${name}`, `--namespace=${inNamespace}`]);
  }

  /** The addresses of a pod by its annotation, without prefix length. */
  async annotatedAddresses({
    namespace: inNamespace,
    name,
  }: Pick<ScheduledPod, 'namespace' | 'name'>): Promise<readonly string[]> {
    const stored = await this.administrator.get('Pod', `${inNamespace}/${name}`);
    const { annotations = {} } = stored?.['metadata'] as { readonly annotations?: Readonly<Record<string, string>> };
    const entries = JSON.parse(annotations[POD_NETWORKS_ANNOTATION] ?? '{}') as Readonly<
      Record<string, { readonly ip_addresses: readonly string[] }>
    >;
    const { ip_addresses: found = [] } = entries[`${inNamespace}/${inNamespace}`] ?? {};
    return found.map((address) => address.replace(/\/.*/, ''));
  }

  /** Ends everything. */
  async stop(): Promise<void> {
    this.administrator.close();
    await this.lab.stop();
  }
}

/** Throws unless an agent has ended with status 0. */
async function requireSuccess(agent: NodeAgent, exit: ProcessExit): Promise<void> {
  if ('exitCode' in exit && exit.exitCode === 0) return;
  throw new Error(`an agent on ${agent.node.name} ended with ${JSON.stringify(exit)}:\n${await agent.log()}`);
}

/** Waits until a number of ports of other nodes are bound to the chassis of these. */
export async function hasRemotePorts(node: LabNode, count: number): Promise<void> {
  await eventually(
    `${node.name} has ${count} ports of other nodes`,
    async () => (await observed(node)).remotePorts.length === count,
  );
}
