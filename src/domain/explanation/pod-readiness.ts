/** Why a pod has no address though its network is in its namespace and has subnets on its node. */
import type { Network } from '../network/network.ts';
import type { Namespace } from '../api/namespace.ts';
import type { Node } from '../api/node.ts';
import type { Pod } from '../api/pod.ts';
import { POD_NETWORKS_ANNOTATION } from '../basics/conventions.ts';
import { subnetContains } from '../basics/addresses/ip-address.ts';
import type { ClusterView } from '../plan/view/cluster-view.ts';
import { networksIn } from '../plan/view/provided-networks.ts';
import { annotatedAddresses } from '../pods/pod-annotation.ts';
import { type NetworkProblem, networkOfPods } from '../pods/pod-network.ts';
import { FIRST_POD_OFFSET, lastPodOffset } from '../network/allocation/reserved-addresses.ts';
import { hasEnded } from '../selection/active-nodes.ts';
import { attachmentSentence } from '../status/pod-attachment.ts';
import type { Fact } from './explanation.ts';
import { READY, reportedReadiness, reportFact } from './network-readiness.ts';

/** Why an agent does not attach a pod, or has not yet. */
export type AttachmentFailureReason =
  | (typeof refusals)[NetworkProblem['kind']]
  | 'AgentNotRunning'
  | 'NodeNotReporting'
  | 'NetworkNotReady'
  | 'AddressesExhausted'
  | 'PluginNotCalled'
  | 'NotAttached';

/** Why an agent refuses new pods of a namespace. */
const refusals = {
  'label-missing': 'NamespaceLabelMissing',
  none: 'NoNetwork',
  several: 'SeveralNetworks',
  'being-deleted': 'NetworkInUse',
  unsupported: 'NetworkUnsupported',
} as const satisfies Record<NetworkProblem['kind'], string>;

/** Facts about a pod that has no address. */
export interface UnattachedPod {
  readonly pod: Pod;
  readonly namespace: Namespace;
  readonly network: Network;
  readonly node: Node;
  /** Of the network's pods on the node, CIDR. */
  readonly subnets: readonly string[];
}

/** Labels of the agents' pods (config/agent). */
const AGENT_LABELS = { 'app.kubernetes.io/name': 'ovn-uplinks', 'app.kubernetes.io/component': 'node' };

function isAgent({ metadata: { namespace, labels = {} } }: Pod, { settings }: ClusterView): boolean {
  return (
    namespace === settings.namespace && Object.entries(AGENT_LABELS).every(([key, value]) => labels[key] === value)
  );
}

/** The fault of the agent's pod on a node; undefined if it runs, or if agents of the cluster are no pods. */
function agentFact(node: string, view: ClusterView): Fact | undefined {
  const { namespace } = view.settings;
  const agents = view.snapshot.pods.filter((pod) => isAgent(pod, view));
  if (agents.length === 0) return undefined;
  const [agent] = agents.filter((pod) => pod.spec.nodeName === node && !hasEnded(pod));
  if (agent === undefined) {
    return {
      depth: 0,
      text: `no agent of ovn-uplinks runs on ${node}: Namespace ${namespace} has no pod there`,
      sources: [],
    };
  }
  const phase = agent.status?.phase;
  if (phase === 'Running' || phase === undefined) return undefined;
  const source = `Pod/${namespace}/${agent.metadata.name}`;
  return { depth: 0, text: `the agent of ${node} does not run: its phase is ${phase}`, sources: [source] };
}

/** The subnet that has no address left, by the annotations of the network's pods on the node. */
function exhaustedFact({ network, node, subnets }: UnattachedPod, { snapshot }: ClusterView): Fact | undefined {
  const here = snapshot.pods.filter(({ spec }) => spec.nodeName === node.metadata.name);
  const used = new Set(
    here
      .filter((pod) => !hasEnded(pod))
      .flatMap(({ metadata: { namespace = 'default', annotations } }) => {
        const definition = `${namespace}/${network.metadata.name}`;
        return annotatedAddresses(annotations?.[POD_NETWORKS_ANNOTATION], definition) ?? [];
      }),
  );
  for (const subnet of subnets) {
    const taken = [...used].filter((address) => subnetContains(subnet, address)).length;
    const all = lastPodOffset(subnet) - FIRST_POD_OFFSET + 1;
    if (taken < all) continue;
    const text = `${subnet} has no free address: ${String(taken)} pods on ${node.metadata.name} have them all; addresses rest for a minute after use`;
    return { depth: 0, text, sources: [`Node/${node.metadata.name}`] };
  }
  return undefined;
}

/** The work of the container runtime. */
function runtimeFact({ pod, network, node }: UnattachedPod): {
  readonly reason: AttachmentFailureReason;
  readonly fact: Fact;
} {
  const { namespace = 'default', name } = pod.metadata;
  const definition = `${namespace}/${network.metadata.name}`;
  const sources = [`Pod/${namespace}/${name}`];
  const missing = `annotation ${POD_NETWORKS_ANNOTATION} has no addresses in ${definition}`;
  if (pod.status?.phase === 'Running') {
    const text = `${missing}, and the pod runs: the container runtime of ${node.metadata.name} has not called ovn-uplinks-cni for it; check Multus, the pod's annotation k8s.v1.cni.cncf.io/networks, and /opt/cni/bin there`;
    return { reason: 'PluginNotCalled', fact: { depth: 0, text, sources } };
  }
  const text = `${missing}: the agent of the node has not attached the pod; if that persists, events of the pod say what the container runtime was answered`;
  return { reason: 'NotAttached', fact: { depth: 0, text, sources } };
}

/** Why the agent refuses the pod whatever else is there: what it answers the container runtime. */
function refusal({ pod, namespace }: UnattachedPod, { snapshot, settings }: ClusterView) {
  const networks = networksIn(snapshot, settings);
  const found = networkOfPods(
    namespace,
    networks.filter((network) => network.providedBy === 'us'),
  );
  if (found.kind === 'found') return undefined;
  const { name } = namespace.metadata;
  const text = attachmentSentence(found, `Pod/${name}/${pod.metadata.name}`, name);
  return { reason: refusals[found.kind], facts: [{ depth: 0, text, sources: [`Namespace/${name}`] }] };
}

/** The facts about a pod without an address, and the first reason. */
export function attachmentFacts(
  unattached: UnattachedPod,
  view: ClusterView,
): { readonly reason: AttachmentFailureReason; readonly facts: readonly Fact[] } {
  const refused = refusal(unattached, view);
  if (refused !== undefined) return refused;
  const { network, node } = unattached;
  const { name } = node.metadata;
  const agent = agentFact(name, view);
  const networkId = view.networkId(network);
  const reported = networkId === undefined ? undefined : reportedReadiness(networkId, node, view);
  const report = { ...reportFact(reported, name, view), depth: 0 };
  if (agent !== undefined) return { reason: 'AgentNotRunning', facts: [report, agent] };
  if (reported === undefined) return { reason: 'NodeNotReporting', facts: [report] };
  if (reported.reason !== READY.reason) return { reason: 'NetworkNotReady', facts: [report] };
  const exhausted = exhaustedFact(unattached, view);
  if (exhausted !== undefined) return { reason: 'AddressesExhausted', facts: [report, exhausted] };
  const { reason, fact } = runtimeFact(unattached);
  return { reason, facts: [report, fact] };
}
