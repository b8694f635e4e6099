import type { NodeSnapshot } from '../../../../src/domain/index.ts';
import { differences } from '../comparison.ts';

/** The kernel's own rules for VRFs come with the first VRF of a node and never go; addresses are looked for duplicates of for a while. */
export function leftovers(before: NodeSnapshot, after: NodeSnapshot): readonly string[] {
  return differences({ ...before, ledger: after.ledger }, after).filter((line) => !line.includes('l3mdev'));
}
