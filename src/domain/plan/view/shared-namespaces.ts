/** Namespaces that several primary networks select. A new pod there is refused: which of them it is in is not for its node to decide (pods/pod-network.ts). */
import type { Network, NetworkSettings } from '../../network/network.ts';
import type { Namespace } from '../../api/namespace.ts';
import { PRIMARY_NETWORK_LABEL } from '../../basics/conventions.ts';
import { lazyByObjects } from '../../basics/incremental/by-identity.ts';
import { by } from '../../basics/names/ordering.ts';
import { labelIndex } from '../../selection/label-index.ts';
import { understandSelector } from '../../selection/label-selector.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';

import { MAX_SAMPLE } from '../../status/node-sample.ts';
import { type SharedNamespace, sharedNamespacesSentence } from '../../status/sentences/shared-namespaces-sentence.ts';
import { networksIn } from './provided-networks.ts';
import type { Warning } from './warning.ts';

/** The networks that select each namespace that may have a primary one. */
const networksByNamespace = lazyByObjects((namespaces: readonly Namespace[], networks: readonly Network[]) => {
  const index = labelIndex(namespaces.filter(({ metadata }) => metadata.labels?.[PRIMARY_NETWORK_LABEL] !== undefined));
  const selected = ({ kind, metadata, namespaceSelector }: Network): readonly Namespace[] => {
    if (kind === 'UserDefinedNetwork') return [index.byName.get(metadata.namespace ?? 'default') ?? []].flat();
    const selector = understandSelector(namespaceSelector);
    return selector.understood ? index.selectedBy(selector) : [];
  };
  const found = new Map<string, Network[]>();
  for (const network of networks.filter(({ role }) => role === 'Primary')) {
    for (const { metadata } of selected(network)) {
      const others = found.get(metadata.name);
      if (others === undefined) found.set(metadata.name, [network]);
      else others.push(network);
    }
  }
  return found;
});

/** The namespaces that a network shares with others, by name; none for most networks. */
const sharedByNetwork = lazyByObjects((namespaces: readonly Namespace[], networks: readonly Network[]) => {
  const shared = new Map<string, SharedNamespace[]>();
  for (const [namespace, all] of networksByNamespace(namespaces, networks)) {
    if (all.length === 1) continue;
    // Enough for a message.
    const first = all.slice(0, MAX_SAMPLE + 1);
    for (const network of all) {
      const others = first.filter((each) => each !== network).map(({ key }) => key);
      const own = shared.get(network.key) ?? [];
      own.push({ namespace, others });
      shared.set(network.key, own);
    }
  }
  return new Map([...shared].map(([network, own]) => [network, own.sort(by(({ namespace }) => namespace))]));
});

/** The part of a cluster that says in which namespaces networks are. */
type NetworksAndNamespaces = Pick<ClusterSnapshot, 'namespaces' | 'clusterUserDefinedNetworks' | 'userDefinedNetworks'>;

const none: readonly SharedNamespace[] = [];

/** The namespaces that a network shares with other primary networks, by name. */
export function sharedNamespacesOf(
  network: Network,
  snapshot: NetworksAndNamespaces,
  settings: NetworkSettings,
): readonly SharedNamespace[] {
  const networks = networksIn(snapshot, settings);
  return sharedByNetwork(snapshot.namespaces, networks).get(network.key) ?? none;
}

/** A warning for each network that shares namespaces with others, of those that ovn-uplinks provides. */
export function sharedNamespacesWarnings(
  snapshot: NetworksAndNamespaces,
  settings: NetworkSettings,
): readonly Warning[] {
  return networksIn(snapshot, settings).flatMap((network) => {
    const shared = sharedNamespacesOf(network, snapshot, settings);
    if (shared.length === 0 || network.providedBy !== 'us') return [];
    const { kind, namespaceSelector } = network;
    return [
      {
        object: network.key,
        ...(kind === 'ClusterUserDefinedNetwork' && { path: 'spec.namespaceSelector' }),
        message: sharedNamespacesSentence(shared, namespaceSelector),
      },
    ];
  });
}
