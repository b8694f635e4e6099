import type { NodeSnapshot } from '../../../../src/domain/index.ts';
import { differences } from '../comparison.ts';

/**
 * The differences between two snapshots, without ledgers and without the kernel's rules for VRFs, which come with the first VRF of a node
 * and stay.
 */
export function leftovers(before: NodeSnapshot, after: NodeSnapshot): readonly string[] {
  return differences({ ...before, ledger: after.ledger }, after).filter((line) => !line.includes('l3mdev'));
}
