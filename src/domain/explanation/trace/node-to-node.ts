/** From one node to another by a tunnel, if the other one was captured. */
import type { Node } from '../../api/node.ts';
import { CHASSIS_ID_ANNOTATION } from '../../basics/conventions.ts';
import type { ClusterView } from '../../plan/view/cluster-view.ts';
import { annotationOf } from '../../selection/node-network.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { Tunnelled } from './between-pods.ts';
import type { TraceVerdict } from './hop.ts';

/** The nodes that were observed. */
export interface ObservedNodes {
  /** The node that the packet is sent on, or comes to from the wire. */
  readonly from: NodeSnapshot;
  readonly others: readonly NodeSnapshot[];
}

/** The name of the node that a tunnel leads to. */
function nodeBehind({ node, chassis }: Tunnelled, { nodes }: ClusterView): string | undefined {
  const published = nodes.all.find((each: Node) => annotationOf(each, CHASSIS_ID_ANNOTATION) === chassis);
  return node ?? published?.metadata.name;
}

/** The node that a tunnel leads to, of those that were observed; where it is not among them, the end of the packet. */
export function nodeAtEnd(
  tunnel: Tunnelled,
  nodes: readonly NodeSnapshot[],
  view: ClusterView,
): { readonly node: NodeSnapshot } | { readonly end: TraceVerdict } {
  const name = nodeBehind(tunnel, view);
  const node = nodes.find(({ nodeName }) => nodeName === name);
  if (node !== undefined) return { node };
  const by = `the tunnel to ${name ?? `chassis ${tunnel.chassis}`}, of which there is no capture`;
  return { end: { kind: 'leaves', by } };
}
