/** Milliseconds in which changes are collected: one cause makes several (docs/design/dataplane.md). */
const COALESCING = 20;

/** Milliseconds after which they are observed though more keep coming. */
const LONGEST_COALESCING = 200;

/** Changes that were noticed and not observed yet. */
export interface PendingChanges {
  /** When the first and the last of them were noticed. */
  readonly first: number;
  readonly last: number;
}

/** The changes with one more. */
export function withChange(changes: PendingChanges | undefined, now: number): PendingChanges {
  return { first: changes?.first ?? now, last: now };
}

/** When changes are observed; infinity where there are none. */
export function coalescedAt(changes: PendingChanges | undefined): number {
  if (changes === undefined) return Number.POSITIVE_INFINITY;
  return Math.min(changes.last + COALESCING, changes.first + LONGEST_COALESCING);
}
