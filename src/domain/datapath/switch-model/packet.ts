import { bitsOf, ones } from '../openflow/bits.ts';
import { type FieldName, fieldNames, fieldOf, protocols } from '../openflow/fields.ts';
import type { Match, Subfield } from '../openflow/flow.ts';

/** Values of fields; one that is absent is 0. */
type FieldValues = Readonly<Partial<Record<FieldName, bigint>>>;

/** The fields of a packet, and those that a switch adds. The identifier of an ICMP echo, which is in no field of Open vSwitch, is in `tp_src`. */
export interface Packet extends FieldValues {
  /** The packet inside an ICMP error. */
  readonly inner?: Packet;
}

/** The value of a field; 0 if the packet does not have it. */
export function valueOf(packet: Packet, field: FieldName): bigint {
  return packet[field] ?? 0n;
}

/** The value of some bits of a field. */
export function valueOfBits(packet: Packet, { field, bits }: Subfield): bigint {
  const value = valueOf(packet, field);
  return bits === undefined ? value : (value >> BigInt(bits[0])) & ones(bits[1] - bits[0] + 1);
}

/** Sets some bits of a field; excess bits of the value are cut off. */
export function withBits(packet: Packet, { field, bits }: Subfield, value: bigint): Packet {
  const [low, high] = bits ?? [0, fieldOf(field).bits - 1];
  const mask = ones(high - low + 1);
  const rest = valueOf(packet, field) & ~(mask << BigInt(low));
  return { ...packet, [field]: rest | ((value & mask) << BigInt(low)) };
}

/**
 * A packet from a match (ovs-fields(7)) whose values are all exact.
 *
 * @returns undefined if a value cannot be parsed.
 */
export function packetOf(words: Match): Packet | undefined {
  const packet: Partial<Record<FieldName, bigint>> = {};
  if (words.protocol !== undefined) {
    const protocol: { readonly dl_type: number; readonly nw_proto?: number } = protocols[words.protocol];
    packet.dl_type = BigInt(protocol.dl_type);
    if (protocol.nw_proto !== undefined) packet.nw_proto = BigInt(protocol.nw_proto);
  }
  if (words.dl_vlan !== undefined) packet.vlan_tci = 0x1000n | BigInt(words.dl_vlan);
  for (const name of fieldNames) {
    const text = words[name];
    if (text === undefined) continue;
    const bits = bitsOf(name, text);
    if (bits === undefined) return undefined;
    packet[name] = bits.value;
  }
  return packet;
}
