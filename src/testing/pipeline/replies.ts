import type { BridgeInput } from '../../domain/dataplane/pipeline/bridge-input.ts';
import type { Match } from '../../domain/openflow/flow.ts';
import { evaluate, type Output, type SwitchState } from '../../domain/switch-model/evaluate.ts';
import { type Packet, valueOf } from '../../domain/switch-model/packet.ts';
import { bridgeModel, packetFrom, portNumber } from './bridge-model.ts';
import { networksByPort, outputWords, type PipelineProperty, PipelineViolation, words } from './property.ts';

/** What answers a packet that left for the wire. */
export function answerTo({ packet }: Output, wire: string): Packet {
  const {
    dl_src = 0n,
    dl_dst = 0n,
    tp_src = 0n,
    tp_dst = 0n,
    nw_src = 0n,
    nw_dst = 0n,
    ipv6_src = 0n,
    ipv6_dst = 0n,
  } = packet;
  return {
    ...packet,
    in_port: portNumber(wire),
    dl_src: dl_dst,
    dl_dst: dl_src,
    tp_src: tp_dst,
    tp_dst: tp_src,
    ...(packet.dl_type === 0x0800n ? { nw_src: nw_dst, nw_dst: nw_src } : { ipv6_src: ipv6_dst, ipv6_dst: ipv6_src }),
  };
}

/** Whether a packet answers one that left. */
export function isAnswerTo({ packet }: Output, answer: Packet): boolean {
  return packet.dl_type === answer.dl_type && packet.nw_proto === answer.nw_proto && answers(packet, answer);
}

/** Whether a packet answers another: addresses and ports are the other way round. */
function answers(sent: Packet, answer: Packet): boolean {
  return (['nw_src', 'ipv6_src', 'tp_src'] as const).every((field) => {
    const opposite = field.replace('src', 'dst') as typeof field;
    return valueOf(sent, field) === valueOf(answer, opposite) && valueOf(sent, opposite) === valueOf(answer, field);
  });
}

/** Whether a packet is one that a network sends, or a host from its own address and MAC. */
function isOwn(bridge: BridgeInput, sent: Match): boolean {
  if (networksByPort(bridge).has(sent.in_port ?? '')) return true;
  const uplink = bridge.uplinks.find(({ hostPort }) => hostPort === sent.in_port);
  return (
    uplink !== undefined &&
    uplink.networks.length > 0 &&
    sent.dl_src === uplink.macAddress &&
    sent.dl_vlan === undefined &&
    [uplink.addresses[4], uplink.addresses[6]].includes(sent.nw_src ?? sent.ipv6_src)
  );
}

export const repliesReturn: PipelineProperty = {
  name: 'replies return',
  promise:
    'The reply to every TCP or UDP packet that leaves comes back to where it began, with the addresses and ports of there',
  cover: { 'from a network': 0.3, 'from the host': 0.3 },
  check: (pipeline, { bridge, packets }) => {
    let state: SwitchState = bridgeModel(bridge, pipeline(bridge));
    const left: { readonly sent: Match; readonly output: Output }[] = [];
    for (const sent of packets) {
      const { outputs, after } = evaluate(state, packetFrom(sent));
      state = after;
      const isConnection = ['tcp', 'udp', 'tcp6', 'udp6'].includes(sent.protocol ?? '');
      const output = outputs.find(({ port }) => port === portNumber(bridge.physicalPort));
      if (isConnection && output !== undefined && isOwn(bridge, sent)) left.push({ sent, output });
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
    const networks = networksByPort(bridge);
    const isOfNetwork = left.map(({ sent }) => networks.has(sent.in_port ?? ''));
    return [
      ...(isOfNetwork.includes(true) ? ['from a network'] : []),
      ...(isOfNetwork.includes(false) ? ['from the host'] : []),
    ];
  },
};
