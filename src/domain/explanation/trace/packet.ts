/**
 * A packet as a person writes it, and as a switch sees it.
 */
import { bitsOf, valueText } from '../../datapath/openflow/bits.ts';
import { VLAN_PRESENT } from '../../datapath/openflow/constraints.ts';
import type { FieldName } from '../../datapath/openflow/fields.ts';
import { type Packet, valueOf } from '../../datapath/switch-model/packet.ts';

/** Protocols that can be traced; `icmp` and `icmp6` stand for an echo request. */
export const tracedProtocols = ['tcp', 'udp', 'sctp', 'icmp', 'icmp6'] as const;

export type TracedProtocol = (typeof tracedProtocols)[number];

/** A packet as a person writes it. */
export interface TracedPacket {
  readonly protocol: TracedProtocol;
  readonly family: 4 | 6;
  readonly source: string;
  readonly destination: string;
  /** Absent for ICMP. */
  readonly ports?: { readonly source: number; readonly destination: number };
  /** Whether it is an ICMP echo reply. */
  readonly isEchoReply?: true;
}

/** The packet in the opposite direction: its reply. */
export function reversed(packet: TracedPacket): TracedPacket {
  const { source, destination, ports, isEchoReply, ...rest } = packet;
  const isIcmp = ports === undefined;
  return {
    ...rest,
    source: destination,
    destination: source,
    ...(ports && { ports: { source: ports.destination, destination: ports.source } }),
    ...(isIcmp && isEchoReply !== true && { isEchoReply: true as const }),
  };
}

function endText(family: 4 | 6, address: string, port: number | undefined): string {
  if (port === undefined) return address;
  return family === 6 ? `[${address}]:${String(port)}` : `${address}:${String(port)}`;
}

/** A packet as a person writes it. */
export function packetText({ protocol, family, source, destination, ports, isEchoReply }: TracedPacket): string {
  const name = isEchoReply === true ? `${protocol} reply` : protocol;
  return `${name} ${endText(family, source, ports?.source)} > ${endText(family, destination, ports?.destination)}`;
}

const protocolNumbers: Readonly<Record<TracedProtocol, bigint>> = {
  tcp: 6n,
  udp: 17n,
  sctp: 132n,
  icmp: 1n,
  icmp6: 58n,
};

const protocolNames: ReadonlyMap<bigint, TracedProtocol> = new Map(
  tracedProtocols.map((name) => [protocolNumbers[name], name]),
);

/** ICMP types of echo requests and replies (RFC 792, RFC 4443). */
const echoTypes = { icmp: { request: 8n, reply: 0n }, icmp6: { request: 128n, reply: 129n } } as const;

/** The identifier of traced ICMP echoes, an arbitrary one. */
const ECHO_IDENTIFIER = 1n;

/** Fields of the addresses of each family. */
export const addressFields = {
  4: { source: 'nw_src', destination: 'nw_dst' },
  6: { source: 'ipv6_src', destination: 'ipv6_dst' },
} as const;

/** The value of a field from its text; 0 if the text is no value. */
export function bitsIn(field: FieldName, text: string): bigint {
  return bitsOf(field, text)?.value ?? 0n;
}

/** The packet as a switch sees it, without its Ethernet header. */
export function switchPacket(packet: TracedPacket): Packet {
  const { protocol, family, source, destination, ports, isEchoReply } = packet;
  const fields = addressFields[family];
  const isIcmp = protocol === 'icmp' || protocol === 'icmp6';
  return {
    dl_type: family === 4 ? 0x0800n : 0x86ddn,
    nw_proto: protocolNumbers[protocol],
    nw_ttl: 64n,
    [fields.source]: bitsIn(fields.source, source),
    [fields.destination]: bitsIn(fields.destination, destination),
    ...(isIcmp
      ? { tp_src: ECHO_IDENTIFIER, icmp_type: echoTypes[protocol][isEchoReply === true ? 'reply' : 'request'] }
      : { tp_src: BigInt(ports?.source ?? 0), tp_dst: BigInt(ports?.destination ?? 0) }),
  };
}

/** Fields of a frame beside its packet. */
export interface FrameHeader {
  /** The port that it comes in by, as flows name it. */
  readonly port: string;
  /** `vlan_tci`; absent for the default. */
  readonly tag?: bigint;
  /** MAC addresses. */
  readonly source: string;
  readonly destination: string;
}

/**
 * A frame with a packet, as a switch sees it.
 *
 * @param mark packet mark; 0 for none
 */
export function frameOf(packet: TracedPacket, mark: number, { port, tag, source, destination }: FrameHeader): Packet {
  return {
    ...switchPacket(packet),
    ...(mark !== 0 && { pkt_mark: BigInt(mark) }),
    in_port: bitsIn('in_port', port),
    ...(tag !== undefined && { vlan_tci: tag }),
    dl_src: bitsIn('dl_src', source),
    dl_dst: bitsIn('dl_dst', destination),
  };
}

/** The family of an IP packet; undefined for other frames. */
export function familyOfPacket({ dl_type }: Packet): 4 | 6 | undefined {
  if (dl_type === 0x0800n) return 4;
  return dl_type === 0x86ddn ? 6 : undefined;
}

/** An IP packet of a frame as a person writes it; undefined for protocols that cannot be traced. */
export function namedPacket(packet: Packet): TracedPacket | undefined {
  const family = familyOfPacket(packet);
  const protocol = protocolNames.get(valueOf(packet, 'nw_proto'));
  if (family === undefined || protocol === undefined) return undefined;
  const fields = addressFields[family];
  const isIcmp = protocol === 'icmp' || protocol === 'icmp6';
  return {
    protocol,
    family,
    source: valueText(fields.source, valueOf(packet, fields.source)),
    destination: valueText(fields.destination, valueOf(packet, fields.destination)),
    ...(isIcmp
      ? valueOf(packet, 'icmp_type') === echoTypes[protocol].reply && { isEchoReply: true as const }
      : { ports: { source: Number(valueOf(packet, 'tp_src')), destination: Number(valueOf(packet, 'tp_dst')) } }),
  };
}

/** The VLAN id of a frame; undefined if it has no tag. */
export function vlanIn(packet: Packet): number | undefined {
  const tag = valueOf(packet, 'vlan_tci');
  return (tag & VLAN_PRESENT) === 0n ? undefined : Number(tag & 0xfffn);
}
