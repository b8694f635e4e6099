import type { Condition } from '../api/condition.ts';

/** A condition with the time of its last transition, RFC 3339. */
export type TimedCondition<Kind extends Condition = Condition> = Kind & { readonly lastTransitionTime: string };

/** The part of a stored condition that decides on the time. */
interface FormerCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string | undefined;
}

/**
 * A condition as it is written: the time of its last transition changes only with its status (Kubernetes API conventions, Typical status
 * properties).
 *
 * @param now RFC 3339
 */
export function timedCondition<Kind extends Condition>(
  condition: Kind,
  former: readonly FormerCondition[],
  now: string,
): TimedCondition<Kind> {
  const before = former.find(({ type, status }) => type === condition.type && status === condition.status);
  return { ...condition, lastTransitionTime: before?.lastTransitionTime ?? now };
}
