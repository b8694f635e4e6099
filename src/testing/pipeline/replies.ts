/**
 * Replies come back to who began the connection, whether it began on the node or outside.
 */
import type { BridgeInput, UplinkInput } from '../../domain/dataplane/pipeline/bridge-input.ts';
import { ANY_VIRTUAL_MAC, virtualMacOf } from '../../domain/dataplane/pipeline/virtual-mac.ts';
import { bitsOf } from '../../domain/datapath/openflow/bits.ts';
import type { Match } from '../../domain/datapath/openflow/flow.ts';
import { evaluate, type Output, type SwitchState } from '../../domain/datapath/switch-model/evaluate.ts';
import { type Packet, valueOf } from '../../domain/datapath/switch-model/packet.ts';
import { attachedTo, bridgeModel, packetFrom, portNumber } from './bridge-model.ts';
import { isIn, networksByPort, outputWords, type PipelineProperty, PipelineViolation, words } from './property.ts';

/** The type of the reply to each ICMP echo request (RFC 792, RFC 4443). */
const echoReplies: ReadonlyMap<bigint, bigint> = new Map([
  [8n, 0n],
  [128n, 129n],
]);

/** The answer of the receiver of a packet, without the mark that it may have in this node. Both directions of an ICMP echo have its identifier, in `tp_src`. */
export function answerOf(packet: Packet, inPort: string): Packet {
  const { dl_src = 0n, dl_dst = 0n, tp_src = 0n, tp_dst = 0n, nw_src = 0n, nw_dst = 0n, ...rest } = packet;
  const { ipv6_src = 0n, ipv6_dst = 0n } = packet;
  const { pkt_mark: _mark, ...unmarked } = rest;
  const reply = isEcho(packet) ? echoReplies.get(valueOf(packet, 'icmp_type')) : undefined;
  return {
    ...unmarked,
    in_port: portNumber(inPort),
    dl_src: dl_dst,
    dl_dst: dl_src,
    ...(reply === undefined ? { tp_src: tp_dst, tp_dst: tp_src } : { tp_src, icmp_type: reply }),
    ...(packet.dl_type === 0x0800n ? { nw_src: nw_dst, nw_dst: nw_src } : { ipv6_src: ipv6_dst, ipv6_dst: ipv6_src }),
  };
}

/** The answer to a packet that left for the wire. */
export function answerTo({ packet }: Output, wire: string): Packet {
  return answerOf(packet, wire);
}

/** Whether it is an ICMP echo request. */
function isEcho({ nw_proto, icmp_type = 0n }: Packet): boolean {
  return (nw_proto === 1n && icmp_type === 8n) || (nw_proto === 58n && icmp_type === 128n);
}

/** The protocol of a packet that begins a connection; undefined for others. */
function protocolOf(packet: Packet): 'TCP' | 'UDP' | 'echo' | undefined {
  if (isEcho(packet)) return 'echo';
  if (packet.nw_proto === 6n) return 'TCP';
  return packet.nw_proto === 17n ? 'UDP' : undefined;
}

/** Whether a packet answers one that left. */
export function isAnswerTo({ packet }: Output, answer: Packet): boolean {
  return packet.dl_type === answer.dl_type && packet.nw_proto === answer.nw_proto && answers(packet, answer);
}

/** Whether a packet answers another: addresses and ports are the other way round, or the identifier of the echo is the same. */
export function answers(sent: Packet, answer: Packet): boolean {
  const expected = answerOf(sent, 'LOCAL');
  return (['nw_src', 'nw_dst', 'ipv6_src', 'ipv6_dst', 'tp_src', 'tp_dst', 'icmp_type'] as const).every(
    (field) => valueOf(expected, field) === valueOf(answer, field),
  );
}

/**
 * Whether a packet is one that a network sends, or a host from its own address and MAC. A gateway router begins no connection from the address of the uplink itself, which would be one of the
 * host.
 */
export function isOwn(bridge: BridgeInput, sent: Match): boolean {
  const source = sent.nw_src ?? sent.ipv6_src;
  const attached = networksByPort(bridge).get(sent.in_port ?? '');
  if (attached !== undefined) return ![attached.uplink.addresses[4], attached.uplink.addresses[6]].includes(source);
  const uplink = bridge.uplinks.find(({ hostPort }) => hostPort === sent.in_port);
  return (
    uplink !== undefined &&
    uplink.networks.length > 0 &&
    sent.dl_src === uplink.macAddress &&
    sent.dl_vlan === undefined &&
    [uplink.addresses[4], uplink.addresses[6]].includes(source)
  );
}

export const repliesReturn: PipelineProperty = {
  name: 'replies return',
  promise:
    'The reply to every TCP or UDP packet and every ICMP echo that leaves comes back to where it began, with the addresses and ports of there',
  cover: { 'from a network': 0.3, 'from the host': 0.3, 'echo of a network': 0.1, 'echo of the host': 0.1 },
  check: (pipeline, { bridge, packets }) => {
    let state: SwitchState = bridgeModel(bridge, pipeline(bridge));
    const reached = new Set<string>();
    const networks = networksByPort(bridge);
    const left: { readonly sent: Match; readonly output: Output }[] = [];
    for (const sent of packets) {
      const { outputs, after } = evaluate(state, packetFrom(sent));
      state = after;
      const output = outputs.find(({ port }) => port === portNumber(bridge.physicalPort));
      const protocol = protocolOf(packetFrom(sent));
      if (protocol === undefined || output === undefined || !isOwn(bridge, sent)) continue;
      left.push({ sent, output });
      const origin = networks.has(sent.in_port ?? '') ? 'a network' : 'the host';
      reached.add(`from ${origin}`).add(`${protocol} of ${origin}`);
    }
    for (const { sent, output } of left) {
      const answer = answerTo(output, bridge.physicalPort);
      const { outputs, after } = evaluate(state, answer);
      state = after;
      const [back, ...more] = outputs;
      const isBack =
        back?.port === portNumber(sent.in_port ?? '') && more.length === 0 && answers(packetFrom(sent), back.packet);
      if (!isBack) {
        throw new PipelineViolation(
          `the reply ${words(answer)} to ${JSON.stringify(sent)} leaves by ${outputWords(outputs)}`,
        );
      }
    }
    return [...reached];
  },
};

const virtualMacs = bitsOf('dl_src', ANY_VIRTUAL_MAC);

/**
 * Whether a packet comes from an address that only the node or the services of the cluster have, or a MAC address that only gateway routers know: none
 * from outside does.
 */
export function isFromInside(bridge: BridgeInput, packet: Packet): boolean {
  const { uplinkAddresses, encapsulationAddresses, masqueradeSubnets, serviceSubnets } = bridge;
  if (virtualMacs !== undefined && (valueOf(packet, 'dl_src') & virtualMacs.mask) === virtualMacs.value) return true;
  return ([4, 6] as const).some((family) =>
    isIn(packet, 'src', [
      ...(uplinkAddresses[family] ?? []),
      ...(encapsulationAddresses[family] ?? []),
      masqueradeSubnets[family],
      ...(serviceSubnets[family] ?? []),
    ]),
  );
}

/** The MAC address that a gateway router sends to: the virtual one of a neighbour, else that of the sender. */
export function nextHopOf({ neighbours: [neighbour] }: UplinkInput, request: Packet): bigint {
  const virtual = neighbour && bitsOf('dl_dst', virtualMacOf(neighbour.address))?.value;
  return virtual ?? valueOf(request, 'dl_src');
}

/** Who answers a request from the wire that the bridge has output, and what; undefined if neither host nor network was asked. */
function answerInside(bridge: BridgeInput, { port, packet }: Output): readonly [by: string, Packet] | undefined {
  const pods = attachedTo(bridge).find(
    ({ network }) =>
      port === portNumber(network.patchPort) &&
      isIn(packet, 'dst', [network.advertisedSubnets[4] ?? [], network.advertisedSubnets[6] ?? []].flat()),
  );
  if (pods !== undefined) {
    return ['a pod', { ...answerOf(packet, pods.network.patchPort), dl_dst: nextHopOf(pods.uplink, packet) }];
  }
  const host = bridge.uplinks.find(
    ({ hostPort, macAddress, addresses, networks }) =>
      port === portNumber(hostPort) &&
      networks.length > 0 &&
      valueOf(packet, 'dl_dst') === bitsOf('dl_dst', macAddress)?.value &&
      isIn(packet, 'dst', [addresses[4], addresses[6]]),
  );
  return host && ['the host', answerOf(packet, host.hostPort)];
}

export const answersLeave: PipelineProperty = {
  name: 'answers leave',
  promise:
    'What the host or an advertised pod answers to the wire leaves by the physical port alone, from the address and port that were asked, in the VLAN of the request',
  cover: { 'TCP of the host': 0.05, 'echo of the host': 0.05, 'TCP of a pod': 0.02, 'echo of a pod': 0.02 },
  check: (pipeline, { bridge, packets }) => {
    let state: SwitchState = bridgeModel(bridge, pipeline(bridge));
    const reached = new Set<string>();
    const wire = portNumber(bridge.physicalPort);
    for (const sent of packets) {
      const request = packetFrom(sent);
      const { outputs, after } = evaluate(state, request);
      state = after;
      const protocol = protocolOf(request);
      const [output] = outputs;
      if (sent.in_port !== bridge.physicalPort || protocol === undefined || output === undefined) continue;
      const answer = isFromInside(bridge, request) ? undefined : answerInside(bridge, output);
      if (answer === undefined) continue;
      const [by, packet] = answer;
      const answered = evaluate(state, packet);
      state = answered.after;
      const [left, ...more] = answered.outputs;
      const isRight =
        left?.port === wire &&
        more.length === 0 &&
        answers(request, left.packet) &&
        valueOf(left.packet, 'vlan_tci') === valueOf(request, 'vlan_tci');
      if (!isRight) {
        throw new PipelineViolation(
          `the answer ${words(packet)} to ${JSON.stringify(sent)} leaves by ${outputWords(answered.outputs)}`,
        );
      }
      reached.add(`${protocol} of ${by}`);
    }
    return [...reached];
  },
};
