import type { ObjectWrite } from '../domain/objects/object-write.ts';
import type { PlannedWrite } from '../domain/objects/planned-write.ts';
import { timedCondition } from '../domain/status/transition-times.ts';

/**
 * A write with the times of transitions in its conditions.
 *
 * @param now RFC 3339
 */
export function timedWrite({ write, stored }: PlannedWrite, now: string): ObjectWrite {
  if (write.verb !== 'apply' || write.status?.conditions === undefined) return write;
  const former = stored?.status?.conditions ?? [];
  const conditions = write.status.conditions.map((condition) => timedCondition(condition, former, now));
  return { ...write, status: { ...write.status, conditions } };
}
