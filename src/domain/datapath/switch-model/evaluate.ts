/**
 * Follows one packet through a bridge (ovs-actions(7), ovs-fields(7)).
 */
import { bitsOf } from '../openflow/bits.ts';
import { VLAN_PRESENT } from '../openflow/constraints.ts';
import type { FieldName } from '../openflow/fields.ts';
import type { Action, Nat } from '../openflow/flow.ts';
import type { FlowEntry } from '../openflow/flow-entry.ts';
import { parseActions } from '../openflow/parse-actions.ts';
import {
  type TrackedConnection,
  newConnection,
  track,
  type Tracked,
  translate,
  type Translation,
} from './connection-tracking.ts';
import { lookUp } from './flow-table.ts';
import { learnedFlow, withLearned } from './learned-flow.ts';
import { forward, type LearnedAddress, type ModelPort } from './learning-switch.ts';
import { type Packet, valueOf, valueOfBits, withBits } from './packet.ts';

/** A bridge, and what it has learned. */
export interface SwitchState {
  readonly flows: readonly FlowEntry[];
  readonly ports: readonly ModelPort[];
  readonly addresses: readonly LearnedAddress[];
  readonly connections: readonly TrackedConnection[];
}

/** A packet that left the bridge by a port. */
export interface Output {
  readonly port: bigint;
  readonly packet: Packet;
}

/** One step of a packet. */
export type SwitchStep =
  /** The packet matched a flow. */
  | { readonly kind: 'flow'; readonly flow: FlowEntry; readonly packet: Packet }
  /** No flow of the table matched: the packet was dropped. */
  | { readonly kind: 'no-flow'; readonly table: number }
  /** Its connection was looked up. */
  | { readonly kind: 'tracked'; readonly zone: number; readonly state: bigint }
  | ({ readonly kind: 'output' } & Output)
  /** The model does not know the action, and ignored it. */
  | { readonly kind: 'unknown'; readonly text: string };

/** The outcome of a packet in a bridge. */
export interface Verdict {
  /** Empty if it was dropped. */
  readonly outputs: readonly Output[];
  readonly steps: readonly SwitchStep[];
  readonly after: SwitchState;
}

/** Limits on the lookups of a packet, and on their depth, after which Open vSwitch drops it (ofproto-dpif-xlate.c, MAX_RESUBMITS and MAX_DEPTH). */
const MOST_LOOKUPS = 4096;
const MOST_DEPTH = 64;

/** Fields that belong to the processing in the bridge, not to the packet. */
const internalFields: readonly FieldName[] = [
  ...(['in_port', 'metadata', 'ct_state', 'ct_zone', 'ct_mark'] as const),
  ...(['reg0', 'reg1', 'reg2', 'reg3', 'reg4', 'reg5', 'reg6', 'reg7'] as const),
];

/** Fields that connection tracking sets, for flows that match the packet after it. */
const connectionFields: readonly FieldName[] = ['ct_state', 'ct_zone', 'ct_mark'];

function withoutFields(packet: Packet, fields: readonly FieldName[]): Packet {
  const dropped = new Set<string>(fields);
  return Object.fromEntries(Object.entries(packet).filter(([name]) => !dropped.has(name)));
}

function translationOf(nat: Nat, isIpv6: boolean): Translation | undefined {
  if (nat === 'as-committed') return undefined;
  const field = isIpv6 ? 'ipv6_src' : 'nw_src';
  const address = bitsOf(field, 'source' in nat ? nat.source : nat.destination)?.value;
  if (address === undefined) return undefined;
  return 'source' in nat ? { source: address } : { destination: address };
}

/** The evaluation of one packet. */
class Evaluation {
  readonly outputs: Output[] = [];
  readonly steps: SwitchStep[] = [];
  state: SwitchState;
  /** As flows match it. */
  #packet: Packet;
  /** Translations that apply to output from here on; flows match translated packets only after recirculation. */
  #translations: readonly Tracked[] = [];
  #lookups = 0;

  constructor(state: SwitchState, packet: Packet) {
    this.state = state;
    this.#packet = packet;
  }

  lookUp(table: number, depth: number): void {
    this.#lookups++;
    if (depth > MOST_DEPTH || this.#lookups > MOST_LOOKUPS) return;
    const flow = lookUp(this.state.flows, table, this.#packet);
    if (flow === undefined) {
      this.steps.push({ kind: 'no-flow', table });
      return;
    }
    this.steps.push({ kind: 'flow', flow, packet: this.#packet });
    for (const action of parseActions(flow.actions)) this.#apply(action, depth);
  }

  #apply(action: Action, depth: number): void {
    switch (action.kind) {
      case 'output':
        this.#output(action.port);
        break;
      case 'resubmit':
        this.lookUp(action.table, depth + 1);
        break;
      case 'ct':
        this.#track(action);
        break;
      case 'set': {
        const value = bitsOf(action.field, action.value)?.value;
        if (value !== undefined) this.#packet = { ...this.#packet, [action.field]: value };
        break;
      }
      case 'load':
        this.#packet = withBits(this.#packet, action.to, BigInt(action.value));
        break;
      case 'move':
        this.#packet = withBits(this.#packet, action.to, valueOfBits(this.#packet, action.from));
        break;
      case 'learn':
        this.state = {
          ...this.state,
          flows: withLearned(this.state.flows, learnedFlow(action, this.#packet), action.limit),
        };
        break;
      case 'push-vlan':
        this.#packet = { ...this.#packet, vlan_tci: VLAN_PRESENT };
        break;
      case 'pop-vlan':
        this.#packet = { ...this.#packet, vlan_tci: 0n };
        break;
      case 'other':
        this.steps.push({ kind: 'unknown', text: action.text });
        break;
    }
  }

  #leave(port: bigint, packet: Packet): void {
    const output = { port, packet: withoutFields(this.#translations.reduce(translate, packet), internalFields) };
    this.outputs.push(output);
    this.steps.push({ kind: 'output', ...output });
  }

  #output(port: string): void {
    const inPort = valueOf(this.#packet, 'in_port');
    switch (port) {
      case 'NORMAL': {
        const { outputs, addresses } = forward(this.#packet, this.state.ports, this.state.addresses);
        this.state = { ...this.state, addresses };
        for (const each of outputs) this.#leave(each.port, each.packet);
        break;
      }
      case 'IN_PORT':
        this.#leave(inPort, this.#packet);
        break;
      case 'FLOOD':
      case 'ALL':
        for (const { number, isNoFlood } of this.state.ports) {
          if (number !== inPort && (port === 'ALL' || isNoFlood !== true)) this.#leave(number, this.#packet);
        }
        break;
      default: {
        const number = bitsOf('in_port', port)?.value;
        // A packet is output to its own input port only by IN_PORT.
        if (number !== undefined && number !== inPort) this.#leave(number, this.#packet);
      }
    }
  }

  #track({ commit, table, zone, nat, exec }: Extract<Action, { kind: 'ct' }>): void {
    const packet = this.#translations.reduce(translate, this.#packet);
    let tracked = track(this.state.connections, zone, packet);
    this.steps.push({ kind: 'tracked', zone, state: tracked.state });
    if (commit === true && tracked.connection === undefined) {
      const translation = nat && translationOf(nat, packet.dl_type === 0x86ddn);
      const connection = newConnection(this.state.connections, zone, packet, translation);
      if (connection !== undefined) {
        this.state = { ...this.state, connections: [...this.state.connections, connection] };
        tracked = { ...tracked, connection };
      }
    }
    const mark = exec?.find((each) => each.kind === 'set' && each.field === 'ct_mark');
    this.#update(tracked, mark?.kind === 'set' ? BigInt(mark.value) : undefined);
    if (nat !== undefined) this.#translations = [...this.#translations, tracked];
    // Only flows after recirculation match the fields of the connection.
    if (table !== undefined) this.#comeBack(table, zone, tracked);
    else this.#packet = withoutFields(this.#packet, connectionFields);
  }

  /** Records in the connection that a reply was seen, and its mark. */
  #update({ connection, isReply }: Tracked, mark: bigint | undefined): void {
    if (connection === undefined) return;
    const updated: TrackedConnection = {
      ...connection,
      isReplied: connection.isReplied || isReply,
      mark: mark ?? connection.mark,
    };
    const connections = this.state.connections.map((each) => (each === connection ? updated : each));
    this.state = { ...this.state, connections };
  }

  /** Continues with a table. The actions after connection tracking continue with the packet as it was before. */
  #comeBack(table: number, zone: number, tracked: Tracked): void {
    const [packet, translations] = [this.#packet, this.#translations];
    const frag = valueOf(packet, 'nw_frag');
    // The kernel keeps fragments until all have arrived, and continues with the whole packet.
    if (frag !== 3n) {
      this.#packet = {
        ...translations.reduce(translate, packet),
        nw_frag: 0n,
        ct_state: tracked.state,
        ct_zone: BigInt(zone),
        ct_mark: tracked.connection?.mark ?? 0n,
      };
      this.#translations = [];
      this.lookUp(table, 0);
    }
    this.#packet = withoutFields(packet, connectionFields);
    this.#translations = translations;
  }
}

/**
 * Follows a packet through a bridge.
 *
 * @param packet with the port that it comes in by in `in_port`.
 */
export function evaluate(state: SwitchState, packet: Packet): Verdict {
  const evaluation = new Evaluation(state, packet);
  evaluation.lookUp(0, 0);
  return { outputs: evaluation.outputs, steps: evaluation.steps, after: evaluation.state };
}
