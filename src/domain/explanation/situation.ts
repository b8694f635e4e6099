import type { ClusterSnapshot } from '../snapshot/cluster-snapshot.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { NodeSettings } from '../snapshot/settings.ts';

/** A snapshot of everything that one node's plan is made from. */
export interface Situation {
  readonly cluster: ClusterSnapshot;
  readonly node: NodeSnapshot;
  readonly settings: NodeSettings;
}
