/**
 * How a node differs from its plan: where, what was found and what was expected. Reported as drift, and when an operation succeeded without
 * effect.
 */
import type { Discrepancy } from '../entities/entity-kind.ts';
import type { Operation } from '../entities/operations/operation.ts';
import { semanticsOf } from '../entities/operations/operation-semantics.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';

/** The difference that an operation would remove. */
export function discrepancyOf(operation: Operation, node: NodeSnapshot): Discrepancy {
  return semanticsOf(operation).discrepancy(operation, node);
}

/** A discrepancy as text. */
export function discrepancyText({ path, found, wanted }: Discrepancy): string {
  return `${path} is ${found}, expected ${wanted}`;
}
