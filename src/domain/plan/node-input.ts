import type { Node } from '../api/node.ts';
import type { Addressing } from '../dataplane/addressing.ts';
import type { ReservedBridgeRole } from '../discovery/discovery.ts';
import type { NodeView } from '../snapshot/node-view.ts';
import type { NodeSettings } from '../snapshot/settings.ts';
import type { ClusterView } from './view/cluster-view.ts';

/** The input of the decisions about one node. */
export interface NodeInput {
  readonly view: ClusterView;
  readonly object: Node;
  readonly node: NodeView;
  readonly reservedBridges: ReadonlyMap<string, ReservedBridgeRole>;
  readonly settings: NodeSettings;
  readonly addressing: Addressing;
}
