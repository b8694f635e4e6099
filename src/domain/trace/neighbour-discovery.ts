/**
 * How a gateway router learns the MAC address of a neighbour that is none of the default gateways: it asks through the bridge, and the neighbour answers
 * (docs/design/flows.md, "Neighbours").
 */
import { linkLocalAddressOf } from '../ip-address.ts';
import { portText, valueText } from '../openflow/bits.ts';
import type { Output, SwitchState } from '../switch-model/evaluate.ts';
import { type Packet, valueOf } from '../switch-model/packet.ts';
import { type BridgePass, passBridge } from './bridge-pass.ts';
import { bitsIn } from './packet.ts';

/** The two sides of a question, and the port of each. */
export interface Question {
  readonly bridge: string;
  /** The router's port, its MAC address and its address. */
  readonly from: { readonly port: string; readonly macAddress: string; readonly address: string };
  /** The wire's port, the neighbour's MAC address and its address. */
  readonly to: { readonly port: string; readonly macAddress: string; readonly address: string };
  /** Tag of the frames, as in `vlan_tci`. */
  readonly tag: bigint;
  readonly family: 4 | 6;
}

/** What came of it. */
export interface Answer {
  readonly after: SwitchState;
  readonly question: BridgePass;
  /** Absent where the bridge answered, or where the question did not get out. */
  readonly answer?: BridgePass;
  /** The MAC address that the router uses for the neighbour; absent where it gets none. */
  readonly macAddress?: string;
}

const BROADCAST = 'ff:ff:ff:ff:ff:ff';
const ARP = 0x0806n;
const IPV6 = 0x86ddn;
const ICMP6 = 58n;

function arp({ from, to, tag }: Question, isAnswer: boolean): Packet {
  const [sender, target] = isAnswer ? [to, from] : [from, to];
  return {
    in_port: bitsIn('in_port', sender.port),
    vlan_tci: tag,
    dl_src: bitsIn('dl_src', sender.macAddress),
    dl_dst: bitsIn('dl_dst', isAnswer ? target.macAddress : BROADCAST),
    dl_type: ARP,
    arp_op: isAnswer ? 2n : 1n,
    arp_spa: bitsIn('arp_spa', sender.address),
    arp_tpa: bitsIn('arp_tpa', target.address),
    arp_sha: bitsIn('arp_sha', sender.macAddress),
    arp_tha: isAnswer ? bitsIn('arp_tha', target.macAddress) : 0n,
  };
}

/** The multicast addresses of those whose addresses end in the same 24 bits (RFC 4291, section 2.7.1; RFC 2464, section 7). */
function solicitedNode(address: bigint): { readonly address: bigint; readonly macAddress: bigint } {
  const last = address & 0xff_ffffn;
  return { address: bitsIn('ipv6_dst', 'ff02::1:ff00:0') | last, macAddress: 0x3333_ff00_0000n | last };
}

function neighbourDiscovery({ from, to, tag }: Question, isAnswer: boolean): Packet {
  const [sender, receiver] = isAnswer ? [to, from] : [from, to];
  const target = bitsIn('nd_target', to.address);
  const group = solicitedNode(target);
  const receiverAddress = linkLocalAddressOf(receiver.macAddress) ?? receiver.address;
  return {
    in_port: bitsIn('in_port', sender.port),
    vlan_tci: tag,
    dl_src: bitsIn('dl_src', sender.macAddress),
    dl_dst: isAnswer ? bitsIn('dl_dst', receiver.macAddress) : group.macAddress,
    dl_type: IPV6,
    nw_proto: ICMP6,
    nw_ttl: 255n,
    ipv6_src: bitsIn('ipv6_src', isAnswer ? to.address : (linkLocalAddressOf(from.macAddress) ?? from.address)),
    ipv6_dst: isAnswer ? bitsIn('ipv6_dst', receiverAddress) : group.address,
    icmp_type: isAnswer ? 136n : 135n,
    nd_target: target,
    ...(isAnswer ? { nd_tll: bitsIn('nd_tll', sender.macAddress) } : { nd_sll: bitsIn('nd_sll', sender.macAddress) }),
  };
}

function at(outputs: readonly Output[], port: string): Packet | undefined {
  return outputs.find((output) => portText(output.port) === port)?.packet;
}

/** The MAC address that an answer tells the router. */
function toldIn(packet: Packet, family: 4 | 6): string {
  return family === 4
    ? valueText('arp_sha', valueOf(packet, 'arp_sha'))
    : valueText('nd_tll', valueOf(packet, 'nd_tll'));
}

/** Has a router ask for a neighbour, which answers if it is asked. */
export function askForNeighbour(before: SwitchState, asked: Question): Answer {
  const frame = asked.family === 4 ? arp : neighbourDiscovery;
  const question = passBridge(asked.bridge, before, frame(asked, false));
  const { outputs, after } = question.verdict;
  // A bridge that knows the neighbour answers in its place.
  const fromBridge = at(outputs, asked.from.port);
  if (fromBridge !== undefined) return { after, question, macAddress: toldIn(fromBridge, asked.family) };
  if (at(outputs, asked.to.port) === undefined) return { after, question };
  const answer = passBridge(asked.bridge, after, frame(asked, true));
  const given = at(answer.verdict.outputs, asked.from.port);
  return {
    after: answer.verdict.after,
    question,
    answer,
    ...(given && { macAddress: toldIn(given, asked.family) }),
  };
}
