import { coalescedAt } from '../coalescing.ts';
import { PATIENT_PAUSE, stirredAt } from './failure.ts';
import type { LoopState } from './state.ts';

/** When the loop has to look again, if nothing happens before. */
export function nextLook({ changes, refusals, failures, lookAgainAt, plannedAt, round }: LoopState): number {
  const sooner = [lookAgainAt, coalescedAt(changes)];
  // While nothing can be read nothing is tried, however long it has been due.
  if (round === undefined) return Math.min(...sooner);
  const tries = [
    ...[...refusals.values()].map(({ last }) => last + PATIENT_PAUSE),
    ...[...failures.values()].flatMap((failure) => [failure.retryAt, stirredAt(failure)]),
  ];
  // What was due when it was planned last is being tried, or waits for something else.
  return Math.min(...sooner, ...tries.filter((due) => due > plannedAt));
}
