/**
 * Which primary network is a pod in?
 *
 * Only the networks themselves say so, by the namespaces that they select. NetworkAttachmentDefinitions, their owner references, and annotations of
 * pods do not count: tenants may be able to write them (docs/design/networks.md, "Pods").
 */
import type { Network } from '../network/network.ts';
import { type UnsupportedPart, unsupportedPart } from '../network/unsupported.ts';
import type { Namespace } from '../api/namespace.ts';
import { PRIMARY_NETWORK_LABEL } from '../basics/conventions.ts';
import { by } from '../basics/names/ordering.ts';
import { selects, understandSelector } from '../selection/label-selector.ts';

/** Why a pod has no primary network (OKEP-5193, UDN Namespace label). */
export type NetworkProblem =
  /** The namespace lacks the label of those that may have a primary network: its pods are in the default network only. */
  | { readonly kind: 'label-missing' }
  /** No network selects the namespace yet. */
  | { readonly kind: 'none' }
  /** Several networks select the namespace, by object: which one the pod belongs to is not for the pod's node to decide. */
  | { readonly kind: 'several'; readonly networks: readonly [string, string, ...string[]] }
  | { readonly kind: 'being-deleted'; readonly network: string }
  | { readonly kind: 'unsupported'; readonly network: string; readonly unsupported: UnsupportedPart };

/** The primary network of a pod, or why it has none. */
export type PodNetwork = { readonly kind: 'found'; readonly network: Network } | NetworkProblem;

/** Whether a network is for the pods of a namespace. A selector that is not understood selects none: a new pod must not get into a wrong network. */
function isFor({ kind, metadata, namespaceSelector }: Network, { metadata: { name, labels } }: Namespace) {
  if (kind === 'UserDefinedNetwork') return (metadata.namespace ?? 'default') === name;
  return selects(understandSelector(namespaceSelector), labels);
}

/** The networks that select a namespace for its primary one, by object. */
export function primaryNetworksFor(namespace: Namespace, networks: readonly Network[]): readonly Network[] {
  return networks
    .filter((network) => network.role === 'Primary' && isFor(network, namespace))
    .sort(by(({ key }) => key));
}

/**
 * The primary network of the pods of a namespace.
 *
 * @param networks all networks, in any order
 */
export function networkOfPods(namespace: Namespace, networks: readonly Network[]): PodNetwork {
  if (namespace.metadata.labels?.[PRIMARY_NETWORK_LABEL] === undefined) return { kind: 'label-missing' };
  const [network, second, ...others] = primaryNetworksFor(namespace, networks);
  if (network === undefined) return { kind: 'none' };
  if (second !== undefined) {
    return { kind: 'several', networks: [network.key, second.key, ...others.map(({ key }) => key)] };
  }
  if (network.metadata.deletionTimestamp !== undefined) return { kind: 'being-deleted', network: network.key };
  const unsupported = unsupportedPart(network);
  return unsupported === undefined
    ? { kind: 'found', network }
    : { kind: 'unsupported', network: network.key, unsupported };
}
