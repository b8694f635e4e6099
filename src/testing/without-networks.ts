import type { ClusterSnapshot } from '../domain/index.ts';

/** A cluster with all of its networks deleted. */
export function withoutNetworks(cluster: ClusterSnapshot): ClusterSnapshot {
  return { ...cluster, clusterUserDefinedNetworks: [], userDefinedNetworks: [] };
}
