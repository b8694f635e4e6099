import type { ClusterSnapshot } from '../domain/snapshot/cluster-snapshot.ts';
import type { NodeSnapshot } from '../domain/snapshot/node-snapshot.ts';
import type { NodeSettings } from '../domain/snapshot/settings.ts';

/** Everything that plans are made from: a cluster, nodes and settings. */
export interface Case {
  readonly cluster: ClusterSnapshot;
  readonly nodes: readonly NodeSnapshot[];
  readonly settings: NodeSettings;
}
