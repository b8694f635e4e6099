/** Says of a name that no object has which names there are. */
import { keyOfNetwork, nameOfNetwork } from '../network/key.ts';
import { nearestName } from '../basics/names/nearest-name.ts';
import { byName } from '../basics/names/ordering.ts';
import type { ClusterSnapshot } from '../snapshot/cluster-snapshot.ts';

/** Maximum number of names in a sentence. */
const MAX_NAMES = 5;

/**
 * Which object is unknown, which there are, and which was probably meant.
 *
 * @param known the names that there are, in any order
 */
export function unknownObjectSentence(kind: string, name: string, known: readonly string[]): string {
  const names = known.toSorted(byName);
  const some = `${names.slice(0, MAX_NAMES).join(', ') || 'none'}${names.length > MAX_NAMES ? ', …' : ''}`;
  const nearest = nearestName(name, names);
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  return `the cluster objects have no ${kind} ${name}; they have ${some}${hint}`;
}

/** Says that a network is unknown: a UserDefinedNetwork if the name has a namespace; undefined if there is such a network. */
export function unknownNetworkSentence(
  name: string,
  { clusterUserDefinedNetworks, userDefinedNetworks }: ClusterSnapshot,
): string | undefined {
  const kind = name.includes('/') ? 'UserDefinedNetwork' : 'ClusterUserDefinedNetwork';
  const clusterWide = clusterUserDefinedNetworks.map(({ metadata }) => metadata.name);
  const namespaced = userDefinedNetworks.map(({ metadata }) =>
    nameOfNetwork(keyOfNetwork({ kind: 'UserDefinedNetwork', metadata })),
  );
  const names = kind === 'UserDefinedNetwork' ? namespaced : clusterWide;
  if (names.includes(name)) return undefined;
  const alike = namespaced.filter((each) => each.endsWith(`/${name}`));
  const hint = alike.length === 0 ? '' : `; UserDefinedNetworks of this name are ${alike.join(', ')}`;
  return `${unknownObjectSentence(kind, name, names)}${hint}`;
}
