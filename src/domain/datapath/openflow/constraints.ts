/** The bits that a match requires of a packet, and whether one packet can satisfy two matches. */
import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import { type Bits, bitsOf, ones } from './bits.ts';
import { type FieldName, fieldNames, fieldOf, protocols } from './fields.ts';
import type { Match } from './flow.ts';

/** The bits that a match requires, by field. */
export type Constraints = ReadonlyMap<FieldName, Bits>;

/** The bit of `vlan_tci` that says that there is a tag (ovs-fields(7)). */
export const VLAN_PRESENT = 0x1000n;

/** The bits of `vlan_tci` that hold the VLAN id, and whether there is a tag. */
const VLAN_MASK = 0x1fffn;

/** The bits that a match requires; undefined if a value cannot be parsed. */
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

/** Whether some packet satisfies both matches. A match that cannot be parsed is taken to overlap with every other. */
export function overlap(left: Match, right: Match): boolean {
  const [ofLeft, ofRight] = [constraintsOf(left), constraintsOf(right)];
  if (ofLeft === undefined || ofRight === undefined) return true;
  for (const [name, bits] of ofLeft) {
    const others = ofRight.get(name);
    if (others !== undefined && ((bits.value ^ others.value) & bits.mask & others.mask) !== 0n) return false;
  }
  return true;
}
