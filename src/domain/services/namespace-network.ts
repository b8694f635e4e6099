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
  /** A network that does not select the namespace any more is still there for pods that have not ended. */
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
  /** Whether a network may be in the namespace that cannot be read, or not be seen there. */
  readonly hasUnreadable: boolean;
  /** Whether a network is still in the namespace. */
  readonly isThere: (network: Network) => boolean;
  readonly idOf: (network: Network) => number | undefined;
}

const undecided = (why: UndecidedNetwork): NamespaceNetwork => ({ kind: 'undecided', why });

/** The network of the Services, apart from those that have not left the namespace yet. */
function selectedNetwork(
  namespace: Namespace,
  { networks, hasUnreadable, idOf }: Pick<NamespaceInput, 'networks' | 'hasUnreadable' | 'idOf'>,
): NamespaceNetwork {
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
      return hasUnreadable ? undecided('unreadable') : { kind: 'none' };
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

/**
 * Decides in which network the Services of a namespace are: in that of new pods. As long as another network of ours has pods there it is not decided: its
 * pods have Services until they end.
 */
export function networkOfNamespace({ namespace, isThere, ...input }: NamespaceInput): NamespaceNetwork {
  if (namespace === undefined) return undecided('unreadable');
  const selected = selectedNetwork(namespace, input);
  if (selected.kind === 'undecided' || (selected.kind === 'ours' && isThere(selected.network))) return selected;
  return input.networks.some((network) => network.providedBy === 'us' && isThere(network))
    ? undecided('left')
    : selected;
}
