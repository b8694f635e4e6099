/** In which network are the Services of a namespace, by the objects of a cluster? */
import type { Network } from '../../network/network.ts';
import { isOf } from '../../network/provision/namespace-attachment.ts';
import { namespaceIndex } from '../../selection/indexes.ts';
import { type NamespaceNetwork, networkOfNamespace } from '../../services/namespace-network.ts';
import type { ClusterView } from './cluster-view.ts';
import { definitionsIn, networksIn } from './provided-networks.ts';

/** The networks that may be in a namespace, and their ids. */
interface NetworksInNamespace {
  /** Others may be among them. */
  readonly networks: readonly Network[];
  readonly idOf: (network: Network) => number | undefined;
}

/** Finds the network of the Services of a namespace among some networks. */
export function networkOfServicesAmong(
  { networks, idOf }: NetworksInNamespace,
  name: string,
  view: ClusterView,
): NamespaceNetwork {
  const { snapshot } = view;
  const definitions = definitionsIn(name, snapshot);
  const unreadDefinitions = [...view.unreadable('networkAttachmentDefinitions')];
  return networkOfNamespace({
    namespace: namespaceIndex(snapshot.namespaces).byName.get(name),
    networks,
    // One whose NetworkAttachmentDefinition cannot be read may still be there.
    hasUnreadable: view.unreadableNetworks.size > 0 || unreadDefinitions.some((key) => key.startsWith(`${name}/`)),
    isThere: (network) => definitions.some((definition) => isOf(network, definition)),
    idOf,
  });
}

/** Finds the network of the Services of a namespace. */
export function networkOfServices(namespace: string, view: ClusterView): NamespaceNetwork {
  const networks = networksIn(view.snapshot, view.settings);
  return networkOfServicesAmong({ networks, idOf: (network) => view.networkId(network) }, namespace, view);
}
