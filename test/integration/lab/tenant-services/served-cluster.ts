import { ip } from '../commands.ts';
import { DNS, dnsObjects } from '../../kubernetes/dns-objects.ts';
import { ControllerManager } from '../../kubernetes/programs/controller-manager.ts';
import type { LabNode } from '../node.ts';
import { PORT, startAnswering } from '../packets/exchange.ts';
import { KubeProxy, NodeCoreDns } from '../services/node-programs.ts';
import { serviceObjects } from '../services/service-objects.ts';
import { ALL_PODS, connectedPlace, connectPods } from '../whole-networks/default-network.ts';
import { namespaceOf, type ScheduledPod, startDefault, type StartedPod } from '../whole-networks/lab-pod.ts';
import { WholeCluster } from '../whole-networks/whole-cluster.ts';
import { connectWorld } from '../whole-networks/world.ts';
import { setReady } from './served.ts';

const places = ['worker-a', 'worker-b'].map(connectedPlace);

/** The tenants, which have the same subnets. */
export const tenants = ['blue', 'red', 'green'] as const;

/** The headless Service whose names pods have, and the pods of each tenant, one a node. */
export const HEADLESS = 'db';
const podNames = ['db-0', 'db-1'] as const;

/** The subnets of the Services. */
export const SUBNETS = ['--service-cidr=10.96.0.0/16', '--service-cidr=fd96::/112'];

/** Services of the default network with an endpoint on the first node; pods of tenants may reach the first Service. */
export const allowed = { name: 'registry', addresses: ['10.96.0.70', 'fd96::70'] } as const;
export const plain = { name: 'plain', addresses: ['10.96.0.71', 'fd96::71'] } as const;

/** The options of cluster manager and agents. */
export const OPTIONS = [...SUBNETS, '--egress=node', `--default-services=default/${allowed.name}`];

/** The address of CoreDNS in the default network, on the first node. */
const DNS_ENDPOINT = '10.244.0.253';

/** MiB of each node: with more than 1,024 its kernel has 65,536 entries of connection tracking instead of 8,192 (Linux, nf_conntrack_core.c), and gives up none of datagrams. */
const MEMORY = 1280;

/**
 * A cluster of two nodes, of Debian 12 and 13, in zones of their own, each with kube-proxy, a way out and a pod of the default network; with CoreDNS, kube-controller-manager, and a pod of
 * each of three tenants on each node.
 */
export class ServedCluster {
  readonly cluster: WholeCluster;
  readonly nodes: readonly LabNode[];
  /** Pods of the default network, one a node. */
  readonly defaultPods: readonly ScheduledPod[];
  readonly pods: StartedPod[] = [];

  private constructor(cluster: WholeCluster, nodes: readonly LabNode[], defaultPods: readonly ScheduledPod[]) {
    this.cluster = cluster;
    this.nodes = nodes;
    this.defaultPods = defaultPods;
  }

  static async start(): Promise<ServedCluster> {
    const cluster = await WholeCluster.start({ memory: MEMORY }, ...OPTIONS);
    const options = [{}, { userland: 'debian-13' as const }];
    const nodes = await Promise.all(places.map((place, number) => cluster.startNode(place, options[number])));
    const endpoints = await Promise.all(nodes.map(connectDefault));
    const { server } = cluster.lab;
    server.apply(
      ...dnsObjects(DNS, DNS_ENDPOINT, 53),
      ...[allowed, plain].flatMap(({ name, addresses }) =>
        serviceObjects(name, { addresses, endpoints: endpoints[0]!.addresses, port: PORT }),
      ),
    );
    await cluster.register(...places);
    for (const { name } of nodes) server.kubectl(['label', `node/${name}`, `topology.kubernetes.io/zone=${name}`]);
    await Promise.all([
      ...nodes.map((node, number) => KubeProxy.start(node, server, modes[number]!, ALL_PODS)),
      ...nodes.map((node) => cluster.startAgent(node)),
      NodeCoreDns.start(nodes[0]!, server, [DNS_ENDPOINT]),
      ControllerManager.start(server, ['endpointslice', 'garbage-collector']),
    ]);
    cluster.createTenants(tenants);
    const served = new ServedCluster(
      cluster,
      nodes,
      endpoints.map(({ pod }) => pod),
    );
    await cluster.untilReady(tenants, nodes);
    await served.#startPods();
    return served;
  }

  stop(): Promise<void> {
    return this.cluster.stop();
  }

  podsOf(tenant: string): readonly StartedPod[] {
    return this.pods.filter(({ namespace }) => namespace === tenant);
  }

  /** Starts the pods of all tenants, which have names as those of a StatefulSet. */
  async #startPods(): Promise<void> {
    for (const [number, node] of this.nodes.entries())
      for (const tenant of tenants) {
        const hostname = podNames[number]!;
        const spec = { hostname, subdomain: HEADLESS };
        this.pods.push(await this.cluster.newPod(node, tenant, hostname, { spec }));
      }
    for (const node of this.nodes)
      await startAnswering(node, this.pods.filter((pod) => pod.node === node).map(namespaceOf));
    for (const pod of this.pods) await setReady(this.cluster.administrator, pod, true);
  }
}

/** How kube-proxy serves on each node. */
const modes = ['iptables', 'nftables'] as const;

/** Gives a node its place in the default network, a way out, and a pod that answers. @returns the pod with its addresses there */
async function connectDefault(node: LabNode, number: number) {
  await connectPods(node, places);
  await connectWorld(node, number);
  // The API server is in no pod: it knows nodes, and none of their pods.
  await node.does(
    ['nft', 'add table ip api; add chain ip api leaving { type nat hook postrouting priority srcnat; }'],
    ['nft', `add rule ip api leaving oif vec0 ip saddr ${ALL_PODS[0]} ip daddr 198.51.100.1 masquerade`],
    ip`link set lo up`,
  );
  const pod: ScheduledPod = { node, namespace: 'default', name: node.name, uid: node.name, network: 'default' };
  const addresses = await startDefault(pod);
  await startAnswering(node, [namespaceOf(pod)]);
  return { pod, addresses };
}
