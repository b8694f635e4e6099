/** The objects that the attachment and the lock of a pod follow from, among those of a cluster. */
import type { Node } from '../../api/node.ts';
import type { PodFacts } from '../../pods/pod-attachment.ts';
import type { PodKey } from '../../pods/pod-key.ts';
import { namespaceIndex, nodeIndex, podsByNamespace } from '../../selection/indexes.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { NodeSettings } from '../../snapshot/settings.ts';
import { providedIn } from './provided-networks.ts';
import { claimedId } from './stored-claims.ts';

/** The id that is claimed for a node of a name. */
export function claimedNodeId(
  name: string,
  node: Node | undefined,
  snapshot: ClusterSnapshot,
  settings: NodeSettings,
): number | undefined {
  return node && claimedId('node', { name, uid: node.metadata.uid ?? '' }, snapshot, settings);
}

/** Finds the objects of a pod on a node, by its namespace and name: it may be another pod than the runtime's. */
export function podFactsIn(
  snapshot: ClusterSnapshot,
  { namespace, name }: Pick<PodKey, 'namespace' | 'name'>,
  nodeName: string,
  settings: NodeSettings,
): PodFacts {
  const node = nodeIndex(snapshot.nodes).byName.get(nodeName);
  return {
    pod: podsByNamespace(snapshot.pods)
      .get(namespace)
      ?.find(({ metadata }) => metadata.name === name),
    namespace: namespaceIndex(snapshot.namespaces).byName.get(namespace),
    node,
    nodeId: claimedNodeId(nodeName, node, snapshot, settings),
    networks: providedIn(snapshot, settings),
  };
}
