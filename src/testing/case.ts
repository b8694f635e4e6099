import type { ClusterSnapshot } from '../domain/snapshot/cluster-snapshot.ts';
import type { NodeSnapshot } from '../domain/snapshot/node-snapshot.ts';
import type { NodeSettings } from '../domain/snapshot/settings.ts';

/** Everything that a plan is made from: what the laws are about. */
export interface Case {
  readonly cluster: ClusterSnapshot;
  readonly nodes: readonly NodeSnapshot[];
  readonly settings: NodeSettings;
}
