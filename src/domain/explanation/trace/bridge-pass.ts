/**
 * The path of a packet through the tables of a bridge, with a hop for each flow that it matches.
 */
import { accessVlanOf } from '../../discovery/port-vlans.ts';
import { connectionStates, portText, valueText } from '../../datapath/openflow/bits.ts';
import { tables } from '../../dataplane/pipeline/tables.ts';
import type { FieldName } from '../../datapath/openflow/fields.ts';
import type { Action } from '../../datapath/openflow/flow.ts';
import { type FlowEntry, flowKey } from '../../datapath/openflow/flow-entry.ts';
import { parseActions } from '../../datapath/openflow/parse-actions.ts';
import { portWord } from '../../datapath/openflow/port-word.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import {
  evaluate,
  type Output,
  type SwitchStep,
  type SwitchState,
  type Verdict,
} from '../../datapath/switch-model/evaluate.ts';
import type { ModelPort } from '../../datapath/switch-model/learning-switch.ts';
import { type Packet, valueOf } from '../../datapath/switch-model/packet.ts';
import type { Hop } from './hop.ts';
import { bitsIn, vlanIn } from './packet.ts';

/** The name of a port in flows. */
export function flowPort(bridge: string, port: string): string {
  return port === bridge ? 'LOCAL' : portWord(port);
}

/** The state of a bridge of a node before the first packet. */
export function switchState(node: NodeSnapshot, bridge: string): SwitchState {
  const number = (port: string) => bitsIn('in_port', flowPort(bridge, port));
  const noFlood = new Set(node.noFloodPorts.filter((each) => each.bridge === bridge).map(({ port }) => port));
  const ports = node.bridges.find(({ name }) => name === bridge)?.ports ?? [];
  return {
    flows: node.flows.filter((flow) => flow.bridge === bridge),
    ports: ports.flatMap((port) => {
      const accessVlan = accessVlanOf(port);
      return port.interfaces.map(({ name }): ModelPort => ({
        number: number(name),
        ...(accessVlan !== undefined && { accessVlan }),
        ...(noFlood.has(name) && { isNoFlood: true as const }),
      }));
    }),
    addresses: node.fdbEntries
      .filter((entry) => entry.bridge === bridge)
      .map(({ port, vlan, macAddress }) => ({
        vlan: BigInt(vlan),
        macAddress: bitsIn('dl_src', macAddress),
        port: number(port),
        isStatic: true as const,
      })),
    connections: [],
  };
}

/** The outcome of a packet in a bridge. */
export interface BridgePass {
  readonly bridge: string;
  /** As it came in, with the port in `in_port`. */
  readonly packet: Packet;
  readonly before: SwitchState;
  readonly verdict: Verdict;
}

/** Sends a packet through a bridge. */
export function passBridge(bridge: string, before: SwitchState, packet: Packet): BridgePass {
  return { bridge, packet, before, verdict: evaluate(before, packet) };
}

/** The name of a port of a bridge. */
export function portName(bridge: string, port: bigint): string {
  const name = portText(port);
  return name === 'LOCAL' ? bridge : decodeURIComponent(name);
}

const tableNames: ReadonlyMap<number, string> = new Map(Object.entries(tables).map(([name, number]) => [number, name]));

/** The name of a table of the pipeline; the number of any other. */
export function tableName(table: number): string {
  return tableNames.get(table) ?? `table ${String(table)}`;
}

/** A flow in hops: its table and priority. */
function placeOf(bridge: string, { table, priority }: FlowEntry): string {
  return `${bridge}, ${tableName(table)} ${String(priority)}`;
}

function textOf(packet: Packet, field: FieldName): string {
  return valueText(field, valueOf(packet, field));
}

/** Fields whose changes are reported, and how. */
const reportedFields: readonly (readonly [FieldName, string])[] = [
  ['nw_src', 'source becomes'],
  ['ipv6_src', 'source becomes'],
  ['tp_src', 'source port becomes'],
  ['nw_dst', 'destination becomes'],
  ['ipv6_dst', 'destination becomes'],
  ['tp_dst', 'destination port becomes'],
  ['dl_dst', 'to MAC address'],
];

function changesBetween(before: Packet, after: Packet): readonly string[] {
  if (valueOf(before, 'arp_op') === 1n && valueOf(after, 'arp_op') === 2n) {
    return [`answered: ${textOf(after, 'arp_spa')} is at ${textOf(after, 'arp_sha')}`];
  }
  const [vlan, vlanAfter] = [vlanIn(before), vlanIn(after)];
  return [
    ...reportedFields.flatMap(([field, words]) =>
      valueOf(before, field) === valueOf(after, field) ? [] : [`${words} ${textOf(after, field)}`],
    ),
    ...(vlan === vlanAfter ? [] : [vlanAfter === undefined ? 'tag removed' : `tagged with VLAN ${String(vlanAfter)}`]),
  ];
}

function markIn({ exec = [] }: Extract<Action, { kind: 'ct' }>): string | undefined {
  const mark = exec.find((each) => each.kind === 'set' && each.field === 'ct_mark');
  return mark?.kind === 'set' ? String(Number(mark.value)) : undefined;
}

/** A flow that a packet matched, and what it did up to the next one. */
interface Decision {
  readonly flow: FlowEntry;
  readonly packet: Packet;
  readonly tracked?: Extract<SwitchStep, { kind: 'tracked' }>;
  readonly outputs: readonly Output[];
  /** The packet afterwards. */
  readonly after: Packet;
}

/** Connection states for people; that a packet was tracked is not reported. */
const stateNames: Readonly<Record<(typeof connectionStates)[number], string>> = {
  new: 'new',
  est: 'established',
  rel: 'related',
  rpl: 'reply direction',
  inv: 'unknown',
  trk: '',
  snat: '',
  dnat: '',
};

function stateText(state: bigint): string {
  const names = connectionStates.filter((_, at) => ((state >> BigInt(at)) & 1n) === 1n);
  return names
    .map((name) => stateNames[name])
    .filter(Boolean)
    .join(', ');
}

/** State of packets that belong to no connection and cannot begin one. */
const INVALID = 1n << BigInt(connectionStates.indexOf('inv'));

/** The outcome of connection tracking. */
function tracking(action: Extract<Action, { kind: 'ct' }>, { tracked, after }: Decision): string {
  const isInvalid = tracked !== undefined && (tracked.state & INVALID) !== 0n;
  if (isInvalid) return 'belongs to no connection';
  if (action.commit === true) {
    const mark = markIn(action);
    return mark === undefined ? 'connection committed' : `connection marked ${mark}`;
  }
  if (tracked === undefined) return 'tracked';
  const mark = valueOf(after, 'ct_mark');
  return `connection ${mark === 0n ? '' : `marked ${String(mark)} `}is ${stateText(tracked.state)}`;
}

function isReserved(port: string): boolean {
  return port === 'NORMAL' || port === 'FLOOD' || port === 'ALL';
}

function decisionsOf(steps: readonly SwitchStep[]): readonly Decision[] {
  const decisions: Decision[] = [];
  for (const step of steps) {
    const last = decisions.at(-1);
    switch (step.kind) {
      case 'flow':
        if (last !== undefined && last.outputs.length === 0)
          decisions[decisions.length - 1] = { ...last, after: step.packet };
        decisions.push({ flow: step.flow, packet: step.packet, outputs: [], after: step.packet });
        break;
      case 'tracked':
        if (last !== undefined) decisions[decisions.length - 1] = { ...last, tracked: step };
        break;
      case 'output':
        if (last !== undefined) {
          decisions[decisions.length - 1] = { ...last, outputs: [...last.outputs, step], after: step.packet };
        }
        break;
      case 'no-flow':
      case 'unknown':
        break;
    }
  }
  return decisions;
}

function changeOf(bridge: string, decision: Decision): string {
  const { flow, packet, outputs, after } = decision;
  const actions = parseActions(flow.actions);
  const ports = [...new Set(outputs.map(({ port }) => portName(bridge, port)))];
  const learned = actions.flatMap((action) => (action.kind === 'learn' ? [tableName(action.table)] : []));
  const isSwitched = actions.some((action) => action.kind === 'output' && isReserved(action.port));
  const words = [
    ...changesBetween(packet, after),
    ...actions.flatMap((action) => (action.kind === 'ct' ? [tracking(action, decision)] : [])),
    ...(learned.length === 0 ? [] : [`learned in ${learned.join(', ')}`]),
    ...(ports.length === 0 ? [] : [`${isSwitched ? 'switched ' : ''}to ${ports.join(' and ')}`]),
  ];
  if (words.length > 0) return words.join(', ');
  return actions.length === 0 ? 'dropped' : 'continues';
}

/** The hops of a packet through a bridge. */
export function passHops(
  { bridge, verdict }: BridgePass,
  why: (bridge: string, flow: FlowEntry) => string,
): readonly Hop[] {
  return decisionsOf(verdict.steps).map((decision) => ({
    where: placeOf(bridge, decision.flow),
    change: changeOf(bridge, decision),
    why: why(bridge, decision.flow),
    decidedBy: `${flowKey(decision.flow)} actions=${decision.flow.actions}`,
  }));
}

/** Where a bridge dropped a packet, and why. */
export function dropOf(
  { bridge, verdict }: BridgePass,
  why: (bridge: string, flow: FlowEntry) => string,
): { readonly where: string; readonly why: string } {
  const last = decisionsOf(verdict.steps).at(-1);
  if (last === undefined) return { where: bridge, why: 'no flow matches the packet' };
  return { where: placeOf(bridge, last.flow), why: why(bridge, last.flow) };
}
