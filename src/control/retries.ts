import { jitteredDelay, RETRY_BACKOFF } from '../ports/backoff.ts';

/** Writes that have failed, and when they are tried again at the latest. */
export interface Retries {
  /** The names of what could not be written at last. */
  readonly refused: ReadonlySet<string>;
  /** Attempts that the backoff has counted. */
  readonly attempts: number;
  /** Infinity where nothing has failed. */
  readonly at: number;
}

export const noRetries: Retries = { refused: new Set(), attempts: 0, at: Number.POSITIVE_INFINITY };

/**
 * Finds the writes to retry after an attempt. The delay grows only where what failed before fails again after it: attempts that changes of the
 * cluster have caused meanwhile say nothing of how long a failure lasts, and the failure of another object starts with the shortest delay.
 *
 * @param refused the names of what could not be written
 * @param random from 0 to 1, for the jitter of the delay; none where nothing else tries at the same time
 */
export function retriesAfter(before: Retries, refused: ReadonlySet<string>, now: number, random = 0): Retries {
  if (refused.size === 0) return noRetries;
  const isNew = ![...refused].every((name) => before.refused.has(name));
  if (!isNew && now < before.at) return { ...before, refused };
  const attempts = isNew ? 1 : before.attempts + 1;
  return { refused, attempts, at: now + jitteredDelay(RETRY_BACKOFF, attempts, random) };
}
