import type { KindKey, ObjectOf } from '../../domain/api/kinds.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import type { ManifestObject } from './manifest-object.ts';

type Lists = { readonly [Key in KindKey]: ObjectOf<Key>[] };

/** Sorts objects into the lists of a snapshot, in the order in which they were given. None may have an unusable finding. */
export function snapshotOf(objects: readonly ManifestObject[]): ClusterSnapshot {
  const lists: Lists = {
    uplinks: [],
    uplinkStates: [],
    clusterUserDefinedNetworks: [],
    nodes: [],
    namespaces: [],
    pods: [],
    networkAttachmentDefinitions: [],
    routeAdvertisements: [],
    frrConfigurations: [],
  };
  // Conformance was checked; what may still differ from the type is a word of a vocabulary, which the engine takes for one that
  // it does not know and degrades the object that bears it.
  for (const { key, object } of objects) add(lists, key, object as unknown as ObjectOf<KindKey>);
  return lists;
}

function add<Key extends KindKey>(lists: Lists, key: Key, object: ObjectOf<Key>): void {
  lists[key].push(object);
}
