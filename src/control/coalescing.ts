/** Milliseconds to wait for further changes: one cause often makes several (docs/design/dataplane.md). */
const COALESCING = 20;

/** Maximum milliseconds to wait while changes keep coming. */
const MAX_COALESCING = 200;

/** Reported changes that are not observed yet. */
export interface PendingChanges {
  /** When the first and the last of them were reported. */
  readonly first: number;
  readonly last: number;
}

/** Adds a change. */
export function withChange(changes: PendingChanges | undefined, now: number): PendingChanges {
  return { first: changes?.first ?? now, last: now };
}

/** When pending changes are observed; infinity without any. */
export function coalescedAt(changes: PendingChanges | undefined): number {
  if (changes === undefined) return Number.POSITIVE_INFINITY;
  return Math.min(changes.last + COALESCING, changes.first + MAX_COALESCING);
}
