import type { Condition } from '../api/condition.ts';

/** A condition with the moment at which its status became what it is, RFC 3339. */
export type TimedCondition<Kind extends Condition = Condition> = Kind & { readonly lastTransitionTime: string };

/** What stood there before, as far as it matters. */
interface FormerCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string | undefined;
}

/**
 * A condition as it is written: the moment of its last transition stays as long as its status does (Kubernetes API conventions, Typical status
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
