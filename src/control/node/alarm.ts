import { PATIENT_PAUSE } from './failure.ts';
import type { LoopState } from './state.ts';

/** Milliseconds in which changes are collected: one cause makes several (Node design, When it runs). */
const COALESCING = 20;

/** Milliseconds after which they are seen to though more keep coming. */
const LONGEST_COALESCING = 200;

/** When the loop has to look again, if nothing happens before. */
export function nextLook({ changes, refusals, failures, lookAgainAt, plannedAt }: LoopState): number {
  return Math.min(
    lookAgainAt,
    ...(changes === undefined ? [] : [Math.min(changes.last + COALESCING, changes.first + LONGEST_COALESCING)]),
    ...[...refusals.values()].map(({ last }) => last + PATIENT_PAUSE),
    // What was due when it was planned last is being tried.
    ...[...failures.values()].map(({ retryAt }) => retryAt).filter((retryAt) => retryAt > plannedAt),
  );
}
