/**
 * In which network are the Services of a namespace?
 */
import type { Namespace } from '../api/namespace.ts';
import type { Network } from '../network/network.ts';
import { networkOfPods } from '../pods/pod-network.ts';

/** Why it is not decided in which network they are. */
export type UndecidedNetwork =
  /** The namespace is not known, or a network that may select it. */
  | 'unreadable'
  | 'several-networks'
  | 'being-deleted'
  | 'unsupported'
  /** No network selects the namespace any more, and one is still there for pods that have not ended. */
  | 'left';

/** The network of the Services of a namespace. */
export type NamespaceNetwork =
  /** None: they are served in the default network. */
  | { readonly kind: 'none' }
  /** One that another implementation provides, which serves them too. */
  | { readonly kind: 'of-others'; readonly network: string }
  /** Not decided: mirrors and labels stay as they are. */
  | { readonly kind: 'undecided'; readonly why: UndecidedNetwork }
  /** One that ovn-uplinks provides; without an id as long as that cannot be used. */
  | { readonly kind: 'ours'; readonly network: Network; readonly networkId: number | undefined };

/** The input for that. */
export interface NamespaceInput {
  /** Undefined if it is not known. */
  readonly namespace: Namespace | undefined;
  /** All networks that may be in it, in any order. */
  readonly networks: readonly Network[];
  /** Whether there may be networks that cannot be read. */
  readonly hasUnreadable: boolean;
  /** Whether a network is still in the namespace. */
  readonly isThere: (network: Network) => boolean;
  readonly idOf: (network: Network) => number | undefined;
}

const undecided = (why: UndecidedNetwork): NamespaceNetwork => ({ kind: 'undecided', why });

/** Decides in which network the Services of a namespace are: in that of new pods. */
export function networkOfNamespace({
  namespace,
  networks,
  hasUnreadable,
  isThere,
  idOf,
}: NamespaceInput): NamespaceNetwork {
  if (namespace === undefined) return undecided('unreadable');
  const found = networkOfPods(namespace, networks);
  switch (found.kind) {
    case 'found': {
      const { network } = found;
      return network.providedBy === 'us'
        ? { kind: 'ours', network, networkId: idOf(network) }
        : { kind: 'of-others', network: network.key };
    }
    case 'label-missing':
      return { kind: 'none' };
    case 'none':
      if (hasUnreadable) return undecided('unreadable');
      return networks.some((network) => network.providedBy === 'us' && isThere(network))
        ? undecided('left')
        : { kind: 'none' };
    case 'several':
      return undecided('several-networks');
    case 'being-deleted':
      return undecided('being-deleted');
    case 'unsupported': {
      // What this version does not support, another implementation may.
      const network = networks.find(({ key }) => key === found.network);
      return network?.providedBy === 'others'
        ? { kind: 'of-others', network: found.network }
        : undecided('unsupported');
    }
  }
}
