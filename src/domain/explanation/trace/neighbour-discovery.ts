/**
 * How a gateway router learns the MAC address of a neighbour that is not a default gateway: it asks through the bridge, and the neighbour replies
 * (docs/design/flows.md, "Neighbours").
 */
import { linkLocalAddressOf } from '../../basics/addresses/ip-address.ts';
import { portText, valueText } from '../../datapath/openflow/bits.ts';
import type { Output, SwitchState } from '../../datapath/switch-model/evaluate.ts';
import { type Packet, valueOf } from '../../datapath/switch-model/packet.ts';
import { type BridgePass, passBridge } from './bridge-pass.ts';
import { bitsIn } from './packet.ts';

/** A router that asks for a neighbour, and the port of each. */
export interface NeighbourRequest {
  readonly bridge: string;
  /** Port, MAC address and IP address. */
  readonly router: { readonly port: string; readonly macAddress: string; readonly address: string };
  readonly neighbour: { readonly port: string; readonly macAddress: string; readonly address: string };
  /** Tag of the frames, as in `vlan_tci`. */
  readonly tag: bigint;
  readonly family: 4 | 6;
}

/** The outcome in bridge and router when the router asked. */
export interface NeighbourReply {
  /** The bridge afterwards. */
  readonly after: SwitchState;
  readonly request: BridgePass;
  /** Absent where the bridge answered, or where the request did not leave. */
  readonly reply?: BridgePass;
  /** The MAC address that the router learns for the neighbour; absent where it gets no reply. */
  readonly learned?: string;
}

const BROADCAST = 'ff:ff:ff:ff:ff:ff';
const ARP = 0x0806n;
const IPV6 = 0x86ddn;
const ICMP6 = 58n;

function arp({ router, neighbour, tag }: NeighbourRequest, isReply: boolean): Packet {
  const [sender, target] = isReply ? [neighbour, router] : [router, neighbour];
  return {
    in_port: bitsIn('in_port', sender.port),
    vlan_tci: tag,
    dl_src: bitsIn('dl_src', sender.macAddress),
    dl_dst: bitsIn('dl_dst', isReply ? target.macAddress : BROADCAST),
    dl_type: ARP,
    arp_op: isReply ? 2n : 1n,
    arp_spa: bitsIn('arp_spa', sender.address),
    arp_tpa: bitsIn('arp_tpa', target.address),
    arp_sha: bitsIn('arp_sha', sender.macAddress),
    arp_tha: isReply ? bitsIn('arp_tha', target.macAddress) : 0n,
  };
}

/** The solicited-node multicast address of an address, and its MAC address (RFC 4291, section 2.7.1; RFC 2464, section 7). */
function solicitedNode(address: bigint): { readonly address: bigint; readonly macAddress: bigint } {
  const last = address & 0xff_ffffn;
  return { address: bitsIn('ipv6_dst', 'ff02::1:ff00:0') | last, macAddress: 0x3333_ff00_0000n | last };
}

function neighbourDiscovery({ router, neighbour, tag }: NeighbourRequest, isReply: boolean): Packet {
  const [sender, receiver] = isReply ? [neighbour, router] : [router, neighbour];
  const target = bitsIn('nd_target', neighbour.address);
  const group = solicitedNode(target);
  const receiverAddress = linkLocalAddressOf(receiver.macAddress) ?? receiver.address;
  return {
    in_port: bitsIn('in_port', sender.port),
    vlan_tci: tag,
    dl_src: bitsIn('dl_src', sender.macAddress),
    dl_dst: isReply ? bitsIn('dl_dst', receiver.macAddress) : group.macAddress,
    dl_type: IPV6,
    nw_proto: ICMP6,
    nw_ttl: 255n,
    ipv6_src: bitsIn(
      'ipv6_src',
      isReply ? neighbour.address : (linkLocalAddressOf(router.macAddress) ?? router.address),
    ),
    ipv6_dst: isReply ? bitsIn('ipv6_dst', receiverAddress) : group.address,
    icmp_type: isReply ? 136n : 135n,
    nd_target: target,
    ...(isReply ? { nd_tll: bitsIn('nd_tll', sender.macAddress) } : { nd_sll: bitsIn('nd_sll', sender.macAddress) }),
  };
}

function outputBy(outputs: readonly Output[], port: string): Packet | undefined {
  return outputs.find((output) => portText(output.port) === port)?.packet;
}

/** The MAC address that a reply has for the neighbour. */
function macIn(packet: Packet, family: 4 | 6): string {
  return family === 4
    ? valueText('arp_sha', valueOf(packet, 'arp_sha'))
    : valueText('nd_tll', valueOf(packet, 'nd_tll'));
}

/** Has a router ask for a neighbour, which replies if the request reaches it. */
export function askForNeighbour(before: SwitchState, asked: NeighbourRequest): NeighbourReply {
  const { bridge, family, router, neighbour } = asked;
  const frame = family === 4 ? arp : neighbourDiscovery;
  const request = passBridge(bridge, before, frame(asked, false));
  const { outputs, after } = request.verdict;
  // A bridge that knows the neighbour answers in its place.
  const fromBridge = outputBy(outputs, router.port);
  if (fromBridge !== undefined) return { after, request, learned: macIn(fromBridge, family) };
  if (outputBy(outputs, neighbour.port) === undefined) return { after, request };
  const reply = passBridge(bridge, after, frame(asked, true));
  const received = outputBy(reply.verdict.outputs, router.port);
  return { after: reply.verdict.after, request, reply, ...(received && { learned: macIn(received, family) }) };
}
