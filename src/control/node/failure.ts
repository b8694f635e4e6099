import type { Operation } from '../../domain/operations/operation.ts';

/** What keeps a network from being programmed. */
export interface Failure {
  readonly operation: Operation;
  readonly error: string;
  /** How often it has been tried in a row. */
  readonly attempts: number;
  readonly failedAt: number;
  /** When it is tried again, though nothing has changed. */
  readonly retryAt: number;
  /** The interface whose half-made enslavement is taken back. */
  readonly undoing?: string | undefined;
  /** What it has to do with, as that was when everything about the failure was done; absent until then. */
  readonly basis?: string | undefined;
  /** Whether that is another one now. */
  readonly isStirred?: boolean;
  /** Whether it is being tried again before its time has come, since something has changed; absent while it is not tried. */
  readonly isEarly?: boolean;
  /** The same of the attempt before this one. */
  readonly wasEarly: boolean;
}

/** Milliseconds until the second attempt, and at most. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [1000, 60_000];

/** Milliseconds between two attempts, whatever changes: each of them may be what makes somebody else change something. */
const LEAST_PAUSE = 300;

/**
 * Of the time until the next attempt, the part that passes in any case where the attempts are answered by changes, and take an interface into a VRF
 * and out of it: routers and daemons then change something each time.
 */
const QUIET_PART = 1 / 4;

/** Milliseconds for which an operation may be refused that has to wait for something (Node design, What enslaving does to an interface). */
const PATIENCE = 4000;

/** Milliseconds until such an operation is tried again. */
export const PATIENT_PAUSE = 100;

/** Milliseconds from an attempt to the next one. */
export function pauseAfter(attempts: number): number {
  return Math.min(FIRST_PAUSE * 2 ** (attempts - 1), LONGEST_PAUSE);
}

/**
 * Whether a refusal may pass by itself: what is put back may need a next hop that is not there yet, or an address that is still looked for
 * duplicates of.
 */
export function mayPass({ verb }: Operation, since: number, now: number): boolean {
  return verb === 'put-back' && now - since < PATIENCE;
}

/** The failure after one more attempt. */
export function failed(
  operation: Operation,
  error: string,
  before: Failure | undefined,
  undoing: string | undefined,
  now: number,
): Failure {
  const attempts = (before?.attempts ?? 0) + 1;
  // That taking back what was begun fails as well is no other attempt.
  const wasEarly = before?.isEarly ?? before?.wasEarly ?? false;
  return { operation, error, attempts, failedAt: now, retryAt: now + pauseAfter(attempts), undoing, wasEarly };
}

/** The failure while it is tried again, which may take a while. */
export function tried(failure: Failure, now: number): Failure {
  return { ...failure, isEarly: failure.isEarly ?? now < failure.retryAt };
}

/** When it is tried again because what it has to do with has changed; never where that has not. */
export function stirredAt({ isStirred = false, wasEarly, attempts, failedAt, undoing }: Failure): number {
  if (!isStirred) return Number.POSITIVE_INFINITY;
  // Who repairs something after a quiet while is not made to wait.
  const mayBeAnswer = undoing !== undefined && wasEarly;
  return failedAt + (mayBeAnswer ? Math.max(LEAST_PAUSE, pauseAfter(attempts) * QUIET_PART) : LEAST_PAUSE);
}

/** Whether it is tried again now: its time has come, or what it has to do with has changed. */
export function isDue(failure: Failure, now: number): boolean {
  return now >= Math.min(failure.retryAt, stirredAt(failure));
}
