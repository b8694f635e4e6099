/**
 * Services that are reached from the wire (OKEP-6019, "Service access").
 */
import type { ExposedPort } from '../../domain/dataplane/pipeline/bridge-input.ts';
import { bitsOf } from '../../domain/datapath/openflow/bits.ts';
import type { Match } from '../../domain/datapath/openflow/flow.ts';
import { stateOf } from '../../domain/datapath/switch-model/connection-tracking.ts';
import {
  evaluate,
  type Output,
  type SwitchState,
  type SwitchStep,
} from '../../domain/datapath/switch-model/evaluate.ts';
import { type Packet, valueOf } from '../../domain/datapath/switch-model/packet.ts';
import {
  type Attached,
  attachedTo,
  bridgeModel,
  exposedIn,
  type ExposingBridge,
  packetFrom,
  portNumber,
} from './bridge-model.ts';
import { isForExposed } from './other-networks.ts';
import { fail, isIn, outputWords, type PipelineProperty, PipelineViolation, words } from './property.ts';
import { answerOf, answers, answerTo, isFromInside, isOwn, nextHopOf } from './replies.ts';

/** A port of a Service, and its network. */
interface Exposed {
  readonly attached: Attached;
  readonly port: ExposedPort;
}

/** All ports of Services that are reached by a bridge. */
function allExposed(bridge: ExposingBridge): readonly Exposed[] {
  return attachedTo(bridge).flatMap((attached) => exposedIn(bridge, attached).map((port) => ({ attached, port })));
}

/** Whether a packet is from the wire, for the MAC address of an uplink in its VLAN. */
function isForUplink({ physicalPort }: ExposingBridge, { uplink }: Attached, packet: Packet): boolean {
  const tag = uplink.vlan === undefined ? 0n : 0x1000n | BigInt(uplink.vlan);
  return (
    valueOf(packet, 'in_port') === portNumber(physicalPort) &&
    valueOf(packet, 'dl_dst') === bitsOf('dl_dst', uplink.macAddress)?.value &&
    (valueOf(packet, 'vlan_tci') & 0x1fffn) === tag
  );
}

const isForPort = (packet: Packet, port: ExposedPort) => isForExposed(packet, { ...port, isOfService: false });

/** The port of a Service that a packet from the wire may reach. */
function acceptedBy(bridge: ExposingBridge, all: readonly Exposed[], packet: Packet): Exposed | undefined {
  return all.find(
    ({ attached, port }) =>
      isForUplink(bridge, attached, packet) &&
      isForPort(packet, port) &&
      (port.sources === undefined || isIn(packet, 'src', port.sources)),
  );
}

const KNOWN = stateOf('est') | stateOf('rel');

/** Whether a packet belongs to a connection that there was before. */
function isOfKnown(steps: readonly SwitchStep[]): boolean {
  return steps.some((step) => step.kind === 'tracked' && (step.state & KNOWN) !== 0n);
}

/** Whether a packet resolves addresses on the link, whose answers networks get. */
function isOfNeighbours({ dl_type, nw_proto, icmp_type }: Packet): boolean {
  return dl_type === 0x0806n || (nw_proto === 58n && icmp_type === 136n);
}

/** Checks what reaches a network by a packet that begins at the wire. */
function checkEntry(bridge: ExposingBridge, packet: Packet, outputs: readonly Output[], by: Exposed | undefined): void {
  for (const output of outputs) {
    const network = attachedTo(bridge).find((each) => portNumber(each.network.patchPort) === output.port)?.network;
    if (network === undefined || by?.attached.network === network) continue;
    const pods = [network.advertisedSubnets[4] ?? [], network.advertisedSubnets[6] ?? []].flat();
    if (isIn(packet, 'dst', pods)) continue;
    throw new PipelineViolation(`${words(packet)} reaches ${network.network} by ${outputWords([output])}`);
  }
}

export const onlyAcceptedEnters: PipelineProperty = {
  name: 'nothing leaks',
  promise:
    'What begins at the wire reaches a network by the addresses that it advertises or by a port of its Services, from where that may be reached, and at the address of a Service nothing else, the host neither',
  cover: { 'by a Service': 0.1, 'beside a Service': 0.02, 'from elsewhere': 0.01 },
  check: (pipeline, { bridge, packets }) => {
    const all = allExposed(bridge);
    const reached = new Set<string>();
    let state = bridgeModel(bridge, pipeline(bridge));
    for (const sent of packets) {
      const packet = packetFrom(sent);
      const { outputs, steps, after } = evaluate(state, packet);
      state = after;
      if (sent.in_port !== bridge.physicalPort || isOfNeighbours(packet) || isOfKnown(steps)) continue;
      const accepted = acceptedBy(bridge, all, packet);
      checkEntry(bridge, packet, outputs, accepted);
      if (accepted !== undefined) {
        if (outputs.length > 0) reached.add('by a Service');
        continue;
      }
      const refused = all.find(
        ({ attached, port }) => port.isOfService && isForUplink(bridge, attached, packet) && isForExposed(packet, port),
      );
      if (refused === undefined) continue;
      const [output] = outputs;
      if (output !== undefined) fail(sent, output, 'it is for the address of a Service, and may not reach it');
      reached.add(isForPort(packet, refused.port) ? 'from elsewhere' : 'beside a Service');
    }
    return [...reached];
  },
};

/** The answer of a Service to a packet that its network got. */
function answerOfService({ attached: { uplink, network } }: Exposed, packet: Packet): Packet {
  return { ...answerOf(packet, network.patchPort), dl_dst: nextHopOf(uplink, packet) };
}

/** Checks that an answer leaves by the wire alone, as it should be. */
function checkAnswer(bridge: ExposingBridge, request: Packet, answer: Packet, outputs: readonly Output[]): void {
  const [left, ...more] = outputs;
  const isRight =
    left?.port === portNumber(bridge.physicalPort) &&
    more.length === 0 &&
    answers(request, left.packet) &&
    valueOf(left.packet, 'dl_src') === valueOf(request, 'dl_dst') &&
    valueOf(left.packet, 'vlan_tci') === valueOf(request, 'vlan_tci');
  if (!isRight)
    throw new PipelineViolation(`the answer ${words(answer)} to ${words(request)} leaves by ${outputWords(outputs)}`);
}

/** Whether a packet of a network is as if one of its Services answered. What has the mark of egress IP traffic is translated, and leaves as that. */
function isFromService(all: readonly Exposed[], packet: Packet): boolean {
  if (valueOf(packet, 'pkt_mark') !== 0n) return false;
  return all.some(
    ({ attached, port: { family, address } }) =>
      portNumber(attached.network.patchPort) === valueOf(packet, 'in_port') &&
      (packet.dl_type === 0x0800n ? 4 : 6) === family &&
      isIn(packet, 'src', [address]),
  );
}

const hasPorts = ({ nw_proto }: Packet) => nw_proto === 6n || nw_proto === 17n || nw_proto === 132n;

export const sameWayBack: PipelineProperty = {
  name: 'same way back',
  promise:
    'What a Service answers to the wire leaves by the uplink that it was asked by, in its VLAN and from its MAC address, with the address and port that were asked; what it was not asked for does not leave',
  cover: { answered: 0.1, 'not asked for': 0.03 },
  check: (pipeline, { bridge, packets }) => {
    const all = allExposed(bridge);
    const reached = new Set<string>();
    const requests: Packet[] = [];
    let state = bridgeModel(bridge, pipeline(bridge));
    for (const sent of packets) {
      const packet = packetFrom(sent);
      const { outputs, steps, after } = evaluate(state, packet);
      state = after;
      if (isFromService(all, packet) && hasPorts(packet) && !requests.some((request) => answers(request, packet))) {
        const [output] = outputs;
        if (output !== undefined) fail(sent, output, 'no Service was asked for that');
        reached.add('not asked for');
      }
      const accepted = isOfKnown(steps) ? undefined : acceptedBy(bridge, all, packet);
      const [output] = outputs;
      if (accepted === undefined || output === undefined || isFromInside(bridge, packet)) continue;
      requests.push(packet);
      const answer = answerOfService(accepted, output.packet);
      const answered = evaluate(state, answer);
      state = answered.after;
      checkAnswer(bridge, packet, answer, answered.outputs);
      reached.add('answered');
    }
    return [...reached];
  },
};

/** The first packet of a connection, and its answer. */
interface Begun {
  readonly sent: Packet;
  readonly output: Output;
  readonly answer: Packet;
  /** Who began it, or was asked. */
  readonly of: 'a network' | 'the host' | 'a Service';
}

/** Checks that an answer comes back, and that further packets go where the first one went. */
function checkGoesOn({ sent, output, answer }: Begun, follow: (packet: Packet) => readonly Output[]): void {
  const back = follow(answer);
  if (back.length !== 1 || back[0]?.port !== valueOf(sent, 'in_port'))
    throw new PipelineViolation(`the answer ${words(answer)} to ${words(sent)} leaves by ${outputWords(back)}`);
  const again = follow(sent);
  if (again.length !== 1 || again[0]?.port !== output.port)
    throw new PipelineViolation(`${words(sent)} left by ${outputWords([output])}, and leaves by ${outputWords(again)}`);
}

/** The bridge with other ports at the addresses of its Services. */
function withOtherPorts(bridge: ExposingBridge): ExposingBridge {
  const exposed = Object.fromEntries(
    Object.entries(bridge.exposed ?? {}).map(([network, ports]) => [
      network,
      ports.map((port) => ({ ...port, port: 65_000 - port.port })),
    ]),
  );
  return { ...bridge, exposed };
}

/** The connection that a packet of a network, of the host, or for a Service has begun; undefined for none. */
function begunBy(
  bridge: ExposingBridge,
  all: readonly Exposed[],
  words: Match,
  [output, ...more]: readonly Output[],
): Begun | undefined {
  const sent = packetFrom(words);
  if (output === undefined || more.length > 0 || !hasPorts(sent) || isFromService(all, sent)) return undefined;
  if (isOwn(bridge, words) && output.port === portNumber(bridge.physicalPort)) {
    const isHost = bridge.uplinks.some(({ hostPort }) => hostPort === words.in_port);
    return { sent, output, answer: answerTo(output, bridge.physicalPort), of: isHost ? 'the host' : 'a network' };
  }
  const service = isFromInside(bridge, sent) ? undefined : acceptedBy(bridge, all, sent);
  return service !== undefined && output.port === portNumber(service.attached.network.patchPort)
    ? { sent, output, answer: answerOfService(service, output.packet), of: 'a Service' }
    : undefined;
}

export const ownConnectionsFirst: PipelineProperty = {
  name: 'own connections first',
  promise:
    'A packet of a connection of a pod, the host or a Service goes where its first ones went, whatever ports Services get or lose meanwhile',
  cover: { 'of a network': 0.2, 'of the host': 0.2, 'of a Service': 0.1, 'same port': 0.02 },
  check: (pipeline, { bridge, packets }) => {
    const all = allExposed(bridge);
    const reached = new Set<string>();
    const flowsOf = (each: ExposingBridge) => bridgeModel(bridge, pipeline(each)).flows;
    const [now, later, none] = [flowsOf(bridge), flowsOf(withOtherPorts(bridge)), flowsOf({ ...bridge, exposed: {} })];
    const begun: Begun[] = [];
    let state = bridgeModel(bridge, []);
    const follow = (flows: SwitchState['flows'], packet: Packet): readonly Output[] => {
      const { outputs, after } = evaluate({ ...state, flows }, packet);
      state = after;
      return outputs;
    };
    for (const sent of packets) {
      const packet = packetFrom(sent);
      // The host has the address of the uplink too: a packet that it sends as the answer of a Service takes the connection over.
      if (begun.some((each) => each.of === 'a Service' && answers(each.sent, packet))) continue;
      const first = begunBy(bridge, all, sent, follow(now, packet));
      if (first !== undefined) begun.push(first);
    }
    for (const flows of [now, later, none])
      for (const each of begun) {
        // The connections of a Service end with its last port.
        if (flows === none && each.of === 'a Service') continue;
        checkGoesOn(each, (packet) => follow(flows, packet));
        reached.add(`of ${each.of}`);
        if (each.of !== 'a Service' && all.some(({ port }) => isForPort(each.answer, port))) reached.add('same port');
      }
    return [...reached];
  },
};
