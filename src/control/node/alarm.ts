import { coalescedAt } from '../coalescing.ts';
import { PATIENT_PAUSE } from './failure.ts';
import type { LoopState } from './state.ts';

/** When the loop has to look again, if nothing happens before. */
export function nextLook({ changes, refusals, failures, lookAgainAt, plannedAt }: LoopState): number {
  return Math.min(
    lookAgainAt,
    coalescedAt(changes),
    ...[...refusals.values()].map(({ last }) => last + PATIENT_PAUSE),
    // What was due when it was planned last is being tried.
    ...[...failures.values()].map(({ retryAt }) => retryAt).filter((retryAt) => retryAt > plannedAt),
  );
}
