import type { ClusterSnapshot } from '../snapshot/cluster-snapshot.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { NodeSettings } from '../snapshot/settings.ts';

/** The input of one node's plan. */
export interface Situation {
  readonly cluster: ClusterSnapshot;
  readonly node: NodeSnapshot;
  readonly settings: NodeSettings;
}
