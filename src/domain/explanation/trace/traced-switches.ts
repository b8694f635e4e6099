import { FLOW_COOKIE } from '../../basics/conventions.ts';
import type { FlowEntry } from '../../datapath/openflow/flow-entry.ts';
import type { SwitchState } from '../../datapath/switch-model/evaluate.ts';
import type { LearnedAddress } from '../../datapath/switch-model/learning-switch.ts';
import type { Packet } from '../../datapath/switch-model/packet.ts';
import { type BridgePass, passBridge, switchState } from './bridge-pass.ts';
import type { TracedNode } from './traced-node.ts';

/** The bridges of a node while packets go through them: what each has learned, by name. */
export type SwitchStates = ReadonlyMap<string, SwitchState>;

/** The bridges of a node, with what they learn from the packets that are traced. */
export class TracedSwitches {
  /** Passes of packets through bridges, in order. */
  readonly passes: BridgePass[] = [];
  readonly #node: TracedNode;
  readonly #states: Map<string, SwitchState>;
  /** Flows that stand for what is not known of the node. */
  readonly #assumedFlows = new Set<FlowEntry>();

  constructor(node: TracedNode, states: SwitchStates) {
    this.#node = node;
    this.#states = new Map(states);
  }

  get states(): SwitchStates {
    return this.#states;
  }

  stateOf(bridge: string): SwitchState {
    const known = this.#states.get(bridge);
    if (known !== undefined) return known;
    const state = switchState(this.#node.after, bridge);
    this.#states.set(bridge, state);
    return state;
  }

  /** Whether the bridge has flows of ovn-uplinks. */
  isProgrammed(bridge: string): boolean {
    return this.stateOf(bridge).flows.some(({ cookie }) => cookie === FLOW_COOKIE);
  }

  /** Sends a frame through a bridge. */
  pass(bridge: string, frame: Packet): BridgePass {
    const pass = passBridge(bridge, this.stateOf(bridge), frame);
    this.record(bridge, pass.verdict.after, [pass]);
    return pass;
  }

  /** Records what a bridge did, and its state afterwards. */
  record(bridge: string, after: SwitchState, passes: readonly BridgePass[]): void {
    this.#states.set(bridge, after);
    this.passes.push(...passes);
  }

  /** Adds a flow that is assumed to be on a bridge. */
  assumeFlow(bridge: string, flow: FlowEntry): void {
    this.#assumedFlows.add(flow);
    const state = this.stateOf(bridge);
    this.#states.set(bridge, { ...state, flows: [...state.flows, flow] });
  }

  /** Adds a MAC address to those that a bridge has learned. */
  learn(bridge: string, address: LearnedAddress): void {
    const state = this.stateOf(bridge);
    this.#states.set(bridge, { ...state, addresses: [...state.addresses, address] });
  }

  /** Why a flow of a bridge is there. */
  readonly why = (bridge: string, flow: FlowEntry): string =>
    this.#assumedFlows.has(flow) ? 'the MAC address behind a virtual one, assumed' : this.#node.why(bridge, flow);
}
