import type { KindKey, ObjectOf } from '../api/kinds.ts';

/**
 * The objects of a cluster at one moment, as far as this project reads them: one list a kind, in any order, no object twice.
 *
 * What the lists must hold for a node's plan alone: that node, its pods, and everything that is not about another node.
 */
export type ClusterSnapshot = { readonly [Key in KindKey]: readonly ObjectOf<Key>[] };

/** A cluster with nothing in it. */
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
