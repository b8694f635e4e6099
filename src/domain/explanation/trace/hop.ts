/**
 * The result of a trace. Plain data.
 */

/** A hop of a packet: where it was, what happened to it there, and why. */
export interface Hop {
  /** The node, if it is not that of the trace. */
  readonly node?: string;
  /** The device, bridge or router, and on a bridge the table and priority of the flow. */
  readonly where: string;
  /** The change of the packet or its way there, for people. */
  readonly change: string;
  /** Why: the reason of a row of the pipeline, a rule, or the part of the node that decided. */
  readonly why: string;
  /** The route, flow or row that decided, as its tool prints it; absent where it is assumed. */
  readonly decidedBy?: string;
}

/** How a packet ended. */
export type TraceVerdict =
  | { readonly kind: 'arrives'; readonly at: string }
  | { readonly kind: 'leaves'; readonly by: string }
  | { readonly kind: 'dropped'; readonly where: string; readonly why: string };

/** Where a packet can come from. */
export const origins = ['pod', 'host', 'wire'] as const;

export type PacketOrigin = (typeof origins)[number];

/** The answer to a packet. */
export interface TracedReply {
  /** As it is sent. */
  readonly packet: string;
  readonly hops: readonly Hop[];
  readonly verdict: TraceVerdict;
}

/** The path of a packet on a node. */
export interface Trace {
  /** Name of the ClusterUserDefinedNetwork. */
  readonly network: string;
  readonly node: string;
  /** Whether operations are needed before packets take this path. */
  readonly planned: boolean;
  /** The packet as it was sent. */
  readonly packet: string;
  readonly from: PacketOrigin;
  /** The first packet of its connection; absent if it is not a reply. */
  readonly replyTo?: string;
  readonly hops: readonly Hop[];
  readonly verdict: TraceVerdict;
  /** The answer of the endpoint of a Service to a packet from the wire; absent for other packets. */
  readonly reply?: TracedReply;
  /** Why a packet from the wire goes to no Service of the network, for people; absent where no Service is concerned. */
  readonly remarks?: readonly string[];
  /** Assumptions about what is not known of the node, for people. */
  readonly assumptions: readonly string[];
}

/** A packet that a pod sends, with where it got, as far as it was followed. */
export interface FollowedFromPod {
  readonly network: string;
  readonly node: string;
  readonly packet: string;
  readonly hops: readonly Hop[];
  readonly verdict: TraceVerdict;
  /** Whether operations are needed before packets take this path; absent if not. */
  readonly isPlanned?: boolean;
  readonly assumptions?: readonly string[];
}

/** The trace of a packet that a pod of a network sends, which passes no bridge of an uplink. */
export function traceFromPod({
  network,
  node,
  packet,
  hops,
  verdict,
  isPlanned = false,
  assumptions = [],
}: FollowedFromPod) {
  const trace: Trace = { network, node, planned: isPlanned, packet, from: 'pod', hops, verdict, assumptions };
  return { traced: true, trace, passes: [] } as const;
}
