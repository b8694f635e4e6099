/** Follows a packet that a pod sends out of a network which leaves by the node. */
import { viewCluster } from '../../../plan/view/cluster-view.ts';
import { deniedKind } from '../../../plan/view/denied-destinations.ts';
import type { ClusterSnapshot } from '../../../snapshot/cluster-snapshot.ts';
import type { NodeSnapshot } from '../../../snapshot/node-snapshot.ts';
import type { NodeSettings } from '../../../snapshot/settings.ts';
import { traceFromPod } from '../hop.ts';
import type { HostPart } from '../host.ts';
import { type NodeSide, nodeSide } from '../node-side.ts';
import { notOneHost } from '../origin.ts';
import { packetText } from '../packet.ts';
import { tooLong } from '../packet-length.ts';
import type { TraceOutcome, TraceQuestion } from '../trace.ts';
import { providedNetwork, strangeSource } from '../trace-pods.ts';
import { byHost } from './by-host.ts';
import { outOfNetwork } from './out-of-network.ts';

/** From the pod to where the packet ends. */
function follow(
  side: NodeSide,
  { packet, length }: TraceQuestion,
  kindOf: (destination: string) => string | undefined,
): HostPart {
  const out = outOfNetwork(side, packet);
  if (out.end !== undefined) return out;
  const { device, source } = out;
  const atHost = { packet: { ...packet, source }, device, ...(length !== undefined && { length }) };
  const { hops, assumptions, end } = byHost(side.after, atHost, kindOf);
  return { hops: [...out.hops, ...hops], assumptions: [...out.assumptions, ...assumptions], end };
}

/** Why a packet is not followed; undefined if it is. */
function unfollowed(
  { network, packet, from = 'pod', isReply = false }: TraceQuestion,
  source: string | undefined,
): string | undefined {
  const leaves = `network ${network} leaves by its nodes`;
  if (from !== 'pod' || source !== undefined) {
    return `${leaves}: only packets that its pods send are followed there, not their answers${source === undefined ? '' : `; ${source}`}`;
  }
  if (isReply) return `${leaves}: nothing outside connects to its pods, which have nothing to answer`;
  return notOneHost(packet.destination);
}

/**
 * Follows a packet between a pod of a network and the world, where the network leaves by the node; undefined where it does not.
 */
export function traceByNode(
  cluster: ClusterSnapshot,
  node: NodeSnapshot,
  settings: NodeSettings,
  question: TraceQuestion,
): TraceOutcome | undefined {
  const view = viewCluster(cluster, settings);
  const network = providedNetwork(question.network, view);
  if (network?.exit !== 'node') return undefined;
  const { packet, length } = question;
  const problem = unfollowed(question, strangeSource(network, packet.source, node.nodeName, view));
  if (problem !== undefined) return { traced: false, problem };
  const side = nodeSide(cluster, node, settings, network.networkName);
  const end = tooLong('the pod', network.mtu ?? settings.defaultNetworkMtu, length);
  const followed: HostPart =
    end === undefined
      ? follow(side, question, (destination) => deniedKind(destination, cluster.nodes, view.settings))
      : { hops: [], assumptions: [], end };
  return traceFromPod({
    network: question.network,
    node: node.nodeName,
    packet: packetText(packet),
    hops: followed.hops,
    verdict: followed.end,
    isPlanned: side.isChanged,
    assumptions: followed.assumptions,
  });
}
