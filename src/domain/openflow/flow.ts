/**
 * Flows of Open vSwitch as plain data (ovs-ofctl(8), ovs-actions(7)). Values are texts as ovs-ofctl prints them, so that a flow reads the same
 * in a plan, in a dump and in a document.
 */
import type { FieldName, Protocol } from './fields.ts';

/**
 * What a packet must be like: a protocol, and a value for each of some fields, with its mask behind a slash where not all bits count. A port is
 * a number, `LOCAL`, or the name of a port that has no number yet. `dl_vlan` is the VLAN that a packet is tagged with.
 */
export type Match = { readonly protocol?: Protocol; readonly dl_vlan?: string } & {
  readonly [Name in FieldName]?: string;
};

/** Some bits of a field, lowest first, both included; left out, all of it. */
export interface Subfield {
  readonly field: FieldName;
  readonly bits?: readonly [number, number];
}

/** One part of the flow that `learn` makes: a match, or an action. */
export type LearnedPart =
  /** Matches a field of later packets: with a constant, or with what another field of this packet has. */
  | { readonly match: Subfield; readonly equals: Subfield | string }
  /** Matches the Ethernet type or the IP protocol. */
  | { readonly field: 'eth_type' | 'nw_proto' | 'icmpv6_type'; readonly equals: string }
  /** Sets a field of later packets. */
  | { readonly load: Subfield | string; readonly to: Subfield }
  /** Outputs later packets to the port that a field of this packet names. */
  | { readonly output: Subfield };

/** What network address translation a connection gets: its source or destination becomes an address, or what the connection already has. */
export type Nat = { readonly source: string } | { readonly destination: string } | 'as-committed';

/** What is done with a packet that a flow matches. A flow without any drops it. */
export type Action =
  /** To a port: a number, or `LOCAL`, `IN_PORT`, `NORMAL`, `FLOOD` and so on. */
  | { readonly kind: 'output'; readonly port: string }
  | { readonly kind: 'resubmit'; readonly table: number }
  | {
      readonly kind: 'ct';
      readonly commit?: true;
      /** Where the packet goes on once it is tracked; absent where it does not. */
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
      /** Seconds without a packet after which the flow goes. */
      readonly idleTimeout?: number;
      /** Seconds after which the flow goes. */
      readonly hardTimeout?: number;
      readonly priority: number;
      readonly cookie: string;
      /** How many flows it may make. */
      readonly limit?: number;
      readonly parts: readonly LearnedPart[];
    }
  /** Tags the packet with a VLAN that a following `set` names. */
  | { readonly kind: 'push-vlan' }
  | { readonly kind: 'pop-vlan' }
  /** One that nothing here knows, as it was printed. */
  | { readonly kind: 'other'; readonly text: string };
