/**
 * What is not as expected: where, what is there, and what is expected. Reported when something else changed what is ours, and when a change
 * that was carried out did not come about.
 */
import type { Discrepancy } from '../entities/entity-kind.ts';
import type { Operation } from '../operations/operation.ts';
import { meaningOf } from '../operations/operation-meaning.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';

/** What an operation would repair on a node as it is. */
export function discrepancyOf(operation: Operation, node: NodeSnapshot): Discrepancy {
  return meaningOf(operation).discrepancy(operation, node);
}

/** A discrepancy in a few words. */
export function discrepancyText({ path, found, wanted }: Discrepancy): string {
  return `${path} is ${found}, and should be ${wanted}`;
}
