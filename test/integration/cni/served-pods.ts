/** An agent on a real socket: the plugin and the kernel are real. Databases are in memory if none are given; the host plays the network's router then. */
import { clusterNetwork } from '../../../src/domain/network/network.ts';
import { serveCni, USUAL_CNI_LIMITS } from '../../../src/adapters/cni-socket/cni-server.ts';
import type { CniServer } from '../../../src/ports/pods/cni-agent.ts';
import { PodAgent } from '../../../src/control/pods/pod-agent.ts';
import type { PodPorts, PodTiming } from '../../../src/control/pods/pod-ports.ts';
import { defaultSettings, type Pod } from '../../../src/domain/index.ts';
import { FakePodNode } from '../../fakes/pod-node.ts';
import { namespace, network, node, pod } from '../../unit/domain/brief-objects.ts';
import { NODE_ID_ANNOTATION, PRIMARY_NETWORK_LABEL } from '../../../src/domain/basics/conventions.ts';
import type { PodHost } from './pod-host.ts';

/** The router of the network on this node. */
export const ROUTER = { 4: '10.20.1.1', 6: 'fd20:0:0:1::1' } as const;

/** The objects of the cluster, without pods. */
export const objects = {
  namespace: namespace('demo', { tenant: 'blue', [PRIMARY_NETWORK_LABEL]: '' }),
  node: {
    ...node('worker-a', { annotations: { [NODE_ID_ANNOTATION]: '3' } }),
    status: { addresses: [{ type: 'InternalIP', address: '172.18.0.2' }] },
  },
  network: network('blue', {
    namespaceSelector: { matchLabels: { tenant: 'blue' } },
    network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }, { cidr: 'fd20::/48' }] } },
  }),
};

const facts: FakePodNode['facts'] = {
  namespace: objects.namespace,
  nodeId: 3,
  node: objects.node,
  networks: [clusterNetwork(objects.network, { providedNetworks: 'all', egress: 'none' })],
  pods: [],
};

/** A pod of the network. */
export const podOf = (name: string): Pod =>
  pod(name, 'demo', 'worker-a', { metadata: { name, namespace: 'demo', uid: `uid-of-${name}` } });

/** The environment of calls for a pod. */
export const environmentOf = ({ metadata: { name, namespace: inNamespace, uid } }: Pod) => ({
  CNI_IFNAME: 'net1',
  CNI_ARGS: `IgnoreUnknown=1;K8S_POD_NAMESPACE=${inNamespace};K8S_POD_NAME=${name};K8S_POD_UID=${uid}`,
});

export class ServedPods {
  readonly node = new FakePodNode(facts);
  readonly #socket: string;
  /** Whether the host answers for the router. */
  hasRouter = true;
  #host: PodHost | undefined;
  #server: CniServer | undefined;

  readonly #databases: Partial<PodPorts>;
  #agent: PodAgent | undefined;

  /** @param databases those that are real */
  constructor(socket: string, databases: Partial<PodPorts> = {}) {
    this.#socket = socket;
    this.#databases = databases;
  }

  /** Starts an agent. @param host whose interfaces it serves */
  async start(host: PodHost, times: Partial<PodTiming> = {}): Promise<void> {
    this.#host = host;
    const timing = { objects: 20_000, flows: 30_000, gateway: 20_000, annotation: 1000, ...times };
    this.#agent = new PodAgent(this.#ports(host), defaultSettings, timing);
    this.#server = await serveCni(this.#socket, this.#agent, () => undefined, { ...USUAL_CNI_LIMITS, closing: 500 });
  }

  /** Has the agent make the logical switch ports of pods that are new, as it does when they appear. */
  async prepare(): Promise<void> {
    await this.#agent?.prepare();
  }

  async repair() {
    return (await this.#agent?.repair()) ?? { ok: false };
  }

  async stop(): Promise<void> {
    await this.#server?.close();
    this.#server = undefined;
  }

  /** Creates a pod in the cluster, and its namespace on the host. @returns the environment of its calls */
  async create(name: string): Promise<Readonly<Record<string, string>>> {
    const created = podOf(name);
    this.node.change({ pods: [...this.node.facts.pods, created] });
    await this.#host?.does(`ip netns add ${name}`);
    return environmentOf(created);
  }

  #ports(host: PodHost): PodPorts {
    const { ports } = this.node;
    const { switchPorts } = ports;
    return {
      ...ports,
      switchPorts: {
        ...switchPorts,
        read: async () => {
          const reading = await switchPorts.read();
          // The kernel has the devices.
          return reading.read
            ? { read: true, value: reading.value.map((each) => ({ ...each, hasDevice: true })) }
            : reading;
        },
        add: async (port) => {
          if (this.hasRouter) {
            await host.does(
              `ip address add ${ROUTER[4]}/24 dev ${port.name}; ip address add ${ROUTER[6]}/64 dev ${port.name} nodad`,
            );
          }
          return await switchPorts.add(port);
        },
      },
      ...this.#databases,
    };
  }
}
