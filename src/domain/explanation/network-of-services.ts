/** The network of the Services of a namespace, as the cluster manager finds it. */
import { isOf } from '../network/provision/namespace-attachment.ts';
import type { ClusterView } from '../plan/view/cluster-view.ts';
import { definitionsIn, networksIn } from '../plan/view/provided-networks.ts';
import { namespaceIndex } from '../selection/indexes.ts';
import { type NamespaceNetwork, networkOfNamespace } from '../services/namespace-network.ts';

/** Finds the network of the Services of a namespace. */
export function networkOfServices(namespace: string, view: ClusterView): NamespaceNetwork {
  const { snapshot, settings } = view;
  return networkOfNamespace({
    namespace: namespaceIndex(snapshot.namespaces).byName.get(namespace),
    networks: networksIn(snapshot, settings),
    hasUnreadable: view.unreadableNetworks.size > 0,
    isThere: (network) => definitionsIn(namespace, snapshot).some((definition) => isOf(network, definition)),
    idOf: (network) => view.networkId(network),
  });
}
