import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ClusterSnapshot } from '../../../../src/domain/index.ts';
import { Administrator } from '../../kubernetes/administrator.ts';
import { TestApiServer } from '../../kubernetes/api-server.ts';
import { DNS, DNS_ENDPOINT, dnsObjects } from '../../kubernetes/dns-objects.ts';
import { otherDefinitions } from '../../kubernetes/other-definitions.ts';
import { type Controller, ControllerManager } from '../../kubernetes/programs/controller-manager.ts';
import {
  ApiUser,
  CONFIG,
  configWith,
  kindsServed,
  onceServed,
  tokenOf,
  tokenOnNode,
} from '../../kubernetes/served-config.ts';
import { bundled } from '../agent/bundle.ts';
import { type AgentOptions, NodeAgent } from '../agent/node-agent.ts';
import { LabNetwork } from '../lab-network.ts';
import { Machine, type MachineOptions } from '../machine.ts';
import type { LabNode } from '../node.ts';
import { nodeWith, NORTHBOUND } from '../packets/packet-node.ts';
import type { ClusterNode } from './cluster-nodes.ts';

/** Where the kubelet puts the files of a pod's service account. */
const SERVICE_ACCOUNT = '/run/secrets/kubernetes.io/serviceaccount';

/** A program that answers outside of the cluster. */
const OUTSIDE = join(import.meta.dirname, 'outside.ts');

/** The settings of all components, as the ConfigMap of `config` has them. */
const SETTINGS = resolve(CONFIG, 'default/settings.yaml');

/** The arguments of `kubectl apply -k FOLDER` in tests. */
function applied(folder: string): readonly string[] {
  return ['apply', '--server-side', '--validate=strict', `--kustomize=${folder}`];
}

/** The arguments of `kubectl apply -k config` in tests. */
export const applyConfig = applied(CONFIG);

/**
 * A cluster with a real API server, and nodes on machines of their own that reach it by their network cards. `config` is applied. Agents and cluster
 * manager use the tokens of their service accounts, bound to pods, as in production.
 */
export class LabCluster {
  readonly server: TestApiServer;
  readonly #network: LabNetwork;
  readonly #machines = new Map<string, Promise<Machine>>();
  readonly #administrator: ApiUser;
  #manager: ChildProcess | undefined;
  #outside: ChildProcess | undefined;

  private constructor(network: LabNetwork, server: TestApiServer, administrator: ApiUser) {
    this.#network = network;
    this.server = server;
    this.#administrator = administrator;
  }

  /** Starts one that has nothing but the definitions of other projects, and the Service of DNS. */
  static async start(): Promise<LabCluster> {
    const network = await LabNetwork.start();
    try {
      const server = await TestApiServer.start(network);
      server.apply(...otherDefinitions);
      server.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } });
      server.apply(...dnsObjects(DNS, DNS_ENDPOINT, 53));
      return new LabCluster(network, server, await ApiUser.of(server));
    } catch (error) {
      await network.stop();
      throw error;
    }
  }

  /** Installs `config`, as an administrator does, with components of it. */
  async install(...components: readonly string[]): Promise<void> {
    this.server.kubectl(components.length === 0 ? applyConfig : applied(configWith(...components)));
    await kindsServed(this.server);
  }

  /** Creates or changes objects, with the status of nodes. */
  async apply({ nodes, ...others }: ClusterSnapshot): Promise<void> {
    const objects = [...nodes, ...Object.values(others).flat()] as readonly object[];
    await onceServed(() => {
      const isNamespace = (object: object) => 'kind' in object && object.kind === 'Namespace';
      this.server.apply(...objects.filter(isNamespace), namespaceOfFrr);
      this.server.apply(...objects.filter((object) => !isNamespace(object)));
    });
    const administrator = await Administrator.of(this.server);
    for (const node of nodes) await administrator.apply(node);
    administrator.close();
  }

  /** A node with the bridges, providers and own halves of its tenants, on the machine of its name. */
  async newNode(place: ClusterNode): Promise<LabNode> {
    const machine = await this.machine(place.name);
    const node = await nodeWith(place.tenants, machine, { ...place, networkCard: true });
    await this.join(node);
    return node;
  }

  /** The machine of a node, which has a network card in the network of the cluster. @param options where it does not run yet */
  async machine(name: string, options: MachineOptions = {}): Promise<Machine> {
    const machine = this.#machines.get(name) ?? Machine.start({ network: this.#network, ...options });
    this.#machines.set(name, machine);
    return await machine;
  }

  /** Ends the machine of a node at once, as where its power fails. Another one can then be started in its place. */
  async endMachine(name: string): Promise<void> {
    const machine = await this.#machines.get(name);
    this.#machines.delete(name);
    await machine?.stop();
  }

  /** Gives a node the files of a service account, but for its token. */
  async join(node: LabNode): Promise<void> {
    await node.does(['/bin/busybox', 'mkdir', '-p', SERVICE_ACCOUNT]);
    await node.write(`${SERVICE_ACCOUNT}/ca.crt`, this.server.certificate);
    await node.write(`${SERVICE_ACCOUNT}/namespace`, 'ovn-uplinks');
  }

  /** Gives the agent of a node the token of a new pod there, as the kubelet does. */
  async newToken(node: LabNode): Promise<void> {
    const token = await tokenOnNode(this.#administrator, 'ovn-uplinks-node', node.name);
    await node.write(`${SERVICE_ACCOUNT}/token`, token);
  }

  /** Starts the agent of a node that has a token. */
  startAgent(node: LabNode, ...options: readonly string[]): Promise<NodeAgent> {
    return NodeAgent.start(node, this.#agentOptions(options));
  }

  /** Starts an agent that is killed right after a change of it. @param change its number, from 1 on */
  startKilledAgent(node: LabNode, change: number, ...options: readonly string[]): Promise<NodeAgent> {
    return NodeAgent.start(node, { ...this.#agentOptions(options), killedAfter: change });
  }

  #agentOptions(options: readonly string[]): AgentOptions {
    return { apiServer: this.server, northbound: NORTHBOUND, words: [`--config=${SETTINGS}`, ...options] };
  }

  /** Starts the cluster manager, in the network of the cluster, and again whenever it ends by itself, as the kubelet does. */
  async startManager(...words: readonly string[]): Promise<void> {
    const folder = dirname(this.server.kubeconfig);
    const [token, kubeconfig] = [join(folder, 'manager-token'), join(folder, 'manager-kubeconfig')];
    writeFileSync(token, await tokenOf(this.#administrator, 'ovn-uplinks-cluster-manager'));
    const server = `https://${this.server.address}:${this.server.port}`;
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'cluster', cluster: { server, 'certificate-authority': 'apiserver.crt' } }],
        users: [{ name: 'manager', user: { tokenFile: token } }],
        contexts: [{ name: 'cluster', context: { cluster: 'cluster', user: 'manager', namespace: 'ovn-uplinks' } }],
        'current-context': 'cluster',
      }),
    );
    const options = ['cluster-manager', '--config', SETTINGS, '--kubeconfig', kubeconfig, ...words];
    const command = ['setpriv', '--pdeathsig', 'KILL', process.execPath, bundled('src/cmd/main.ts'), ...options];
    this.#runManager(this.#network.command(command));
  }

  #runManager(command: readonly string[]): void {
    const [program = '', ...rest] = command;
    const log = openSync(this.#managerLog, 'a');
    const manager = spawn(program, rest, { stdio: ['ignore', log, log] });
    closeSync(log);
    this.#manager = manager;
    manager.once('exit', () => {
      if (this.#manager === manager) this.#runManager(command);
    });
  }

  /** The names of the objects at a path of the API; none where it is not served. */
  async names(path: string): Promise<readonly string[]> {
    const { items } = await this.#administrator.send({ method: 'GET', path }).catch(() => ({ items: [] }));
    return (items as readonly { readonly metadata: { readonly name: string } }[]).map(({ metadata }) => metadata.name);
  }

  /** Starts the controllers of Kubernetes that end namespaces and delete what has no owner any more, and others. */
  async startControllers(...others: readonly Controller[]): Promise<void> {
    await ControllerManager.start(this.server, ['namespace', 'garbage-collector', ...others]);
  }

  /** Starts a host outside of the cluster, beside its nodes, which answers at an address, on port 8080, whom it sees. */
  async startOutside(address: string): Promise<void> {
    const command = ['setpriv', '--pdeathsig', 'KILL', process.execPath, OUTSIDE, address];
    const [program = '', ...words] = this.#network.command(command);
    const host = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#outside = host;
    const ended = once(host, 'exit').then(() => {
      throw new Error(`the host outside, ${address}, has ended`);
    });
    await Promise.race([once(host.stdout, 'data'), ended]);
    ended.catch(() => undefined);
  }

  /** The log of the cluster manager so far. */
  managerLog(): string {
    return readFileSync(this.#managerLog, 'utf8');
  }

  /** Kills the cluster manager, which keeps its Lease, and is started again. */
  killManager(): void {
    this.#manager?.kill('SIGKILL');
  }

  /** Ends the cluster manager. */
  async stopManager(): Promise<void> {
    const manager = this.#manager;
    this.#manager = undefined;
    if (manager === undefined || manager.exitCode !== null || manager.signalCode !== null) return;
    const ended = once(manager, 'exit');
    manager.kill('SIGTERM');
    await ended;
  }

  /** Ends everything. */
  async stop(): Promise<void> {
    await this.stopManager();
    this.#outside?.kill('SIGKILL');
    const machines = await Promise.allSettled(this.#machines.values());
    for (const machine of machines) if (machine.status === 'fulfilled') await machine.value.stop();
    this.#administrator.close();
    await this.server.stop();
    await this.#network.stop();
  }

  get #managerLog(): string {
    return join(dirname(this.server.kubeconfig), 'manager.log');
  }
}

const namespaceOfFrr = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'frr-k8s-system' } };
