import type { Network } from '../network/network.ts';
import type { Node } from '../api/node.ts';
import type { Pod } from '../api/pod.ts';
import { podSubnetsOfNode } from '../network/allocation/pod-subnets.ts';
import { usableSubnets } from '../dataplane/logical-network/node-addresses.ts';
import { NODE_ID_ANNOTATION, OPEN_PORTS_ANNOTATION, POD_NETWORKS_ANNOTATION } from '../basics/conventions.ts';
import { type ClusterView, viewCluster } from '../plan/view/cluster-view.ts';
import { disputedNodeId } from '../plan/view/node-id-disputes.ts';
import { openPortsText } from '../pods/open-port-warning.ts';
import { openPortsOf } from '../pods/open-ports.ts';
import { defaultServicesIn } from '../pods/default-services.ts';
import { annotatedAddresses, annotatedServices } from '../pods/pod-annotation.ts';
import { hasEnded } from '../selection/active-nodes.ts';
import { podSubnetsOf } from '../selection/node-network.ts';
import type { ClusterSnapshot } from '../snapshot/cluster-snapshot.ts';
import type { ClusterSettings } from '../snapshot/settings.ts';
import { disputedIdSentence } from '../status/sentences/logical-network-sentence.ts';
import { namespaceFacts } from './explain-namespace.ts';
import type { Fact } from './explanation.ts';
import {
  judgeNamespace,
  type NamespaceFailure,
  namespaceVerdictText,
  type NetworkInNamespace,
} from './namespace-verdict.ts';
import { attachmentFacts, type AttachmentFailureReason } from './pod-readiness.ts';

/** Why a pod has no address in a primary network. */
export type PodFailureReason =
  | NamespaceFailure['reason']
  | 'HostNetwork'
  | 'NotScheduled'
  | 'NotRunning'
  | 'NodeNotFound'
  | 'NodeIdMissing'
  | 'NoSubnet'
  | AttachmentFailureReason;

/** The addresses of a pod in its primary network, or why it has none. */
export type PodVerdict =
  | { readonly network: string; readonly addresses: readonly string[] }
  | { readonly network?: string; readonly reason: PodFailureReason };

/** Why a pod has the addresses that it has, or none. */
export interface PodExplanation {
  readonly namespace: string;
  readonly pod: string;
  readonly verdict: PodVerdict;
  readonly facts: readonly Fact[];
}

/** A decision that keeps the pod from having addresses, and the facts up to it. */
interface Judged {
  readonly verdict: PodVerdict;
  readonly facts: readonly Fact[];
}

function podSource({ metadata: { namespace = 'default', name } }: Pod): string {
  return `Pod/${namespace}/${name}`;
}

/** Where the pod runs, or why it has no address whatever its network is. */
function whereabouts(pod: Pod, { nodes }: ClusterView): { readonly node: Node; readonly fact: Fact } | Judged {
  const { nodeName, hostNetwork } = pod.spec;
  const sources = [podSource(pod)];
  const none = (reason: PodFailureReason, text: string): Judged => ({
    verdict: { reason },
    facts: [{ depth: 0, text, sources }],
  });
  if (hostNetwork === true) return none('HostNetwork', 'uses the network of its node, and has no address of its own');
  if (nodeName === undefined) return none('NotScheduled', 'is not scheduled to a node yet');
  if (hasEnded(pod)) return none('NotRunning', `has ended: its phase is ${pod.status?.phase}`);
  const node = nodes.byName.get(nodeName);
  if (node === undefined) return none('NodeNotFound', `is scheduled to Node ${nodeName}, which does not exist`);
  return { node, fact: { depth: 0, text: `runs on ${nodeName}`, sources } };
}

/** The subnets of the pod's node in its network, or why there are none. */
function subnetFact(
  network: Network,
  node: Node,
  view: ClusterView,
): { readonly fact: Fact; readonly subnets: readonly string[]; readonly reason?: PodFailureReason } {
  const { name } = node.metadata;
  const sources = [`Node/${name}`, network.key];
  const allocated = usableSubnets(network, podSubnetsOf(node, network.networkName));
  if (allocated.length > 0) {
    const text = `${name} has subnets ${allocated.join(', ')} of the network`;
    return { subnets: allocated, fact: { depth: 0, text, sources } };
  }
  const id = view.nodeId(node);
  if (id === undefined) {
    const annotated = disputedNodeId(node, view);
    const text = annotated
      ? disputedIdSentence(name, annotated)
      : `${name} has no id yet (annotation ${NODE_ID_ANNOTATION})`;
    return { reason: 'NodeIdMissing', subnets: [], fact: { depth: 0, text, sources: [`Node/${name}`] } };
  }
  const subnets = podSubnetsOfNode(network.subnets, id);
  if (subnets === undefined) {
    return {
      reason: 'NoSubnet',
      subnets: [],
      fact: { depth: 0, text: `${name} has id ${id}, and the network has no subnet left for it`, sources },
    };
  }
  return {
    subnets,
    fact: { depth: 0, text: `${name} has id ${id}, so its subnets are ${subnets.join(', ')}`, sources },
  };
}

/** The ports that the pod opens in the default network, and what is wrong with its annotation. */
function openPortFacts(pod: Pod): readonly Fact[] {
  const { ports, problems } = openPortsOf(pod);
  const opened = openPortsText(ports);
  const sources = [podSource(pod)];
  return [
    ...(opened === '' ? [] : [`opens ${opened} in the default network`]),
    ...problems.map((problem) => `annotation ${OPEN_PORTS_ANNOTATION}: ${problem}`),
  ].map((text) => ({ depth: 0, text, sources }));
}

/**
 * Services that the pod reaches by the default network, and those that a pod which is created now would reach: routes of running pods are not changed, and the
 * addresses that they know of DNS and the Kubernetes API stay too.
 */
function defaultServiceFact(pod: Pod, definition: string, { snapshot, settings }: ClusterView): Fact {
  const sources = [podSource(pod)];
  const services = annotatedServices(pod.metadata.annotations?.[POD_NETWORKS_ANNOTATION], definition);
  if (services === undefined) {
    const text =
      'was attached by an older version: it reaches no Service of its network, as addresses of all Services lead to the default network; create it again';
    return { depth: 0, text, sources };
  }
  const has = `reaches ${services.join(', ') || 'no Service'} by the default network`;
  const { addresses, missing } = defaultServicesIn(snapshot, settings);
  const isSame = addresses.length === services.length && addresses.every((address) => services.includes(address));
  if (isSame || missing.length > 0) return { depth: 0, text: has, sources };
  const text = `${has} as long as it runs, where new pods reach ${addresses.join(', ')}: Services or settings have changed since; create it again if it needs them`;
  return { depth: 0, text, sources };
}

/** The addresses of the pod by its annotation in the first network that it has any in; undefined if it has none. */
function attachedFacts(
  pod: Pod,
  node: Node,
  networks: readonly NetworkInNamespace[],
  view: ClusterView,
): Judged | undefined {
  const { namespace = 'default', annotations } = pod.metadata;
  for (const { network } of networks) {
    const definition = `${namespace}/${network.metadata.name}`;
    const addresses = annotatedAddresses(annotations?.[POD_NETWORKS_ANNOTATION], definition);
    if (addresses === undefined) continue;
    const has = { depth: 0, text: `has ${addresses.join(', ')} in ${definition}`, sources: [podSource(pod)] };
    const services = network.providedBy === 'us' ? [defaultServiceFact(pod, definition, view)] : [];
    const facts = [subnetFact(network, node, view).fact, has, ...services, ...openPortFacts(pod)];
    return { verdict: { network: network.key, addresses }, facts };
  }
  return undefined;
}

function judgePod(pod: Pod, view: ClusterView): Judged {
  const found = whereabouts(pod, view);
  if ('verdict' in found) return found;
  const { node, fact } = found;
  const { namespace: namespaceName = 'default' } = pod.metadata;
  const namespace = view.snapshot.namespaces.find(({ metadata }) => metadata.name === namespaceName);
  if (namespace === undefined) {
    const text = `Namespace ${namespaceName} does not exist`;
    return { verdict: { reason: 'NoNetwork' }, facts: [fact, { depth: 0, text, sources: [] }] };
  }
  const judged = judgeNamespace(namespace, view);
  const { verdict, networks } = judged;
  const facts: readonly Fact[] = [
    fact,
    { depth: 0, text: `namespace ${namespaceName}: ${namespaceVerdictText(verdict)}`, sources: [] },
    ...namespaceFacts(namespace, judged, view).map((each) => ({ ...each, depth: each.depth + 1 })),
  ];
  // What keeps a network from new pods takes no address from those that have one.
  const attached = attachedFacts(pod, node, networks, view);
  if (attached !== undefined) return { verdict: attached.verdict, facts: [...facts, ...attached.facts] };
  const network = networks.find((each) => each.network.key === verdict.network)?.network;
  if (verdict.failure !== undefined || network === undefined) {
    const { reason } = verdict.failure ?? { reason: 'NoNetwork' as const };
    return { verdict: { ...(verdict.network !== undefined && { network: verdict.network }), reason }, facts };
  }
  const subnet = subnetFact(network, node, view);
  if (subnet.reason !== undefined) {
    return { verdict: { network: network.key, reason: subnet.reason }, facts: [...facts, subnet.fact] };
  }
  const unattached = attachmentFacts({ pod, namespace, network, node, subnets: subnet.subnets }, view);
  return {
    verdict: { network: network.key, reason: unattached.reason },
    facts: [...facts, subnet.fact, ...unattached.facts],
  };
}

/** Explains the addresses of a pod in its primary network; undefined if the cluster has no such pod. */
export function explainPod(
  cluster: ClusterSnapshot,
  settings: ClusterSettings,
  namespace: string,
  name: string,
): PodExplanation | undefined {
  const pod = cluster.pods.find(
    ({ metadata }) => (metadata.namespace ?? 'default') === namespace && metadata.name === name,
  );
  if (pod === undefined) return undefined;
  return { namespace, pod: name, ...judgePod(pod, viewCluster(cluster, settings)) };
}

/** A verdict in a few words. */
export function podVerdictText(verdict: PodVerdict): string {
  if ('addresses' in verdict) return `${verdict.addresses.join(', ')} in ${verdict.network}`;
  const where = verdict.network === undefined ? '' : ` in ${verdict.network}`;
  return `no address${where}: ${verdict.reason}`;
}
