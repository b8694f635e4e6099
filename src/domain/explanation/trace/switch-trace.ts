/**
 * Compares what a running switch would do with a frame (ovs-vswitchd(8), ofproto/trace) with the result of the switch model.
 */
import { connectionStates, portText, valueText } from '../../datapath/openflow/bits.ts';
import { type FieldName, fieldNames, type Protocol, protocols } from '../../datapath/openflow/fields.ts';
import { evaluate, type Output, type SwitchState, type Verdict } from '../../datapath/switch-model/evaluate.ts';
import {
  type TrackedConnection,
  inverted,
  newConnection,
  track,
} from '../../datapath/switch-model/connection-tracking.ts';
import { type Packet, valueOf } from '../../datapath/switch-model/packet.ts';
import { type BridgePass, portName, tableName } from './bridge-pass.ts';
import { vlanIn } from './packet.ts';

/** The fields of an output frame that are compared. */
export interface OutputFrame {
  readonly port: string;
  readonly vlan: string;
  readonly dl_src: string;
  readonly dl_dst: string;
  readonly source: string;
  readonly destination: string;
  /** Ports of TCP and UDP, such as ` 40000:443`; empty for other protocols. */
  readonly ports: string;
}

/** An output frame as text, without its port. */
export function outputFrameText({ vlan, dl_src, dl_dst, source, destination, ports }: OutputFrame): string {
  return `VLAN ${vlan}, ${dl_src} > ${dl_dst}, ${source}${ports} > ${destination}`;
}

/** The outcome of a frame in a switch. */
export interface SwitchTrace {
  /** The flows of the bridge that the frame matches, in order; without a priority if none of a table matches. */
  readonly decisions: readonly { readonly table: number; readonly priority?: number }[];
  /** The output frames, as text of `outputFrameText`; without text for patch ports, for which the switch does not print it. */
  readonly outputs: readonly { readonly port: string; readonly frame?: string }[];
  /** Whether a patch port took the frame to another bridge: what the first one did after that is not printed. */
  readonly continuesElsewhere?: true;
}

/** A frame for a switch to trace. */
export interface TracedFrame {
  readonly bridge: string;
  /** In the syntax of ovs-fields(7), with names of ports. */
  readonly words: string;
  /** Its connection states after each connection tracking, such as `trk,new`. */
  readonly states: readonly string[];
}

/** Fields that only the pipeline sets, and those that the name of the protocol and `dl_vlan` stand for. */
const OMITTED: ReadonlySet<FieldName> = new Set([
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

/** The name of a field for ofproto/trace, which depends on the protocol. */
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
    return value === undefined || name === undefined || OMITTED.has(field)
      ? []
      : [`${name}=${valueText(field, value)}`];
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

function outputFrame(bridge: string, { port, packet }: Output): SwitchTrace['outputs'][number] {
  const { dl_type, nw_proto, tp_src = 0n, tp_dst = 0n } = packet;
  const isIpv6 = dl_type === 0x86ddn;
  const isArp = dl_type === 0x0806n;
  const [source, destination] = isArp
    ? (['arp_spa', 'arp_tpa'] as const)
    : isIpv6
      ? (['ipv6_src', 'ipv6_dst'] as const)
      : (['nw_src', 'nw_dst'] as const);
  const name = portName(bridge, port);
  const frame = outputFrameText({
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

/** The result of the switch model in the form of a running switch. */
export function switchTraceOf(bridge: string, { steps, outputs }: Verdict): SwitchTrace {
  return {
    decisions: steps.flatMap((step) => {
      if (step.kind === 'flow') return [{ table: step.flow.table, priority: step.flow.priority }];
      return step.kind === 'no-flow' ? [{ table: step.table }] : [];
    }),
    outputs: outputs.map((output) => outputFrame(bridge, output)).sort(byText),
  };
}

/** Connection states for ofproto/trace, after each connection tracking. */
function statesOf({ steps }: Verdict): readonly string[] {
  return steps.flatMap((step) =>
    step.kind === 'tracked'
      ? [connectionStates.filter((_, at) => ((step.state >> BigInt(at)) & 1n) === 1n).join(',')]
      : [],
  );
}

/** The connection of a packet as it would be without translation: ofproto/trace does not reverse the translation of replies. */
function untranslated(state: SwitchState, { packet, verdict }: BridgePass): TrackedConnection | undefined {
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

/** A frame for a running switch to trace, and the expected result. */
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

/** Where two results differ, for people; empty if they do not. */
export function differences(expected: SwitchTrace, found: SwitchTrace): readonly string[] {
  const length =
    found.continuesElsewhere === true
      ? found.decisions.length
      : Math.max(expected.decisions.length, found.decisions.length);
  const at = Array.from({ length }, (_, index) => index).find(
    (index) => decisionText(expected.decisions[index]) !== decisionText(found.decisions[index]),
  );
  const unprinted = new Set(found.outputs.flatMap(({ port, frame }) => (frame === undefined ? [port] : [])));
  // Of output by a patch port, only the port is compared.
  const printed = (output: SwitchTrace['outputs'][number]) =>
    unprinted.has(output.port) ? output.port : outputText(output);
  const [wanted, is] = [expected.outputs.map(printed), found.outputs.map(printed)];
  const isSame =
    found.continuesElsewhere === true ? is.every((each) => wanted.includes(each)) : wanted.join('\n') === is.join('\n');
  return [
    ...(at === undefined
      ? []
      : [`expected ${decisionText(expected.decisions[at])}, the switch has ${decisionText(found.decisions[at])}`]),
    ...(isSame ? [] : [`expected to leave by ${list(wanted)}, the switch has ${list(is)}`]),
  ];
}
