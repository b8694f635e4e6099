/** Two nodes of a cluster with a real API server, whose networks ovn-uplinks provides: npm run tour. */
import { emptyCluster } from '../../../../src/domain/index.ts';
import { namespace } from '../../kubernetes/network-objects.ts';
import { keepingTerminal, openShell } from '../node-shell.ts';
import type { LabNode } from '../node.ts';
import { WireCapture } from '../packets/capture.ts';
import { startAnswering } from '../packets/exchange.ts';
import { providerNamespace, wireOf } from '../packets/provider.ts';
import { common } from '../packets/tenant.ts';
import { installCommand, installKubectl } from '../shell-programs.ts';
import { namespaceOf, type StartedPod } from '../whole-networks/lab-pod.ts';
import { clusterUserDefinedNetworks, places, tenants, uplinks } from '../whole-networks/two-uplinks.ts';
import { hasRemotePorts, WholeCluster } from '../whole-networks/whole-cluster.ts';
import type { WholePlace } from '../whole-networks/whole-node.ts';
import { type Conversation, showPackets, type Wire } from './conversations.ts';
import { isTerminal, print, timed } from './text.ts';

const overview = ['get', 'uplinks,cudn', '--output=wide'];

/** What is sent to the other node, in tunnels by the network card. */
const tunnel = { name: 'tunnel', device: 'vec0' } as const;

/** What a person may want to do next. */
const suggestions = [
  'kubectl get uplinks,uplinkstates,cudn,network-attachment-definitions,pods --all-namespaces',
  'ovn-uplinks explain pod/blue/a --networks all',
  "ovn-uplinks trace blue worker-a 'tcp pod/blue/a > pod/blue/b:8080' --networks all --local",
  "ovn-uplinks trace blue worker-a 'tcp 10.20.0.3:40000 > 198.51.100.200:8080' --networks all --local",
  'ovn-uplinks flows worker-a --networks all --local --bridge br-blue',
  'ip netns exec blue-a ping 10.20.1.3           # b of the same tenant; from red-a the other b',
  'ip netns exec blue-a ip route',
  'ip link set eth-red down                      # and what the cluster says of it: kubectl get uplinks,cudn -o wide',
  'nft list table netdev ovn-uplinks             # what passes the interfaces of pods in the default network',
  'less /run/agent.log                           # what the agent of this node has done',
];

const nameOf = ({ namespace: tenant, name, node }: StartedPod) => `${tenant}/${name} on ${node.name}`;

const placeOf = ({ name }: LabNode): WholePlace & (typeof places)[number] =>
  places.find((place) => place.name === name)!;

/** A pod asks another one of its tenant. */
function toPod(from: StartedPod, to: StartedPod): readonly Conversation[] {
  return to.addresses.map((address, family) => {
    const source = from.addresses[family]!;
    return {
      node: from.node,
      who: nameOf(from),
      source,
      asked: { from: namespaceOf(from), to: address },
      expected: { by: namespaceOf(to), seen: source, wire: tunnel.name },
    };
  });
}

/** A pod asks a host behind the provider of its tenant. */
function toProvider(from: StartedPod): readonly Conversation[] {
  const uplink = placeOf(from.node).uplinks.find(({ name }) => name === from.namespace)!;
  return common.outside.map((to, family) => ({
    node: from.node,
    who: nameOf(from),
    source: from.addresses[family]!,
    asked: { from: namespaceOf(from), to },
    expected: { by: providerNamespace(uplink), seen: uplink.addresses![family]!, wire: wireOf(uplink) },
  }));
}

/** A pod asks an address that only a pod of the other tenant has. */
function toStranger(from: StartedPod, to: StartedPod): readonly Conversation[] {
  return to.addresses.map((address, family) => ({
    node: from.node,
    who: nameOf(from),
    source: from.addresses[family]!,
    asked: { from: namespaceOf(from), to: address },
  }));
}

/** The wires of a node: to the providers, and to the other node. */
function wiresOf(node: LabNode): readonly Wire[] {
  return [
    ...placeOf(node).uplinks.map((uplink) => ({
      name: wireOf(uplink),
      node,
      start: () => WireCapture.start(node, providerNamespace(uplink)),
    })),
    { name: tunnel.name, node, start: () => WireCapture.startAtNode(node, tunnel.device) },
  ];
}

/** Starts the pods of the tenants, which answer: one of each on each node, and one of the second tenant that has an address of no pod of the first. */
async function startPods(cluster: WholeCluster, nodes: readonly LabNode[]): Promise<readonly StartedPod[]> {
  const pods: StartedPod[] = [];
  for (const tenant of tenants)
    for (const [index, node] of nodes.entries()) pods.push(await cluster.newPod(node, tenant, ['a', 'b'][index]!));
  pods.push(await cluster.newPod(nodes.at(-1)!, tenants[1], 'c'));
  for (const node of nodes) {
    await startAnswering(node, pods.filter((pod) => pod.node === node).map(namespaceOf));
    await hasRemotePorts(node, tenants.length);
  }
  return pods;
}

/** All conversations of some pods. */
function conversationsOf(pods: readonly StartedPod[]): readonly Conversation[] {
  const stranger = pods.at(-1)!;
  const inPairs = pods.filter((pod) => pod !== stranger);
  return inPairs.flatMap((pod) => {
    const other = inPairs.find(({ namespace: tenant, node }) => tenant === pod.namespace && node !== pod.node)!;
    const own = [...toPod(pod, other), ...toProvider(pod)];
    return pod.namespace === stranger.namespace ? own : [...own, ...toStranger(pod, stranger)];
  });
}

/** Installs everything on a cluster whose default network is another's, with two nodes. */
async function prepared(cluster: WholeCluster, nodes: readonly LabNode[]): Promise<void> {
  await cluster.register(...places);
  await Promise.all(nodes.map((node) => cluster.startAgent(node)));
  cluster.lab.server.apply(...tenants.map((tenant) => namespace(tenant, tenant)));
  await cluster.lab.apply({ ...emptyCluster, uplinks, clusterUserDefinedNetworks });
  await cluster.untilReady(tenants, nodes);
  cluster.lab.server.kubectl(['wait', '--for=condition=UplinksReady', 'cudn', '--all', '--timeout=120s']);
}

/** Shows it, and returns an exit status. */
async function tour(): Promise<number> {
  print(
    'Two tenants of a cluster with two nodes, in networks that ovn-uplinks provides from the object to the interfaces of pods. Both have the same',
    'subnets, and on each node an uplink of their own: a bridge with a wire to a provider, whose hosts have the same addresses too.',
    '',
  );
  const begin = performance.now();
  const cluster = await timed('kube-apiserver and etcd; config, with the component networks; the cluster manager', () =>
    WholeCluster.start(),
  );
  try {
    const nodes = await timed('Two machines: Open vSwitch, OVN, bridges, providers, a default network of pods', () =>
      Promise.all(
        places.map(async (place, index) => {
          if (index === 0) await cluster.lab.machine(place.name, { console: isTerminal ? 'terminal' : 'kept' });
          return await cluster.startNode(place);
        }),
      ),
    );
    await timed('Nodes, agents, Uplinks, namespaces and networks, until all networks and their uplinks are ready', () =>
      prepared(cluster, nodes),
    );
    const pods = await timed('Five pods, attached by the CNI plugin', () => startPods(cluster, nodes));
    print('', `$ kubectl ${overview.join(' ')}`, ...cluster.lab.server.kubectl(overview).trimEnd().split('\n'), '');
    const isRight = await showPackets(conversationsOf(pods), nodes.flatMap(wiresOf));
    const seconds = Math.round((performance.now() - begin) / 1000);
    const verdict = isRight
      ? 'Each has reached its own pods and its own provider, and nobody else'
      : 'This is not as it should be';
    print('', `${verdict}, after ${seconds} s.`);
    const [node] = nodes as [LabNode];
    if (isTerminal) {
      await installCommand(node, cluster.lab.server);
      await installKubectl(node, cluster.lab.server.kubeconfigInNetwork);
      const text = suggestions.map((line) => `  ${line}`);
      print('', `This is a shell on ${node.name}; "exit" ends it. To try:`, ...text, '');
      await openShell(node);
    }
    return isRight ? 0 : 1;
  } finally {
    await cluster.stop();
  }
}

process.exitCode = await (isTerminal ? keepingTerminal(tour) : tour());
