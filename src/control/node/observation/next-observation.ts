import { coalescedAt } from '../../coalescing.ts';
import { isLateAt } from '../awaited.ts';
import { retryOnChangeAt, TRANSIENT_RETRY_DELAY } from '../failed-operation.ts';
import type { LoopState } from '../state.ts';

/** When the loop observes again if nothing happens before. */
export function nextObservationAt(state: LoopState): number {
  const { changes, refusals, awaited, failures, observeAgainAt, plannedAt, execution } = state;
  const next = Math.min(observeAgainAt, coalescedAt(changes));
  // Nothing is retried while the node cannot be read, even if it is due.
  if (execution === undefined) return next;
  const retries = [
    ...[...refusals.values()].map(({ last }) => last + TRANSIENT_RETRY_DELAY),
    ...[...awaited].map(([what, since]) => isLateAt(what, since)),
    ...[...failures.values()].flatMap((failure) => [failure.retryAt, retryOnChangeAt(failure)]),
  ];
  // What was due at the last plan is being retried or is blocked.
  return Math.min(next, ...retries.filter((due) => due > plannedAt));
}
