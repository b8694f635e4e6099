/**
 * Single changes that would change the primary network of a namespace: each is tried on the snapshot and reported only if the verdict differs, so no
 * separate rule can disagree with the decisions.
 */
import type { Network } from '../network/network.ts';
import type { Labels } from '../selection/label-selector.ts';
import type { Namespace } from '../api/namespace.ts';
import { PRIMARY_NETWORK_LABEL } from '../basics/conventions.ts';
import type { ClusterView } from '../plan/view/cluster-view.ts';
import { viewCluster } from '../plan/view/cluster-view.ts';
import { networksIn } from '../plan/view/provided-networks.ts';
import type { ClusterSnapshot } from '../snapshot/cluster-snapshot.ts';
import {
  judgeNamespace,
  type JudgedNamespace,
  type NamespaceVerdict,
  namespaceVerdictText,
} from './namespace-verdict.ts';

/** A change, for people, and the cluster after it. */
interface ClusterChange {
  readonly change: string;
  readonly cluster: ClusterSnapshot;
}

/** A change, and the verdict after it. */
export interface NamespaceChange {
  readonly change: string;
  readonly verdict: NamespaceVerdict;
}

/** Maximum number of reported changes. */
const MAX_CHANGES = 3;

function isIn(namespace: string) {
  return ({ metadata }: { readonly metadata: { readonly namespace?: string } }) =>
    (metadata.namespace ?? 'default') === namespace;
}

function withLabels(namespace: Namespace, labels: Labels, snapshot: ClusterSnapshot): ClusterSnapshot {
  const labelled = {
    ...namespace,
    metadata: { ...namespace.metadata, labels: { ...namespace.metadata.labels, ...labels } },
  };
  return { ...snapshot, namespaces: snapshot.namespaces.map((each) => (each === namespace ? labelled : each)) };
}

const isStaying = ({ metadata }: Network) => metadata.deletionTimestamp === undefined;

/** The labels by which a provided network would select the namespace, as far as its selector names them. */
function selectingLabels({ snapshot, settings }: ClusterView): readonly Labels[] {
  return networksIn(snapshot, settings)
    .filter((network) => network.providedBy === 'us' && isStaying(network))
    .map(({ namespaceSelector }) => namespaceSelector?.matchLabels ?? {})
    .filter((labels) => Object.keys(labels).length > 0);
}

function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(([key, value]) => (value === '' ? key : `${key}=${value}`))
    .sort()
    .join(', ');
}

/** The label that asks for a primary network cannot be added later: OVN-Kubernetes and ovn-uplinks refuse that. */
function labelChanges(namespace: Namespace, view: ClusterView): readonly ClusterChange[] {
  const asking: Labels = { [PRIMARY_NETWORK_LABEL]: '' };
  return [{}, ...selectingLabels(view)]
    .flatMap((labels) => [labels, { ...labels, ...asking }])
    .filter((labels) => Object.keys(labels).length > 0)
    .map((labels) => ({
      change: `${PRIMARY_NETWORK_LABEL in labels ? 'created with' : 'with'} label ${labelText(labels)}`,
      cluster: withLabels(namespace, labels, view.snapshot),
    }));
}

function candidates(namespace: Namespace, view: ClusterView, { networks }: JudgedNamespace): readonly ClusterChange[] {
  const { snapshot } = view;
  const isHere = isIn(namespace.metadata.name);
  const definitions = snapshot.networkAttachmentDefinitions.filter(isHere).map((definition) => ({
    change: `no NetworkAttachmentDefinition/${definition.metadata.name}`,
    cluster: {
      ...snapshot,
      networkAttachmentDefinitions: snapshot.networkAttachmentDefinitions.filter((each) => each !== definition),
    },
  }));
  const competitors = networks.map(({ network: { key, metadata } }) => ({
    change: `no ${key}`,
    cluster: {
      ...snapshot,
      clusterUserDefinedNetworks: snapshot.clusterUserDefinedNetworks.filter((each) => each.metadata !== metadata),
      userDefinedNetworks: snapshot.userDefinedNetworks.filter((each) => each.metadata !== metadata),
    },
  }));
  return [
    ...labelChanges(namespace, view),
    { change: 'no pods in it', cluster: { ...snapshot, pods: snapshot.pods.filter((pod) => !isHere(pod)) } },
    ...definitions,
    ...(networks.length > 1 ? competitors : []),
  ];
}

/** The first changes that lead to verdicts which differ from the present one and from each other. */
export function namespaceChanges(
  namespace: Namespace,
  view: ClusterView,
  judged: JudgedNamespace,
): readonly NamespaceChange[] {
  const byText = new Map<string, NamespaceChange>();
  const present = namespaceVerdictText(judged.verdict);
  for (const { change, cluster } of candidates(namespace, view, judged)) {
    if (byText.size === MAX_CHANGES) break;
    const changed = cluster.namespaces.find(({ metadata }) => metadata.name === namespace.metadata.name);
    if (changed === undefined) continue;
    const { verdict } = judgeNamespace(changed, viewCluster(cluster, view.settings));
    const text = namespaceVerdictText(verdict);
    if (text !== present && !byText.has(text)) byText.set(text, { change, verdict });
  }
  return [...byText.values()];
}
