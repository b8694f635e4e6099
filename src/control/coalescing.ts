/** Milliseconds in which changes are collected: one cause makes several (Node design, When it runs). */
const COALESCING = 20;

/** Milliseconds after which they are seen to though more keep coming. */
const LONGEST_COALESCING = 200;

/** Changes that were noticed and not looked at. */
export interface UnseenChanges {
  /** When the first and the last of them were noticed. */
  readonly first: number;
  readonly last: number;
}

/** The changes with one more. */
export function withChange(changes: UnseenChanges | undefined, now: number): UnseenChanges {
  return { first: changes?.first ?? now, last: now };
}

/** When changes are looked at; never where there are none. */
export function coalescedAt(changes: UnseenChanges | undefined): number {
  if (changes === undefined) return Number.POSITIVE_INFINITY;
  return Math.min(changes.last + COALESCING, changes.first + LONGEST_COALESCING);
}
