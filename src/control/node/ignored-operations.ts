/**
 * Operations that the kernel ignores: they are applied once and not repeated, which would change nothing.
 */
import { operationKey } from '../../domain/entities/operations/operation-key.ts';
import { lazy } from '../../domain/basics/incremental/lazy.ts';
import type { Operation, SingleOperation } from '../../domain/entities/operations/operation.ts';
import type { NodePlan } from '../../domain/plan/node-plan.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import { discrepancyOf } from '../../domain/status/discrepancy.ts';

/** Why operations are ignored, as text, by the keys of the operations. */
export type Ignored = ReadonlyMap<string, string>;

/**
 * The planned operations that are ignored. Ones that are no longer planned are forgotten.
 *
 * @param before the operations ignored so far
 * @param done the operations applied since the loop last settled
 */
export function ignoredOf(
  operations: readonly Operation[],
  node: NodeSnapshot,
  before: Ignored,
  done: readonly SingleOperation[],
): Ignored {
  const doneKeys = lazy(() => new Set(done.map(operationKey)));
  return new Map(
    operations.flatMap((operation) => {
      // Sets are changed as a whole, and the kernel ignores none of them.
      if (operation.verb === 'change') return [];
      const key = operationKey(operation);
      const why = before.get(key) ?? (doneKeys().has(key) ? discrepancyOf(operation, node).ignored : undefined);
      return why === undefined ? [] : [[key, why] as const];
    }),
  );
}

/** The operations that are not ignored. */
export function withoutIgnored(operations: readonly Operation[], ignored: Ignored): readonly Operation[] {
  return ignored.size === 0 ? operations : operations.filter((operation) => !ignored.has(operationKey(operation)));
}

/** The plan with warnings about what is ignored. */
export function warned(nodePlan: NodePlan, ignored: Ignored): NodePlan {
  const messages = [...new Set(ignored.values())].sort();
  const warnings = messages.map((message) => ({
    object: `Node/${nodePlan.nodeName}`,
    message,
    seenOnNode: true as const,
  }));
  return warnings.length === 0 ? nodePlan : { ...nodePlan, warnings: [...nodePlan.warnings, ...warnings] };
}
