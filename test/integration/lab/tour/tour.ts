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
import { hasRemotePorts, WholeCluster } from '../whole-networks/whole-cluster.ts';
import { type Conversation, showPackets, type Wire } from './conversations.ts';
import {
  clusterUserDefinedNetworks,
  frrConfigurations,
  places,
  routeAdvertisements,
  tenants,
  uplinks,
} from './tenants.ts';
import { isTerminal, print, timed } from './text.ts';
import { serve, showPages, startUsualPrograms, WITHOUT_UPLINK } from './without-uplink.ts';

const overview = ['get', 'uplinks,cudn', '--output=wide'];

/** Traffic to the other node, in tunnels by the network card. */
const tunnel = { name: 'tunnel', device: 'vec0' } as const;

/** Commands that a person may want to run next. */
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
  'ip -brief address show vrf red                # the address of the uplink of red, which that of blue has too',
  'less /run/agent.log                           # what the agent of this node has done',
];

const nameOf = ({ namespace: tenant, name, node }: StartedPod) => `${tenant}/${name} on ${node.name}`;

const placeOf = ({ name }: LabNode): (typeof places)[number] => places.find((place) => place.name === name)!;

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

const uplinkOf = ({ node, namespace: tenant }: StartedPod) =>
  placeOf(node).uplinks.find(({ name }) => name === tenant)!;

/** A pod asks a host behind the provider of its tenant. */
function toProvider(from: StartedPod): readonly Conversation[] {
  const uplink = uplinkOf(from);
  return common.outside.map((to, family) => ({
    node: from.node,
    who: nameOf(from),
    source: from.addresses[family]!,
    asked: { from: namespaceOf(from), to },
    // Their networks are advertised: they keep their addresses.
    expected: { by: providerNamespace(uplink), seen: from.addresses[family]!, wire: wireOf(uplink) },
  }));
}

/** A pod asks the address of the second node, which is the one address outside to which it has that of its uplink. The provider answers for it. */
function toSecondNode(from: StartedPod): readonly Conversation[] {
  const [uplink, { name, address }] = [uplinkOf(from), places[1]];
  if (from.node.name === name) return [];
  const expected = { by: providerNamespace(uplink), seen: uplink.addresses![0]!, wire: wireOf(uplink) };
  const asked = { from: namespaceOf(from), to: address };
  return [{ node: from.node, who: nameOf(from), source: from.addresses[0]!, asked, expected }];
}

/** A pod asks an address that only a pod of the other tenant has. */
function toOtherTenant(from: StartedPod, to: StartedPod): readonly Conversation[] {
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

/** Gives a tenant without an uplink its network, a pod on each node, and a Service. */
async function startWithoutUplink(cluster: WholeCluster, nodes: readonly LabNode[]): Promise<readonly StartedPod[]> {
  cluster.createTenants([WITHOUT_UPLINK]);
  await cluster.untilReady([WITHOUT_UPLINK], nodes);
  const pods: StartedPod[] = [];
  for (const [index, node] of nodes.entries()) {
    const pod = await cluster.newPod(node, WITHOUT_UPLINK, ['a', 'b'][index]!);
    await startAnswering(node, [namespaceOf(pod)]);
    pods.push(pod);
  }
  await serve(cluster, pods);
  return pods;
}

/** All conversations of some pods. */
function conversationsOf(pods: readonly StartedPod[]): readonly Conversation[] {
  const otherTenant = pods.at(-1)!;
  const inPairs = pods.filter((pod) => pod !== otherTenant);
  return inPairs.flatMap((pod) => {
    const other = inPairs.find(({ namespace: tenant, node }) => tenant === pod.namespace && node !== pod.node)!;
    const own = [...toPod(pod, other), ...toProvider(pod), ...toSecondNode(pod)];
    return pod.namespace === otherTenant.namespace ? own : [...own, ...toOtherTenant(pod, otherTenant)];
  });
}

/** Installs everything on a cluster whose default network is another's, with two nodes. */
async function prepared(cluster: WholeCluster, nodes: readonly LabNode[]): Promise<void> {
  await cluster.register(...places);
  await Promise.all(nodes.map((node) => cluster.startAgent(node)));
  cluster.lab.server.apply(...tenants.map((tenant) => namespace(tenant, tenant)));
  await cluster.lab.apply({
    ...emptyCluster,
    uplinks,
    clusterUserDefinedNetworks,
    routeAdvertisements,
    frrConfigurations,
  });
  await cluster.untilReady(tenants, nodes);
  cluster.lab.server.kubectl(['wait', '--for=condition=UplinksReady', 'cudn', '--all', '--timeout=120s']);
}

/** Shows it, and returns an exit status. */
async function tour(): Promise<number> {
  print(
    'Two tenants of a cluster with two nodes, in networks that ovn-uplinks provides from the object to the interfaces of pods. Both have the same',
    'subnets. On each node each has a VRF and an uplink of its own: a bridge with a wire to a provider. The uplinks of a node have the same address,',
    'and so have the hosts of the providers. A third tenant has no uplink and needs no bridge: it leaves by the nodes, and has a Service.',
    '',
  );
  const begin = performance.now();
  const cluster = await timed('kube-apiserver and etcd; config, with the component networks; the cluster manager', () =>
    WholeCluster.start({}, '--egress=node'),
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
    await timed('kube-controller-manager, kube-proxy, CoreDNS, a host outside', () =>
      startUsualPrograms(cluster, nodes),
    );
    const others = await timed('A third tenant, without an uplink: two pods, and Service web before one of them', () =>
      startWithoutUplink(cluster, nodes),
    );
    print('', `$ kubectl ${overview.join(' ')}`, ...cluster.lab.server.kubectl(overview).trimEnd().split('\n'), '');
    const areRight = await showPackets(conversationsOf(pods), nodes.flatMap(wiresOf));
    const isRight = (await showPages(others)) && areRight;
    const seconds = Math.round((performance.now() - begin) / 1000);
    const verdict = isRight
      ? 'Each has reached its own pods and its own way out, and nobody else'
      : 'This is not what was expected';
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
