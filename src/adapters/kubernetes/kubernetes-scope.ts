/**
 * Requests to an API server, by whose view of the cluster it is.
 */
import { type Kind, type KindKey, kinds } from '../../domain/api/kinds.ts';
import { IDS_LABEL, IDS_LABEL_OF_CLAIMS, NODE_KEY } from '../../domain/basics/conventions.ts';
import { labelValue } from '../../domain/status/state-identity.ts';
import { type Accept, acceptedObject } from './accepted-object.ts';
import { ownNodeAndAddresses } from './other-node.ts';
import { containersOfOwnPods } from './own-pods.ts';
import type { WatchScope } from './watched-kind.ts';

/** Whose view of the cluster it is. */
export interface KubernetesScope {
  /** Who owns the fields that are written; absent for who only reads. */
  readonly fieldManager?: 'ovn-uplinks-cluster-manager' | 'ovn-uplinks-node';
  /** The node of an agent, which needs no states and, but for `hasAllPods`, no pods of other nodes, and of other Nodes only their addresses and, for whole networks, their tunnels; absent for the whole cluster. */
  readonly node?: string;
  /** Whether an agent needs the pods of other nodes too: they decide on which nodes whole networks are, if these are dynamic. */
  readonly hasAllPods?: boolean;
  /** Kinds that nobody reads: they are not asked for, unless that is changed later. */
  readonly unread?: readonly KindKey[];
  /**
   * Namespace of the claims of ids, if whole networks are planned: only they need these, networks of namespaces, and more of NetworkAttachmentDefinitions
   * than metadata.
   */
  readonly claimsNamespace?: string;
}

/** Kinds of other projects that need not be installed. */
const optionalKinds: ReadonlySet<KindKey> = new Set([
  'userDefinedNetworks',
  'networkAttachmentDefinitions',
  'routeAdvertisements',
  'frrConfigurations',
]);

/** Kinds that are read for whole networks only. */
const partsOfWholeNetworks: ReadonlySet<KindKey> = new Set(['userDefinedNetworks', 'configMaps']);

/**
 * The claims of ids and the report of a node are in one list: its events come in order, so who sees a report knows all claims that were stored before it
 * (docs/design/networks.md, "Ids").
 */
function selectorsOf(key: KindKey, node: string | undefined, hasAllPods: boolean): Readonly<Record<string, string>> {
  if (key === 'configMaps') {
    const ofNode = node === undefined ? '' : ` in (${IDS_LABEL_OF_CLAIMS},${labelValue(node)})`;
    return { labelSelector: `${IDS_LABEL}${ofNode}` };
  }
  if (node === undefined) return {};
  if (key === 'pods' && !hasAllPods) return { fieldSelector: `spec.nodeName=${node}` };
  if (key === 'uplinkStates') return { labelSelector: `${NODE_KEY}=${labelValue(node)}` };
  return {};
}

function acceptOf(key: KindKey, node: string | undefined, hasWholeNetworks: boolean): Accept {
  const accept = acceptedObject(key);
  if (key === 'pods') return containersOfOwnPods(hasWholeNetworks ? node : undefined, accept);
  return key === 'nodes' && node !== undefined ? ownNodeAndAddresses(node, hasWholeNetworks, accept) : accept;
}

/** Whether a kind has nothing but its metadata that is ever read. */
function hasOnlyMetadata({ schema }: Kind): boolean {
  const { properties } = schema as { readonly properties?: object };
  const others = Object.keys(properties ?? {}).filter((name) => name !== 'apiVersion' && name !== 'kind');
  return others.join() === 'metadata';
}

/** How the objects of a kind are listed and watched. */
export interface AskedKind {
  /** Label and field selectors. */
  readonly selectors: Readonly<Record<string, string>>;
  readonly accept: Accept;
  readonly isMetadataOnly: boolean;
  /** Whether it is of another project, and need not be installed. */
  readonly isOptional: boolean;
  /** Where its objects are read. */
  readonly scope: WatchScope;
}

/** How the objects of a kind are listed and watched by whoever has a scope. */
export function askedKind(
  key: KindKey,
  { node, hasAllPods = false, unread = [], claimsNamespace }: KubernetesScope,
): AskedKind {
  const hasWholeNetworks = claimsNamespace !== undefined;
  const isUnread = unread.includes(key) || (!hasWholeNetworks && partsOfWholeNetworks.has(key));
  return {
    selectors: selectorsOf(key, node, hasAllPods),
    accept: acceptOf(key, node, hasWholeNetworks),
    isMetadataOnly: hasOnlyMetadata(kinds[key]) || (key === 'networkAttachmentDefinitions' && !hasWholeNetworks),
    isOptional: optionalKinds.has(key),
    scope: isUnread ? [] : key === 'configMaps' ? [claimsNamespace ?? []].flat() : 'everywhere',
  };
}
