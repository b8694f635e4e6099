/**
 * Requests to an API server, by whose view of the cluster it is.
 */
import type { Kind } from '../../domain/api/kind.ts';
import { type KindKey, kinds } from '../../domain/api/kinds.ts';
import { type Accept, acceptedObject } from './watch/accepted-object.ts';
import { ownNodeAndAddresses } from './watch/other-node.ts';
import { readPods } from './watch/read-pods.ts';
import type { WatchScope } from './watch/watched-kind.ts';

/** Whose view of the cluster it is. */
export interface KubernetesScope {
  /** Who owns the fields that are written; absent for who only reads. */
  readonly fieldManager?: 'ovn-uplinks-cluster-manager' | 'ovn-uplinks-node';
  /** The node of an agent, which needs no states and, but for `hasAllPods`, no pods of other nodes, and of other Nodes only their addresses and, for provided networks, their tunnels; absent for the whole cluster. */
  readonly node?: string;
  /** Whether an agent needs the pods of other nodes too: they decide on which nodes provided networks are, if these are dynamic. */
  readonly hasAllPods?: boolean;
  /** Kinds that are not read: they are not asked for, unless that is changed later. */
  readonly unread?: readonly KindKey[];
  /**
   * Namespace of the claims of ids, if provided networks are planned: only they need these, networks of namespaces, and more of NetworkAttachmentDefinitions
   * than metadata.
   */
  readonly claimsNamespace?: string;
}

function acceptOf(key: KindKey, node: string | undefined, hasProvidedNetworks: boolean): Accept {
  const accept = acceptedObject(kinds[key]);
  if (key === 'pods') {
    const reader = node === undefined ? 'manager' : { node };
    return readPods(hasProvidedNetworks ? reader : 'other', accept);
  }
  return key === 'nodes' && node !== undefined ? ownNodeAndAddresses(node, hasProvidedNetworks, accept) : accept;
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

/** How the objects of a kind are listed and watched within a scope. */
export function askedKind(
  key: KindKey,
  { node, hasAllPods = false, unread = [], claimsNamespace }: KubernetesScope,
): AskedKind {
  const kind: Kind = kinds[key];
  const { isForProvided, isForManager = false, isInOwnNamespace, isOptional = false, selectors } = kind;
  const isProviding = claimsNamespace !== undefined;
  const isOfOthers = (!isProviding && isForProvided === 'objects') || (node !== undefined && isForManager);
  const isUnread = unread.includes(key) || isOfOthers;
  return {
    selectors: selectors?.({ node, hasAllPods }) ?? {},
    accept: acceptOf(key, node, isProviding),
    isMetadataOnly: hasOnlyMetadata(kind) || (!isProviding && isForProvided !== undefined),
    isOptional,
    scope: isUnread ? [] : isInOwnNamespace ? [claimsNamespace ?? []].flat() : 'everywhere',
  };
}
