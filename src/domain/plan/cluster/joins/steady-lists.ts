/** Lists of objects of which only a part counts: a list stays the one before as long as that part of each of its objects is the same. */
import type { ObjectMeta } from '../../../api/object-meta.ts';
import { listChanges } from '../../../basics/incremental/list-changes.ts';
import type { ClusterSnapshot } from '../../../snapshot/cluster-snapshot.ts';

interface Named {
  readonly metadata: ObjectMeta;
}

/** Whether two lists have objects of the same names, and the same parts of them. */
function haveEqualParts<Item extends Named>(
  before: readonly Item[],
  after: readonly Item[],
  partOf: (item: Item) => unknown,
): boolean {
  const { removed, added } = listChanges(before, after);
  if (removed.length !== added.length) return false;
  const nameOf = ({ metadata: { namespace = '', name } }: Item) => `${namespace}/${name}`;
  const former = new Map(removed.map((item) => [nameOf(item), item]));
  return added.every((item) => {
    const known = former.get(nameOf(item));
    return known !== undefined && JSON.stringify(partOf(known)) === JSON.stringify(partOf(item));
  });
}

/** The lists of which not every change counts for networks that ovn-uplinks provides. */
export type SteadyLists = Pick<
  ClusterSnapshot,
  'nodes' | 'configMaps' | 'uplinkStates' | 'clusterUserDefinedNetworks' | 'userDefinedNetworks'
>;

type NetworkObject = ClusterSnapshot['userDefinedNetworks' | 'clusterUserDefinedNetworks'][number];

/** The part of a network that decides about ids. */
const partForIds = ({ metadata: { uid, creationTimestamp, annotations }, spec }: NetworkObject) => [
  uid,
  creationTimestamp,
  annotations,
  spec,
];

/**
 * The lists for the next snapshot: of nodes, everything but labels counts; of ConfigMaps those of ovn-uplinks itself; of UplinkStates their addresses; of
 * networks what decides about ids.
 *
 * @param before the lists for the former snapshot, which may be those of an earlier one
 * @param namespace of the objects of ovn-uplinks itself
 */
export function steadyLists(
  before: SteadyLists,
  former: ClusterSnapshot,
  next: ClusterSnapshot,
  namespace: string,
): SteadyLists {
  const { removed, added } = listChanges(former.configMaps, next.configMaps);
  const areMapsEqual = [...removed, ...added].every(({ metadata }) => metadata.namespace !== namespace);
  const steady = <Key extends Exclude<keyof SteadyLists, 'configMaps'>>(
    key: Key,
    partOf: (item: SteadyLists[Key][number]) => unknown,
  ): SteadyLists[Key] => {
    const [earlier, later]: readonly (readonly SteadyLists[Key][number][])[] = [former[key], next[key]];
    return earlier !== undefined && later !== undefined && haveEqualParts(earlier, later, partOf)
      ? before[key]
      : next[key];
  };
  return {
    nodes: steady('nodes', ({ metadata: { labels: _labels, ...metadata }, ...node }) => ({ ...node, metadata })),
    configMaps: areMapsEqual ? before.configMaps : next.configMaps,
    uplinkStates: steady('uplinkStates', ({ status }) => [status?.uplinkName, status?.ipAddresses]),
    clusterUserDefinedNetworks: steady('clusterUserDefinedNetworks', partForIds),
    userDefinedNetworks: steady('userDefinedNetworks', partForIds),
  };
}
