/**
 * What is told of a packet's way. Plain data.
 */

/** One hop: where the packet was, what decided there, what it changed, and why that is there. */
export interface Hop {
  /** The device, bridge or router, and on a bridge the table and priority of the flow. */
  readonly where: string;
  /** What happened to the packet, in words. */
  readonly change: string;
  /** Why it did: the reason of a row, or whose decision it is. */
  readonly why: string;
  /** The rule, route, flow or row that decided, in the words of its tool; absent where that is only assumed. */
  readonly decidedBy?: string;
}

/** How a packet's way ended. */
export type TraceVerdict =
  | { readonly kind: 'arrives'; readonly at: string }
  | { readonly kind: 'leaves'; readonly by: string }
  | { readonly kind: 'dropped'; readonly where: string; readonly why: string };

/** Where a packet begins. */
export const origins = ['pod', 'host', 'wire'] as const;

export type Origin = (typeof origins)[number];

/** A packet's way on a node. */
export interface Trace {
  /** Name of the ClusterUserDefinedNetwork. */
  readonly network: string;
  readonly node: string;
  /** Whether the node has to be changed before packets go this way. */
  readonly planned: boolean;
  /** The packet as it began. */
  readonly packet: string;
  readonly from: Origin;
  /** The first packet of the connection that it replies to; absent where it is a first one itself. */
  readonly replyTo?: string;
  readonly hops: readonly Hop[];
  readonly verdict: TraceVerdict;
  /** What is not known of the node and was assumed, in words. */
  readonly assumptions: readonly string[];
}
