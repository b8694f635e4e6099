/**
 * Output to NORMAL: the bridge learns the port of the sender, and outputs the frame to the port of the receiver or to all ports of the VLAN
 * (ovs-actions(7), normal).
 */
import { VLAN_PRESENT } from '../openflow/constraints.ts';
import { type Packet, valueOf } from './packet.ts';

/** A port of the bridge. */
export interface ModelPort {
  /** Its OpenFlow number. */
  readonly number: bigint;
  /** VLAN of an access port; absent on trunks, which carry all VLANs. */
  readonly accessVlan?: number;
  /** Whether flooded frames are not sent to it (`no-flood`). */
  readonly isNoFlood?: true;
}

/** The port on which a MAC address of a VLAN has been seen. */
export interface LearnedAddress {
  readonly vlan: bigint;
  readonly macAddress: bigint;
  readonly port: bigint;
  /** Whether it is static (ovs-appctl fdb/add). */
  readonly isStatic?: true;
}

/** The bits of `vlan_tci` that hold the VLAN id. */
const VLAN_BITS = 0xfffn;

/** The bit of broadcast and multicast MAC addresses (IEEE 802.3, section 3.2.3). */
const MULTICAST_BIT = 1n << 40n;

function tagOf(packet: Packet): bigint {
  const tag = valueOf(packet, 'vlan_tci');
  return (tag & VLAN_PRESENT) === 0n ? 0n : tag & VLAN_BITS;
}

/** The VLAN of a frame that comes in by a port; undefined if the port drops it. */
export function vlanOf(packet: Packet, port: ModelPort): bigint | undefined {
  const tag = tagOf(packet);
  if (port.accessVlan === undefined) return tag;
  return tag === 0n ? BigInt(port.accessVlan) : undefined;
}

/** The frame as output to a port. */
export function leaving(packet: Packet, vlan: bigint, port: ModelPort): Packet {
  const isTagged = port.accessVlan === undefined && vlan !== 0n;
  return { ...packet, vlan_tci: isTagged ? VLAN_PRESENT | vlan : 0n };
}

/** The ports that a frame is output to. */
export interface Forwarded {
  readonly outputs: readonly { readonly port: bigint; readonly packet: Packet }[];
  readonly addresses: readonly LearnedAddress[];
}

/** Forwards a frame. */
export function forward(packet: Packet, ports: readonly ModelPort[], addresses: readonly LearnedAddress[]): Forwarded {
  const from = valueOf(packet, 'in_port');
  const inPort = ports.find(({ number }) => number === from);
  const vlan = inPort && vlanOf(packet, inPort);
  if (vlan === undefined) return { outputs: [], addresses };
  const [source, destination] = [valueOf(packet, 'dl_src'), valueOf(packet, 'dl_dst')];
  const isOfSource = (address: LearnedAddress) => address.vlan === vlan && address.macAddress === source;
  const isFixed =
    (source & MULTICAST_BIT) !== 0n || addresses.some((address) => isOfSource(address) && address.isStatic);
  const learned = isFixed
    ? addresses
    : [...addresses.filter((address) => !isOfSource(address)), { vlan, macAddress: source, port: from }];
  const known = addresses.find((address) => address.vlan === vlan && address.macAddress === destination);
  const carries = ({ accessVlan }: ModelPort) => accessVlan === undefined || BigInt(accessVlan) === vlan;
  const targets =
    known === undefined
      ? ports.filter((port) => carries(port) && port.isNoFlood !== true)
      : ports.filter((port) => port.number === known.port && carries(port));
  return {
    addresses: learned,
    outputs: targets
      .filter(({ number }) => number !== from)
      .map((port) => ({ port: port.number, packet: leaving(packet, vlan, port) })),
  };
}
