/**
 * What a running switch says that it would do with a frame (ovs-vswitchd(8), ofproto/trace), beside what the evaluator says.
 */
import { connectionStates, portText, valueText } from '../openflow/bits.ts';
import { type FieldName, fieldNames, type Protocol, protocols } from '../openflow/fields.ts';
import { evaluate, type Output, type SwitchState, type Verdict } from '../switch-model/evaluate.ts';
import { type Connection, inverted, newConnection, track } from '../switch-model/connection-tracking.ts';
import { type Packet, valueOf } from '../switch-model/packet.ts';
import { type BridgePass, portName, tableName } from './bridge-pass.ts';
import { vlanIn } from './packet.ts';

/** What is compared of a frame that leaves by a port. */
export interface LeavingFrame {
  readonly port: string;
  readonly vlan: string;
  readonly dl_src: string;
  readonly dl_dst: string;
  readonly source: string;
  readonly destination: string;
  /** Ports of TCP and UDP, such as ` 40000:443`; empty for other protocols. */
  readonly ports: string;
}

/** A frame that leaves, in words, without its port. */
export function leavingText({ vlan, dl_src, dl_dst, source, destination, ports }: LeavingFrame): string {
  return `VLAN ${vlan}, ${dl_src} > ${dl_dst}, ${source}${ports} > ${destination}`;
}

/** What a switch does with a frame. */
export interface SwitchTrace {
  /** The flows of the bridge that decide, in order; without a priority where none of a table matches. */
  readonly decisions: readonly { readonly table: number; readonly priority?: number }[];
  /** Each frame that leaves, by port; in words as `leavingText` has it, or without where the switch does not tell: for patch ports. */
  readonly outputs: readonly { readonly port: string; readonly frame?: string }[];
  /** Whether the frame went on in another bridge by a patch port: then what the first one did after that is not told. */
  readonly goesOn?: true;
}

/** A frame for a switch to trace. */
export interface TracedFrame {
  readonly bridge: string;
  /** In the words of ovs-ofctl(8), with names of ports. */
  readonly words: string;
  /** Connection states that it has each time it comes back from connection tracking, such as `trk,new`. */
  readonly states: readonly string[];
}

/** Fields of a packet's way, which no frame begins with. */
const UNTOLD: ReadonlySet<FieldName> = new Set([
  ...(['ct_state', 'ct_zone', 'ct_mark', 'metadata', 'nw_frag'] as const),
  ...(['reg0', 'reg1', 'reg2', 'reg3', 'reg4', 'reg5', 'reg6', 'reg7', 'dl_type', 'nw_proto', 'vlan_tci'] as const),
]);

function protocolOf({ dl_type, nw_proto }: Packet): Protocol | undefined {
  const found = Object.entries(protocols).find(
    ([, each]: readonly [string, { readonly dl_type: number; readonly nw_proto?: number }]) =>
      BigInt(each.dl_type) === dl_type &&
      (each.nw_proto === undefined ? undefined : BigInt(each.nw_proto)) === nw_proto,
  );
  return found?.[0] as Protocol | undefined;
}

/** Fields by the names that ofproto/trace demands, which are those of one protocol each. */
function nameOf(field: FieldName, protocol: string): string | undefined {
  const plain = protocol.replace(/6$/, '');
  if (field === 'tp_src' || field === 'tp_dst') {
    // The identifier of an ICMP echo is no field of Open vSwitch.
    return plain === 'icmp' ? undefined : field.replace('tp', plain);
  }
  return protocol === 'icmp6' ? field.replace(/^icmp/, 'icmpv6') : field;
}

function wordsOf(packet: Packet, mark: bigint): string {
  const protocol = protocolOf(packet) ?? '';
  const vlan = vlanIn(packet);
  const fields = fieldNames.flatMap((field) => {
    const value = packet[field];
    const name = nameOf(field, protocol);
    return value === undefined || name === undefined || UNTOLD.has(field) ? [] : [`${name}=${valueText(field, value)}`];
  });
  return [
    ...(mark === 0n ? [] : [`ct_mark=0x${mark.toString(16)}`]),
    protocol,
    ...(vlan === undefined ? [] : [`dl_vlan=${String(vlan)}`]),
    ...fields,
  ].join(',');
}

function textOf(packet: Packet, field: FieldName): string {
  return valueText(field, valueOf(packet, field));
}

function leaving(bridge: string, { port, packet }: Output): SwitchTrace['outputs'][number] {
  const { dl_type, nw_proto, tp_src = 0n, tp_dst = 0n } = packet;
  const isIpv6 = dl_type === 0x86ddn;
  const isArp = dl_type === 0x0806n;
  const [source, destination] = isArp
    ? (['arp_spa', 'arp_tpa'] as const)
    : isIpv6
      ? (['ipv6_src', 'ipv6_dst'] as const)
      : (['nw_src', 'nw_dst'] as const);
  const name = portName(bridge, port);
  const frame = leavingText({
    port: name,
    vlan: String(vlanIn(packet) ?? 'none'),
    dl_src: textOf(packet, 'dl_src'),
    dl_dst: textOf(packet, 'dl_dst'),
    source: textOf(packet, source),
    destination: textOf(packet, destination),
    ports: nw_proto === 6n || nw_proto === 17n || nw_proto === 132n ? ` ${String(tp_src)}:${String(tp_dst)}` : '',
  });
  return { port: name, frame };
}

const byText = (left: { readonly port: string; readonly frame?: string }, right: typeof left) =>
  `${left.port} ${left.frame ?? ''}` < `${right.port} ${right.frame ?? ''}` ? -1 : 1;

/** What the evaluator says, as a switch would. */
export function switchTraceOf(bridge: string, { steps, outputs }: Verdict): SwitchTrace {
  return {
    decisions: steps.flatMap((step) => {
      if (step.kind === 'flow') return [{ table: step.flow.table, priority: step.flow.priority }];
      return step.kind === 'no-flow' ? [{ table: step.table }] : [];
    }),
    outputs: outputs.map((output) => leaving(bridge, output)).sort(byText),
  };
}

/** Connection states as ofproto/trace takes them, of each time that the packet was tracked. */
function statesOf({ steps }: Verdict): readonly string[] {
  return steps.flatMap((step) =>
    step.kind === 'tracked'
      ? [connectionStates.filter((_, at) => ((step.state >> BigInt(at)) & 1n) === 1n).join(',')]
      : [],
  );
}

/** The connection of a packet, as it would be without translation: ofproto/trace does not undo that of replies. */
function untranslated(state: SwitchState, { packet, verdict }: BridgePass): Connection | undefined {
  const zones = verdict.steps.flatMap((step) => (step.kind === 'tracked' ? [step.zone] : []));
  for (const zone of zones) {
    const { connection, isReply } = track(state.connections, zone, packet);
    const tuple = newConnection([], zone, packet, undefined)?.original;
    if (connection === undefined || tuple === undefined) continue;
    const [original, reply] = isReply ? [inverted(tuple), tuple] : [tuple, inverted(tuple)];
    return { ...connection, original, reply };
  }
  return undefined;
}

/** The frame of a pass for a switch to trace, and what it is expected to say. */
export function expectedOf(pass: BridgePass): { readonly frame: TracedFrame; readonly expected: SwitchTrace } {
  const { bridge, packet, before } = pass;
  const connection = untranslated(before, pass);
  const verdict = connection === undefined ? pass.verdict : evaluate({ ...before, connections: [connection] }, packet);
  return {
    frame: {
      bridge,
      words: wordsOf(packet, connection?.mark ?? 0n).replace(
        /in_port=[^,]*/,
        `in_port=${portText(valueOf(packet, 'in_port'))}`,
      ),
      states: statesOf(verdict),
    },
    expected: switchTraceOf(bridge, verdict),
  };
}

function decisionText(decision: SwitchTrace['decisions'][number] | undefined): string {
  if (decision === undefined) return 'nothing more';
  const { table, priority } = decision;
  return `${tableName(table)} ${priority === undefined ? 'without a flow' : String(priority)}`;
}

function outputText({ port, frame }: SwitchTrace['outputs'][number]): string {
  return frame === undefined ? port : `${port} as ${frame}`;
}

function list(outputs: readonly string[]): string {
  return outputs.join(' and ') || 'no port';
}

/** Where two traces differ, in words; empty where they do not. */
export function differences(expected: SwitchTrace, found: SwitchTrace): readonly string[] {
  const length =
    found.goesOn === true ? found.decisions.length : Math.max(expected.decisions.length, found.decisions.length);
  const at = Array.from({ length }, (_, index) => index).find(
    (index) => decisionText(expected.decisions[index]) !== decisionText(found.decisions[index]),
  );
  const untold = new Set(found.outputs.flatMap(({ port, frame }) => (frame === undefined ? [port] : [])));
  // What leaves by a patch port is compared by the port alone.
  const told = (output: SwitchTrace['outputs'][number]) => (untold.has(output.port) ? output.port : outputText(output));
  const [wanted, is] = [expected.outputs.map(told), found.outputs.map(told)];
  const isSame =
    found.goesOn === true ? is.every((each) => wanted.includes(each)) : wanted.join('\n') === is.join('\n');
  return [
    ...(at === undefined
      ? []
      : [`expected ${decisionText(expected.decisions[at])}, the switch has ${decisionText(found.decisions[at])}`]),
    ...(isSame ? [] : [`expected to leave by ${list(wanted)}, the switch has ${list(is)}`]),
  ];
}
