/**
 * What a match demands of a packet, bit by bit, and whether two matches can be met by one packet.
 */
import { lazyByObject } from '../lazy.ts';
import { type Bits, bitsOf, ones } from './bits.ts';
import { type FieldName, fieldNames, fieldOf, protocols } from './fields.ts';
import type { Match } from './flow.ts';

/** Bits that a match demands, by field. */
export type Constraints = ReadonlyMap<FieldName, Bits>;

/** Bit of a VLAN tag control information that says that there is a tag (ovs-fields(7), vlan_tci). */
export const VLAN_PRESENT = 0x1000n;

/** Bits of a VLAN tag control information that tell the VLAN, and whether there is a tag. */
const VLAN_MASK = 0x1fffn;

/** What a match demands; nothing where one of its values is no value of its field. */
export const constraintsOf = lazyByObject((match: Match): Constraints | undefined => {
  const constraints = new Map<FieldName, Bits>();
  const protocol: { readonly dl_type?: number; readonly nw_proto?: number } =
    match.protocol === undefined ? {} : protocols[match.protocol];
  for (const name of ['dl_type', 'nw_proto'] as const) {
    const value = protocol[name];
    if (value !== undefined) constraints.set(name, { value: BigInt(value), mask: ones(fieldOf(name).bits) });
  }
  if (match.dl_vlan !== undefined) {
    constraints.set('vlan_tci', { value: VLAN_PRESENT | BigInt(match.dl_vlan), mask: VLAN_MASK });
  }
  for (const name of fieldNames) {
    const text = match[name];
    if (text === undefined) continue;
    const bits = bitsOf(name, text);
    if (bits === undefined) return undefined;
    constraints.set(name, bits);
  }
  return constraints;
});

/** Whether there is a packet that two matches both match; those that are not understood are taken to overlap with everything. */
export function overlap(left: Match, right: Match): boolean {
  const [ofLeft, ofRight] = [constraintsOf(left), constraintsOf(right)];
  if (ofLeft === undefined || ofRight === undefined) return true;
  for (const [name, bits] of ofLeft) {
    const others = ofRight.get(name);
    if (others !== undefined && ((bits.value ^ others.value) & bits.mask & others.mask) !== 0n) return false;
  }
  return true;
}
