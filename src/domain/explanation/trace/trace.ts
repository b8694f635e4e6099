/**
 * Follows one packet on a node as its plan leaves it, from a pod, the host or the wire to where it arrives, leaves or is dropped.
 */
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { NodeSettings } from '../../snapshot/settings.ts';
import type { BridgePass } from './bridge-pass.ts';
import type { Hop, PacketOrigin, Trace, TraceVerdict } from './hop.ts';
import { type Memory, PacketPath, type SentPacket } from './packet-path.ts';
import { type FollowedOrigin, originOf, type OriginReading, unfollowedAddress } from './origin.ts';
import { outsideRemarks } from './node-services/outside-remarks.ts';
import type { ObservedNodes } from './node-to-node.ts';
import { namedPacket, packetText, reversed, type TracedPacket } from './packet.ts';
import { placeInNetwork } from './place-in-network.ts';
import { type Observed, type ServiceConnection, serviceConnection } from './service-connection.ts';
import { type TracedNode, tracedNode } from './traced-node.ts';

/** The packet to trace. */
export interface TraceQuestion {
  /** Name of the ClusterUserDefinedNetwork. */
  readonly network: string;
  readonly packet: TracedPacket;
  /** Where it comes from; absent: what follows from its source. */
  readonly from?: PacketOrigin;
  /** Length of the IP packet, in bytes; absent for one that always fits. */
  readonly length?: number;
  /** Its packet mark. */
  readonly mark?: number;
  /** Whether it is a reply on an established connection. */
  readonly isReply?: boolean;
}

/** The path of a packet and what bridges did with it, or why it cannot be followed. */
export type TraceOutcome =
  | { readonly traced: true; readonly trace: Trace; readonly passes: readonly BridgePass[] }
  | { readonly traced: false; readonly problem: string };

/** State of bridges and routers after the first packet of a connection, or why there can be no reply to it. */
type FirstPacket =
  | { readonly memory: Memory; readonly left?: TracedPacket }
  | { readonly problem: string }
  | { readonly end: TraceVerdict };

function firstPacket(
  node: TracedNode,
  question: TraceQuestion,
  packet: TracedPacket,
  replyFrom: PacketOrigin,
): FirstPacket {
  const origin = originOf(node, packet.source);
  if ('problem' in origin) return origin;
  const path = new PacketPath(node);
  // Without a length: the first packet of a connection is short, whatever the length of the reply.
  const end = path.follow(origin, { packet, mark: question.mark ?? 0 });
  const first = `the connection's first packet, ${packetText(packet)},`;
  switch (end.kind) {
    case 'dropped':
      return { end: { ...end, why: `${first} is dropped there: ${end.why}` } };
    case 'arrives':
      if (origin.origin !== 'wire')
        return { problem: `${first} arrives at ${end.at}: its replies do not come from the wire` };
      if (replyFrom === 'wire') return { problem: `${first} comes from the wire: its replies do not` };
      return { memory: path.memory() };
    case 'leaves': {
      const left = path.left && namedPacket(path.left);
      if (left === undefined || replyFrom !== 'wire') {
        return { problem: `${first} leaves by ${end.by}: its replies do not come from ${replyFrom}` };
      }
      return { memory: path.memory(), left };
    }
  }
}

function sentPacket(packet: TracedPacket, { length, mark = 0 }: TraceQuestion): SentPacket {
  return { packet, mark, ...(length !== undefined && { length }) };
}

/** The way of a packet. */
interface FollowedPath {
  readonly hops: readonly Hop[];
  /** Assumptions about what is not known of the node, for people. */
  readonly assumptions: Iterable<string>;
  readonly passes: readonly BridgePass[];
}

/** A packet that was followed on a node, and the first one of its connection if it is a reply. */
interface Followed {
  readonly node: TracedNode;
  readonly network: string;
  readonly from: PacketOrigin;
  readonly packet: TracedPacket;
  readonly replyTo?: TracedPacket;
  readonly remarks?: readonly string[];
}

function outcome(
  { node, network, from, packet, replyTo, remarks = [] }: Followed,
  { hops, assumptions, passes }: FollowedPath,
  verdict: TraceVerdict,
  { isChanged, reply }: Pick<ServiceConnection, 'isChanged' | 'reply'> = node,
): TraceOutcome {
  const trace: Trace = {
    network,
    node: node.nodeName,
    planned: isChanged,
    packet: packetText(packet),
    from,
    ...(replyTo && { replyTo: packetText(replyTo) }),
    hops,
    verdict,
    ...(reply && { reply: { packet: packetText(reply.packet), hops: reply.hops, verdict: reply.end } }),
    ...(remarks.length > 0 && { remarks }),
    assumptions: [...new Set([...assumptions, ...(reply?.assumptions ?? [])])],
  };
  return { traced: true, trace, passes: [...passes, ...(reply?.passes ?? [])] };
}

const nothingFollowed: FollowedPath = { hops: [], assumptions: [], passes: [] };

function followReply(
  node: TracedNode,
  question: TraceQuestion,
  origin: FollowedOrigin,
  asked: TracedPacket,
): TraceOutcome {
  const packet: TracedPacket = asked.ports === undefined ? { ...asked, isEchoReply: true } : asked;
  const replyTo = reversed(packet);
  const first = firstPacket(node, question, replyTo, origin.origin);
  if ('problem' in first) return { traced: false, problem: first.problem };
  const followed = { node, network: question.network, from: origin.origin, replyTo };
  if ('end' in first) return outcome({ ...followed, packet }, nothingFollowed, first.end);
  // On the wire the reply goes to the address that the first packet left with.
  const reply = first.left === undefined ? packet : reversed(first.left);
  const path = new PacketPath(node, first.memory);
  const verdict = path.follow(origin, { ...sentPacket(reply, question), isReply: true });
  return outcome({ ...followed, packet: reply }, path, verdict);
}

/** Follows what a Service answers to the wire; undefined if the packet is no such answer. */
function followReplyOfService(
  observed: Observed,
  node: TracedNode,
  { network, packet, from, mark = 0 }: TraceQuestion,
): TraceOutcome | undefined {
  const replyTo = reversed(packet);
  const origin = originOf(node, replyTo.source);
  if (from !== undefined || 'problem' in origin) return undefined;
  const path = new PacketPath(node);
  path.follow(origin, { packet: replyTo, mark });
  const { toService } = path;
  if (toService === undefined) return undefined;
  const { reply, end, isChanged } = serviceConnection(observed, node, { path, toService }, 0);
  const first = `the connection's first packet, ${packetText(replyTo)},`;
  const followed = { node, network, from: 'pod', replyTo } as const;
  if (reply !== undefined) return outcome({ ...followed, packet: reply.packet }, reply, reply.end, { isChanged });
  if (end.kind === 'dropped')
    return outcome({ ...followed, packet }, nothingFollowed, { ...end, why: `${first} is dropped there: ${end.why}` });
  return {
    traced: false,
    problem: `${first} ${end.kind === 'leaves' ? `leaves by ${end.by}` : `arrives at ${end.at}`}: its replies are not followed`,
  };
}

/** Where a packet comes from: a reply to a pod comes from the wire, even if the host has its source address. */
function originOfPacket(node: TracedNode, { packet, from, isReply = false }: TraceQuestion): OriginReading {
  const isToPod =
    placeInNetwork(node, packet.destination) === 'pod' && placeInNetwork(node, packet.source) === undefined;
  return originOf(node, packet.source, from ?? (isReply && isToPod ? 'wire' : undefined));
}

/** Follows the first packet of a connection. */
function followFirst(
  observed: Observed,
  node: TracedNode,
  question: TraceQuestion,
  origin: FollowedOrigin,
): TraceOutcome {
  const { network, packet, length = 0 } = question;
  const path = new PacketPath(node);
  const verdict = path.follow(origin, sentPacket(packet, question));
  const { toService, hops, assumptions, passes } = path;
  const followed = { node, network, from: origin.origin, packet };
  if (toService === undefined) {
    const remarks = origin.origin === 'wire' ? remarksOn(node, packet) : [];
    return outcome({ ...followed, remarks }, path, verdict);
  }
  const connection = serviceConnection(observed, node, { path, toService }, length);
  return outcome(followed, { hops: [...hops, ...connection.hops], assumptions, passes }, connection.end, connection);
}

/** The remarks of Services about a packet from the wire that goes to none of the network. */
function remarksOn(node: TracedNode, packet: TracedPacket): readonly string[] {
  const { nodeName, services } = node;
  const { router, uplink } = node.datapath;
  const uplinkAddresses = ([4, 6] as const).flatMap((family) => uplink.addresses[family] ?? []);
  return outsideRemarks({ packet, networkName: router.networkName, nodeName, uplinkAddresses, services });
}

/**
 * Follows a packet of a network on a node, and a connection from the wire to a Service over the nodes of its endpoint.
 */
export function trace(
  cluster: ClusterSnapshot,
  nodes: ObservedNodes,
  settings: NodeSettings,
  question: TraceQuestion,
): TraceOutcome {
  const reading = tracedNode(cluster, nodes.from, settings, question.network);
  if ('problem' in reading) return { traced: false, problem: reading.problem };
  const { node } = reading;
  const observed = { cluster, nodes, settings };
  const { packet, isReply = false } = question;
  const unfollowed = unfollowedAddress([packet.source, packet.destination], node);
  if (unfollowed !== undefined) return { traced: false, problem: unfollowed };
  const answered = isReply ? followReplyOfService(observed, node, question) : undefined;
  if (answered !== undefined) return answered;
  const origin = originOfPacket(node, question);
  if ('problem' in origin) return { traced: false, problem: origin.problem };
  return isReply ? followReply(node, question, origin, packet) : followFirst(observed, node, question, origin);
}
