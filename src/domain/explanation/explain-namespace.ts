import type { Namespace } from '../api/namespace.ts';
import { ID_CLAIMS_NAME, PRIMARY_NETWORK_LABEL } from '../basics/conventions.ts';
import { type ClusterView, viewCluster } from '../plan/view/cluster-view.ts';
import { networksIn } from '../plan/view/provided-networks.ts';
import { networkOfPods } from '../pods/pod-network.ts';
import { understandSelector } from '../selection/label-selector.ts';
import type { ClusterSnapshot } from '../snapshot/cluster-snapshot.ts';
import type { ClusterSettings } from '../snapshot/settings.ts';
import { attachmentSentence } from '../status/pod-attachment.ts';
import { selectorSentence } from '../status/sentences/selector-sentence.ts';
import type { Fact } from './explanation.ts';
import { type NamespaceChange, namespaceChanges } from './namespace-changes.ts';
import {
  judgeNamespace,
  type JudgedNamespace,
  type NamespaceVerdict,
  type NetworkInNamespace,
} from './namespace-verdict.ts';
import { selectorText } from './object-facts.ts';

/** Why a namespace has the primary network that it has, or none. */
export interface NamespaceExplanation {
  readonly namespace: string;
  readonly verdict: NamespaceVerdict;
  readonly facts: readonly Fact[];
  /** At most three. */
  readonly changes: readonly NamespaceChange[];
}

function labelFact({ metadata: { name, labels = {} } }: Namespace): Fact {
  const has = labels[PRIMARY_NETWORK_LABEL] !== undefined;
  return {
    depth: 0,
    text: `${has ? 'has' : 'does not have'} the label ${PRIMARY_NETWORK_LABEL}`,
    sources: [`Namespace/${name}`],
  };
}

function networkFacts(
  { network, selects, isThere, networkId, failure }: NetworkInNamespace,
  namespace: string,
  { settings }: ClusterView,
): readonly Fact[] {
  const object = network.key;
  const { namespaceSelector } = network;
  const selection =
    namespaceSelector === undefined
      ? `${object} is for this namespace`
      : `${object} ${selects ? 'selects' : 'does not select'} it (${selectorText(namespaceSelector, 'every namespace')})`;
  const definition = `NetworkAttachmentDefinition/${namespace}/${network.metadata.name}`;
  const id: Fact = {
    depth: 1,
    text: `has network id ${networkId ?? ''}`,
    sources: [`ConfigMap/${settings.namespace}/${ID_CLAIMS_NAME}`],
  };
  const state: Fact =
    failure === undefined
      ? {
          depth: 1,
          text: isThere
            ? 'is in the namespace'
            : 'is to be added to the namespace by the cluster manager; if that persists, its log says why',
          sources: isThere ? [definition] : [],
        }
      : { depth: 1, text: `${failure.reason}: ${failure.message}`, sources: [] };
  return [{ depth: 0, text: selection, sources: [object] }, ...(networkId === undefined ? [] : [id]), state];
}

/** Networks that may select it, for all that is known. */
function unclearFacts({ snapshot, settings }: ClusterView): readonly Fact[] {
  return networksIn(snapshot, settings).flatMap((network) => {
    if (network.kind === 'UserDefinedNetwork' || network.providedBy !== 'us') return [];
    const selector = understandSelector(network.namespaceSelector);
    if (selector.understood) return [];
    const object = network.key;
    return [
      { depth: 0, text: `namespaceSelector of ${object}: ${selectorSentence(selector.problem)}`, sources: [object] },
    ];
  });
}

function noNetworkFacts({ metadata: { name, labels = {} } }: Namespace): readonly Fact[] {
  const all = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return [
    { depth: 0, text: 'no primary network selects it', sources: [] },
    { depth: 1, text: `labels of the namespace: ${all.sort().join(', ') || 'none'}`, sources: [`Namespace/${name}`] },
  ];
}

/** Facts that say that agents attach no new pods although a network is there, or would be (docs/design/networks.md, "Pods"). */
function refusalFacts(namespace: Namespace, { networks, verdict }: JudgedNamespace): readonly Fact[] {
  const provided = networks.map(({ network }) => network).filter((network) => network.providedBy === 'us');
  const found = networkOfPods(namespace, provided);
  const isAdditional = found.kind === 'several' || (found.kind !== 'found' && verdict.failure === undefined);
  if (found.kind === 'found' || !isAdditional) return [];
  const { name } = namespace.metadata;
  const text = `new pods are not attached: ${attachmentSentence(found, 'a pod', name)}`;
  return [{ depth: 0, text, sources: [`Namespace/${name}`] }];
}

/** The facts that decided, in the order of the decisions. */
export function namespaceFacts(namespace: Namespace, judged: JudgedNamespace, view: ClusterView): readonly Fact[] {
  const { name } = namespace.metadata;
  return [
    labelFact(namespace),
    ...(judged.networks.length === 0
      ? noNetworkFacts(namespace)
      : judged.networks.flatMap((network) => networkFacts(network, name, view))),
    ...refusalFacts(namespace, judged),
    ...unclearFacts(view),
  ];
}

/** Explains the primary network of a namespace; undefined if the cluster has no such namespace. */
export function explainNamespace(
  cluster: ClusterSnapshot,
  settings: ClusterSettings,
  name: string,
): NamespaceExplanation | undefined {
  const view = viewCluster(cluster, settings);
  const namespace = cluster.namespaces.find(({ metadata }) => metadata.name === name);
  if (namespace === undefined) return undefined;
  const judged = judgeNamespace(namespace, view);
  return {
    namespace: name,
    verdict: judged.verdict,
    facts: namespaceFacts(namespace, judged, view),
    changes: namespaceChanges(namespace, view, judged),
  };
}
