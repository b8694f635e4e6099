import { unknownNetworkSentence } from '../../domain/explanation/unknown-object.ts';
import type { ClusterSnapshot } from '../../domain/index.ts';
import { networkIn } from './namespaced-names.ts';

/** The networks that `--network` selects, by name (`nameOfNetwork`). */
export type NetworkSelection =
  { readonly isWanted: (network: string) => boolean } | { readonly problems: readonly string[] };

/**
 * Selects networks.
 *
 * @param options with names of ClusterUserDefinedNetworks, as NAMESPACE/NAME of UserDefinedNetworks, or with keys; all networks without
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
  return { isWanted: (name) => names.includes(name) };
}
