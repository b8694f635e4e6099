/**
 * Changes of the load balancers of Services, and their transactions.
 */
import type { LoadBalancerChange } from '../../domain/services/load-balancer-changes.ts';

/** Changes in a transaction: a larger one would keep the ports of pods waiting. */
const BATCH = 500;

/** The changes of the load balancers of a Service. */
export interface ServiceChanges {
  readonly key: string;
  readonly changes: readonly LoadBalancerChange[];
  /** Text of what they lead to. */
  readonly wanted: string;
}

/** Splits changes into transactions. Those of a Service stay together: clients must not find half of it. */
export function batchesOf(changed: readonly ServiceChanges[]): readonly (readonly ServiceChanges[])[] {
  const batches: ServiceChanges[][] = [];
  let size = BATCH;
  for (const each of changed) {
    if (size + each.changes.length > BATCH) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1)?.push(each);
    size += each.changes.length;
  }
  return batches;
}
