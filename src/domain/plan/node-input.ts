import type { Node } from '../api/node.ts';
import { type Addressing, addressingOf } from '../dataplane/addressing.ts';
import type { ReservedBridgeRole } from '../discovery/discovery.ts';
import type { ClusterSnapshot } from '../snapshot/cluster-snapshot.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { viewNode } from '../snapshot/node-view.ts';
import { withServiceCidrs } from './view/service-cidrs.ts';
import type { NodeSettings } from '../snapshot/settings.ts';
import type { PartInput, Parts } from './parts/part.ts';
import { viewCluster } from './view/cluster-view.ts';
import { reservedBridges } from './view/reserved-bridges.ts';

/** The input of the decisions about one node. */
export interface NodeInput extends PartInput {
  readonly object: Node;
  readonly reservedBridges: ReadonlyMap<string, ReservedBridgeRole>;
  readonly addressing: Addressing;
  /** The parts that networks are made of. */
  readonly parts: Parts;
}

/** The input of the decisions about a node; undefined if the cluster does not have it. */
export function nodeInput(
  cluster: ClusterSnapshot,
  node: NodeSnapshot,
  given: NodeSettings,
  parts: Parts,
): NodeInput | undefined {
  const settings = withServiceCidrs(given, cluster);
  const view = viewCluster(cluster, settings);
  const object = view.nodes.byName.get(node.nodeName);
  return (
    object && {
      view,
      object,
      node: viewNode(node),
      reservedBridges: reservedBridges(object, settings),
      settings,
      addressing: addressingOf(settings),
      parts,
    }
  );
}
