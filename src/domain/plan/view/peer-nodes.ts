/** The other nodes of the cluster, as far as networks that ovn-uplinks provides depend on them (docs/design/networks.md, "Zones"). */
import { CHASSIS_ID_ANNOTATION, NODE_SUBNETS_ANNOTATION } from '../../basics/conventions.ts';
import { lastByObject, lazyByObject } from '../../basics/incremental/by-identity.ts';
import { lazyByText } from '../../basics/incremental/lazy.ts';
import { sameIfEqual } from '../../basics/incremental/same-if-equal.ts';
import { annotationOf } from '../../selection/node-network.ts';
import { CACHED_NODES, type ClusterView } from './cluster-view.ts';
import { endpointClashes, hasTunnelEndpoint } from './tunnel-endpoints.ts';

/** Another node, as far as networks on this one depend on it. */
export interface PeerNode {
  readonly name: string;
  readonly id: number;
  /** Name of its chassis. */
  readonly chassis: string;
  /** The annotation with the subnets of its pods; empty where it has none. */
  readonly subnets: string;
}

/** The last peer of each name: it stays the same object as long as nothing changes that rows follow from. */
const lastOfName = lazyByText((_name): { peer: PeerNode | undefined } => ({ peer: undefined }), CACHED_NODES);

function samePeer(peer: PeerNode): PeerNode {
  const last = lastOfName(peer.name);
  last.peer = sameIfEqual(last.peer, peer);
  return last.peer;
}

const lastPeer = lastByObject<PeerNode>();

/** The nodes that others can reach, by name: the same map as the last one if it has the same nodes. */
const lastReachable = lastByObject<ReadonlyMap<string, PeerNode>>();

/** The nodes that others can reach, by name: those with an id, that report, and with a chassis and addresses that lead to no other node. */
export const peersIn = lazyByObject((view: ClusterView): ReadonlyMap<string, PeerNode> => {
  const clashes = endpointClashes(view);
  const peers = view.nodes.all.flatMap((node) => {
    const { name } = node.metadata;
    const id = view.nodeId(node);
    if (id === undefined || !hasTunnelEndpoint(node, view) || clashes.has(name)) return [];
    return lastPeer(node, [id], () => {
      const chassis = annotationOf(node, CHASSIS_ID_ANNOTATION);
      return samePeer({ name, id, chassis, subnets: annotationOf(node, NODE_SUBNETS_ANNOTATION) });
    });
  });
  return lastReachable(view.settings, peers, () => new Map(peers.map((peer) => [peer.name, peer])));
});

/** The chassis of the nodes that others can reach, by name of the Node. */
export function reachedChassis(view: ClusterView): ReadonlyMap<string, string> {
  return new Map([...peersIn(view)].map(([name, { chassis }]) => [name, chassis]));
}
