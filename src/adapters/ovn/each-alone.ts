import type { SingleOperation } from '../../domain/entities/operations/operation.ts';
import type { ApplyResult, LeftOut } from '../../ports/apply-result.ts';

/** Makes changes one by one, leaving out those that are refused: one must not keep out all others. Ends at the first that fails otherwise. */
export async function eachAlone<Change extends SingleOperation>(
  changes: readonly Change[],
  apply: (change: Change) => Promise<ApplyResult>,
): Promise<ApplyResult> {
  const leftOut: LeftOut[] = [];
  for (const change of changes) {
    const result = await apply(change);
    if (result.done) continue;
    if (result.isRefused !== true) return result;
    leftOut.push({ change, error: result.error });
  }
  return { done: true, ...(leftOut.length > 0 && { leftOut }) };
}
