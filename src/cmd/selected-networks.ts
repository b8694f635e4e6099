import { unknownNetworkSentence } from '../domain/explanation/unknown-object.ts';
import type { ClusterSnapshot } from '../domain/index.ts';
import { tenantNetworks } from '../domain/plan/provided-networks.ts';
import { namespacedName } from '../domain/provision/tenant-network.ts';
import { networkIn } from './namespaced-names.ts';

/** The networks that `--network` selects, by the names that plans have for them. */
export type NetworkSelection =
  { readonly isWanted: (network: string) => boolean } | { readonly problems: readonly string[] };

/**
 * Selects networks.
 *
 * @param options with names of ClusterUserDefinedNetworks, and as NAMESPACE/NAME of UserDefinedNetworks; all networks without
 * @returns a problem for each name that no network has
 */
export function selectNetworks(
  { network, namespace }: { readonly network?: readonly string[]; readonly namespace?: string },
  cluster: ClusterSnapshot,
): NetworkSelection {
  if (network === undefined) return { isWanted: () => true };
  const names = network.map((name) => networkIn(namespace, name));
  const problems = names.flatMap((name) => {
    const unknown = unknownNetworkSentence(name, cluster);
    return unknown === undefined ? [] : [`--network ${name}: ${unknown}`];
  });
  if (problems.length > 0) return { problems };
  const selected = tenantNetworks(cluster.clusterUserDefinedNetworks, cluster.userDefinedNetworks)
    .filter((network) => names.includes(namespacedName(network)))
    // The uplink of a network goes by the name of its object.
    .flatMap((network) => [network.networkName, namespacedName(network)]);
  const wanted = new Set(selected);
  return { isWanted: (network) => wanted.has(network) };
}
