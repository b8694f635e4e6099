import type { NodeSnapshot } from '../../../../src/domain/index.ts';
import { isManaged } from '../../../../src/domain/node-model/neighbours/lasting-neighbour.ts';
import { differences, isVrfRule } from '../comparison.ts';

/** A snapshot without what the kernel has found out last about neighbours that it keeps resolved. */
function withoutResolution(node: NodeSnapshot): NodeSnapshot {
  const neighbours = node.neighbours.map((each) => (isManaged(each) ? { ...each, states: ['managed'] } : each));
  return { ...node, neighbours };
}

/**
 * The differences between two snapshots, without ledgers and without the kernel's rules for VRFs, which come with the first VRF of a node
 * and stay.
 */
export function leftovers(before: NodeSnapshot, after: NodeSnapshot): readonly string[] {
  const lines = differences(withoutResolution({ ...before, ledger: after.ledger }), withoutResolution(after));
  return lines.filter((line) => !isVrfRule(line));
}
