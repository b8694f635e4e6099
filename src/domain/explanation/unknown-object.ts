/** Says of a name that no object has which names there are. */
import { byName } from '../ordering.ts';
import { tenantNetworks } from '../plan/provided-networks.ts';
import { namespacedName } from '../provision/tenant-network.ts';
import type { ClusterSnapshot } from '../snapshot/cluster-snapshot.ts';

/** Maximum number of names in a sentence. */
const MAX_NAMES = 5;

/**
 * What is unknown, and what there is.
 *
 * @param what such as `Node worker-a`
 * @param known the names that there are, in any order
 */
export function unknownObjectSentence(what: string, known: readonly string[]): string {
  const names = known.toSorted(byName);
  const some = `${names.slice(0, MAX_NAMES).join(', ') || 'none'}${names.length > MAX_NAMES ? ', …' : ''}`;
  return `the cluster objects have no ${what}; they have ${some}`;
}

/** The same of a network: of a UserDefinedNetwork if the name has a namespace; undefined if there is such a network. */
export function unknownNetworkSentence(
  name: string,
  { clusterUserDefinedNetworks, userDefinedNetworks }: ClusterSnapshot,
): string | undefined {
  const kind = name.includes('/') ? 'UserDefinedNetwork' : 'ClusterUserDefinedNetwork';
  const all = tenantNetworks(clusterUserDefinedNetworks, userDefinedNetworks);
  const names = all.filter((network) => network.kind === kind).map(namespacedName);
  if (names.includes(name)) return undefined;
  const namespaced = all.map(namespacedName).filter((each) => each.endsWith(`/${name}`));
  const hint = namespaced.length === 0 ? '' : `; UserDefinedNetworks of this name are ${namespaced.join(', ')}`;
  return `${unknownObjectSentence(`${kind} ${name}`, names)}${hint}`;
}
