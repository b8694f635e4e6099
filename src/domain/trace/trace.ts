/**
 * Follows one packet on a node as its plan leaves it, from a pod, the host or the wire to where it arrives, leaves or is dropped.
 */
import type { ClusterSnapshot } from '../snapshot/cluster-snapshot.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { NodeSettings } from '../snapshot/settings.ts';
import type { BridgePass } from './bridge-pass.ts';
import type { Origin, Trace, TraceVerdict } from './hop.ts';
import { Journey, type Memory, type Sent } from './journey.ts';
import { originOf, type OriginReading, unfollowedAddress } from './origin.ts';
import { namedPacket, packetText, reversed, type TracedPacket } from './packet.ts';
import { placeInNetwork } from './routers.ts';
import { type TracedNode, tracedNode } from './traced-node.ts';

/** What is asked. */
export interface TraceQuestion {
  /** Name of the ClusterUserDefinedNetwork. */
  readonly network: string;
  readonly packet: TracedPacket;
  /** Where it begins; absent: what its source says. */
  readonly from?: Origin;
  /** Length of the IP packet, in bytes; absent: whatever fits. */
  readonly length?: number;
  /** Packet mark that it begins with. */
  readonly mark?: number;
  /** Whether it is a reply of a connection that was accepted. */
  readonly isReply?: boolean;
}

/** A packet's way with what bridges did on it, or why there is nothing to follow. */
export type TraceOutcome =
  | { readonly traced: true; readonly trace: Trace; readonly passes: readonly BridgePass[] }
  | { readonly traced: false; readonly problem: string };

type Begun = Exclude<OriginReading, { readonly problem: string }>;

/** A first packet, and what bridges and routers remember of it; or why there can be no reply. */
type First =
  | { readonly memory: Memory; readonly left?: TracedPacket }
  | { readonly problem: string }
  | { readonly end: TraceVerdict };

function firstPacket(node: TracedNode, question: TraceQuestion, packet: TracedPacket, replyFrom: Origin): First {
  const origin = originOf(node, packet.source);
  if ('problem' in origin) return origin;
  const journey = new Journey(node);
  // It is as short as the first packet of a connection is, whatever the reply's length.
  const end = journey.follow(origin, { packet, mark: question.mark ?? 0 });
  const first = `the connection's first packet, ${packetText(packet)},`;
  switch (end.kind) {
    case 'dropped':
      return { end: { ...end, why: `${first} is dropped there: ${end.why}` } };
    case 'arrives':
      if (origin.origin !== 'wire')
        return { problem: `${first} arrives at ${end.at}: its replies do not come from the wire` };
      if (replyFrom === 'wire') return { problem: `${first} comes from the wire: its replies do not` };
      return { memory: journey.memory() };
    case 'leaves': {
      const left = journey.left && namedPacket(journey.left);
      if (left === undefined || replyFrom !== 'wire') {
        return { problem: `${first} leaves by ${end.by}: its replies do not come from ${replyFrom}` };
      }
      return { memory: journey.memory(), left };
    }
  }
}

function sent(packet: TracedPacket, { length, mark = 0 }: TraceQuestion): Sent {
  return { packet, mark, ...(length !== undefined && { length }) };
}

function outcome(
  node: TracedNode,
  { network }: TraceQuestion,
  { origin }: Begun,
  packet: TracedPacket,
  journey: Pick<Journey, 'hops' | 'assumptions' | 'passes'>,
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
    hops: journey.hops,
    verdict,
    assumptions: [...journey.assumptions],
  };
  return { traced: true, trace, passes: journey.passes };
}

function followReply(node: TracedNode, question: TraceQuestion, origin: Begun, asked: TracedPacket): TraceOutcome {
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
  const journey = new Journey(node, first.memory);
  const verdict = journey.follow(origin, { ...sent(reply, question), isReply: true });
  return outcome(node, question, origin, reply, journey, verdict, opening);
}

/** Where a packet begins: a reply to a pod comes from the wire also where the host has the address that it comes from. */
function beginning(node: TracedNode, { packet, from, isReply = false }: TraceQuestion): OriginReading {
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
  const origin = beginning(node, question);
  if ('problem' in origin) return { traced: false, problem: origin.problem };
  if (isReply) return followReply(node, question, origin, packet);
  const journey = new Journey(node);
  const verdict = journey.follow(origin, sent(packet, question));
  return outcome(node, question, origin, packet, journey, verdict);
}
