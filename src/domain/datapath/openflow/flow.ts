/**
 * Flows of Open vSwitch as plain data (ovs-ofctl(8), ovs-actions(7)). Values are texts as ovs-ofctl prints them, so that a flow reads the same
 * in a plan, in a dump and in a document.
 */
import type { FieldName, Protocol } from './fields.ts';

/**
 * A match: a protocol, and values of fields, with a mask behind a slash where not all bits count. A port is a number, `LOCAL`, or the name of a port
 * that has no number yet. `dl_vlan` is the VLAN id of the tag.
 */
export type Match = { readonly protocol?: Protocol; readonly dl_vlan?: string } & {
  readonly [Name in FieldName]?: string;
};

/** The lowest and the highest bit; absent for the whole field. */
export interface Subfield {
  readonly field: FieldName;
  readonly bits?: readonly [number, number];
}

/** A part of the flow that `learn` adds: a match or an action. */
export type LearnedPart =
  /** Matches a field of later packets with a constant, or with the value of a field of this packet. */
  | { readonly match: Subfield; readonly equals: Subfield | string }
  /** Matches the Ethernet type or the IP protocol. */
  | { readonly field: 'eth_type' | 'nw_proto' | 'icmpv6_type'; readonly equals: string }
  /** Sets a field of later packets. */
  | { readonly load: Subfield | string; readonly to: Subfield }
  /** Outputs later packets to the port that a field of this packet names. */
  | { readonly output: Subfield };

/** Network address translation of a connection: its source or destination is translated to an address, or as committed before. */
export type Nat = { readonly source: string } | { readonly destination: string } | 'as-committed';

/** An action of a flow. A flow without actions drops packets. */
export type Action =
  /** A number, or `LOCAL`, `IN_PORT`, `NORMAL`, `FLOOD` and so on. */
  | { readonly kind: 'output'; readonly port: string }
  | { readonly kind: 'resubmit'; readonly table: number }
  | {
      readonly kind: 'ct';
      readonly commit?: true;
      /** The table in which the tracked packet continues; absent if it does not. */
      readonly table?: number;
      readonly zone: number;
      readonly nat?: Nat;
      readonly exec?: readonly Action[];
    }
  | { readonly kind: 'set'; readonly field: FieldName; readonly value: string }
  | { readonly kind: 'load'; readonly value: string; readonly to: Subfield }
  | { readonly kind: 'move'; readonly from: Subfield; readonly to: Subfield }
  | {
      readonly kind: 'learn';
      readonly table: number;
      /** Seconds without a packet after which the flow is removed. */
      readonly idleTimeout?: number;
      /** Seconds after which the flow is removed. */
      readonly hardTimeout?: number;
      readonly priority: number;
      readonly cookie: string;
      /** Maximum number of flows that it adds. */
      readonly limit?: number;
      readonly parts: readonly LearnedPart[];
    }
  /** Adds a tag, whose VLAN id a following `set` sets. */
  | { readonly kind: 'push-vlan' }
  | { readonly kind: 'pop-vlan' }
  /** An action of any other kind, as printed. */
  | { readonly kind: 'other'; readonly text: string };
