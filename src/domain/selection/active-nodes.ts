/**
 * On which nodes is a network active? (docs/design/api-decisions.md, "Active nodes")
 *
 * Everywhere, unless networks are dynamic: then where one of its pods runs, or has run until a short time ago.
 */
import type { Namespace } from '../api/namespace.ts';
import type { Pod } from '../api/pod.ts';
import { lazyByObjects } from '../basics/incremental/by-identity.ts';
import type { Network } from '../network/network.ts';
import type { ClusterSnapshot, FormerActivity } from '../snapshot/cluster-snapshot.ts';
import type { LabelIndex } from './label-index.ts';
import { understandSelector } from './label-selector.ts';

const finishedPhases: ReadonlySet<string | undefined> = new Set(['Succeeded', 'Failed']);

/** Whether all containers of a pod have ended for good: it has no network any more. */
export function hasEnded({ status }: Pod): boolean {
  return finishedPhases.has(status?.phase);
}

/** Whether a pod keeps its namespace's networks active on its node. */
export function activates(pod: Pod): boolean {
  return pod.spec.nodeName !== undefined && pod.spec.hostNetwork !== true && !hasEnded(pod);
}

/** The nodes on which each namespace runs a pod that counts. One pass over the pods. */
export function nodesByNamespace(pods: readonly Pod[]): ReadonlyMap<string, ReadonlySet<string>> {
  const nodes = new Map<string, Set<string>>();
  for (const pod of pods) {
    if (activates(pod)) add(nodes, pod.metadata.namespace ?? 'default', pod.spec.nodeName ?? '');
  }
  return nodes;
}

function add(nodes: Map<string, Set<string>>, namespace: string, node: string): void {
  const ofNamespace = nodes.get(namespace);
  if (ofNamespace === undefined) nodes.set(namespace, new Set([node]));
  else ofNamespace.add(node);
}

const none: readonly FormerActivity[] = [];

const activeByNamespace = lazyByObjects((pods: readonly Pod[], former: readonly FormerActivity[]) => {
  const nodes = new Map([...nodesByNamespace(pods)].map(([namespace, names]) => [namespace, new Set(names)]));
  for (const { namespace, node } of former) add(nodes, namespace, node);
  return nodes;
});

/** The nodes on which the networks of each namespace are active. */
export function activeNodesByNamespace({
  pods,
  formerActivity = none,
}: Pick<ClusterSnapshot, 'pods' | 'formerActivity'>): ReadonlyMap<string, ReadonlySet<string>> {
  return activeByNamespace(pods, formerActivity);
}

/**
 * The namespaces of a network.
 *
 * If its selector is not understood, those in which OVN-Kubernetes has created the network: an unknown operator must not tear down
 * a network.
 */
export function namespacesOf(
  { kind, metadata, namespaceSelector }: Network,
  namespaces: LabelIndex<Namespace>,
  attached: readonly string[],
): readonly string[] {
  if (kind === 'UserDefinedNetwork') return [metadata.namespace ?? 'default'];
  const selector = understandSelector(namespaceSelector);
  return selector.understood ? namespaces.selectedBy(selector).map(({ metadata }) => metadata.name) : attached;
}
