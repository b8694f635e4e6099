/**
 * Follows one packet on a node as its plan leaves it, from a pod, the host or the wire to where it arrives, leaves or is dropped.
 */
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { NodeSettings } from '../../snapshot/settings.ts';
import type { BridgePass } from './bridge-pass.ts';
import type { PacketOrigin, Trace, TraceVerdict } from './hop.ts';
import { type Memory, PacketPath, type SentPacket } from './packet-path.ts';
import { type FollowedOrigin, originOf, type OriginReading, unfollowedAddress } from './origin.ts';
import { namedPacket, packetText, reversed, type TracedPacket } from './packet.ts';
import { placeInNetwork } from './place-in-network.ts';
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

function outcome(
  node: TracedNode,
  { network }: TraceQuestion,
  { origin }: FollowedOrigin,
  packet: TracedPacket,
  path: Pick<PacketPath, 'hops' | 'assumptions' | 'passes'>,
  verdict: TraceVerdict,
  replyTo?: TracedPacket,
): TraceOutcome {
  const trace: Trace = {
    network,
    node: node.nodeName,
    planned: node.isChanged,
    packet: packetText(packet),
    from: origin,
    ...(replyTo && { replyTo: packetText(replyTo) }),
    hops: path.hops,
    verdict,
    assumptions: [...path.assumptions],
  };
  return { traced: true, trace, passes: path.passes };
}

function followReply(
  node: TracedNode,
  question: TraceQuestion,
  origin: FollowedOrigin,
  asked: TracedPacket,
): TraceOutcome {
  const packet: TracedPacket = asked.ports === undefined ? { ...asked, isEchoReply: true } : asked;
  const opening = reversed(packet);
  const first = firstPacket(node, question, opening, origin.origin);
  if ('problem' in first) return { traced: false, problem: first.problem };
  if ('end' in first) {
    return outcome(
      node,
      question,
      origin,
      packet,
      { hops: [], assumptions: new Set(), passes: [] },
      first.end,
      opening,
    );
  }
  // On the wire the reply goes to the address that the first packet left with.
  const reply = first.left === undefined ? packet : reversed(first.left);
  const path = new PacketPath(node, first.memory);
  const verdict = path.follow(origin, { ...sentPacket(reply, question), isReply: true });
  return outcome(node, question, origin, reply, path, verdict, opening);
}

/** Where a packet comes from: a reply to a pod comes from the wire, even if the host has its source address. */
function originOfPacket(node: TracedNode, { packet, from, isReply = false }: TraceQuestion): OriginReading {
  const isToPod =
    placeInNetwork(node, packet.destination) === 'pod' && placeInNetwork(node, packet.source) === undefined;
  return originOf(node, packet.source, from ?? (isReply && isToPod ? 'wire' : undefined));
}

/** Follows a packet of a network on a node. */
export function trace(
  cluster: ClusterSnapshot,
  snapshot: NodeSnapshot,
  settings: NodeSettings,
  question: TraceQuestion,
): TraceOutcome {
  const reading = tracedNode(cluster, snapshot, settings, question.network);
  if ('problem' in reading) return { traced: false, problem: reading.problem };
  const { node } = reading;
  const { packet, isReply = false } = question;
  const unfollowed = unfollowedAddress([packet.source, packet.destination], node);
  if (unfollowed !== undefined) return { traced: false, problem: unfollowed };
  const origin = originOfPacket(node, question);
  if ('problem' in origin) return { traced: false, problem: origin.problem };
  if (isReply) return followReply(node, question, origin, packet);
  const path = new PacketPath(node);
  const verdict = path.follow(origin, sentPacket(packet, question));
  return outcome(node, question, origin, packet, path, verdict);
}
