import type { KindKey, ObjectOf } from '../api/kinds.ts';

/**
 * The objects of a cluster at one moment: one list for each kind that is read, in any order, without duplicates.
 *
 * For the plan of one node, the lists need only contain that node, its pods, and everything that is not about another node.
 */
export type ClusterSnapshot = { readonly [Key in KindKey]: readonly ObjectOf<Key>[] };

/** A cluster without objects. */
export const emptyCluster: ClusterSnapshot = {
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
