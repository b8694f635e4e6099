import type { Operation } from '../../domain/operations/operation.ts';
import { backoffDelay, RETRY_BACKOFF } from '../../ports/backoff.ts';

/** An operation that failed, as it keeps a network from being programmed. */
export interface FailedOperation {
  readonly operation: Operation;
  readonly error: string;
  /** Failed attempts in a row. */
  readonly attempts: number;
  readonly failedAt: number;
  /** When it is retried though nothing has changed. */
  readonly retryAt: number;
  /** The interface whose incomplete enslavement is undone. */
  readonly undoing?: string | undefined;
  /** Everything related to the network (`related`) after the failure was dealt with; absent until then. */
  readonly relatedState?: string | undefined;
  /** Whether that has changed since. */
  readonly hasRelatedChange?: boolean;
  /** Whether it is being retried before `retryAt`, because of a related change; absent while it is not being retried. */
  readonly isEarlyRetry?: boolean;
  /** The same of the attempt that failed last. */
  readonly wasEarlyRetry: boolean;
}

/** Least milliseconds between two attempts, whatever changes: each attempt may be what makes somebody else change something. */
const LEAST_RETRY_DELAY = 300;

/**
 * The part of the backoff that is waited for in any case where each attempt takes an interface into a VRF and out of it again, and a related change
 * follows: routers and daemons then change something each time.
 */
const REACTION_BACKOFF = 1 / 4;

/** Milliseconds for which an operation may be refused that has to wait for something (docs/design/enslaving.md). */
const TRANSIENT_PERIOD = 4000;

/** Milliseconds until such an operation is retried. */
export const TRANSIENT_RETRY_DELAY = 100;

/**
 * Whether a refusal may be transient: what is put back may need a next hop that is not there yet, or an address that is in duplicate address
 * detection.
 */
export function isTransient({ verb }: Operation, since: number, now: number): boolean {
  return verb === 'put-back' && now - since < TRANSIENT_PERIOD;
}

/** The failure after one more attempt. */
export function failedAgain(
  operation: Operation,
  error: string,
  before: FailedOperation | undefined,
  undoing: string | undefined,
  now: number,
): FailedOperation {
  const attempts = (before?.attempts ?? 0) + 1;
  // An undo that fails is no attempt of its own.
  const wasEarlyRetry = before?.isEarlyRetry ?? before?.wasEarlyRetry ?? false;
  const retryAt = now + backoffDelay(RETRY_BACKOFF, attempts);
  return { operation, error, attempts, failedAt: now, retryAt, undoing, wasEarlyRetry };
}

/** The failure while it is being retried, which may take a while. */
export function retried(failure: FailedOperation, now: number): FailedOperation {
  return { ...failure, isEarlyRetry: failure.isEarlyRetry ?? now < failure.retryAt };
}

/** When it is retried because of a related change; infinity where there was none. */
export function retryOnChangeAt(failure: FailedOperation): number {
  const { hasRelatedChange = false, wasEarlyRetry, attempts, failedAt, undoing } = failure;
  if (!hasRelatedChange) return Number.POSITIVE_INFINITY;
  // A change that comes a while after the last attempt is a repair, which should not have to wait.
  const mayBeReaction = undoing !== undefined && wasEarlyRetry;
  const backoff = mayBeReaction ? backoffDelay(RETRY_BACKOFF, attempts) * REACTION_BACKOFF : 0;
  return failedAt + Math.max(LEAST_RETRY_DELAY, backoff);
}

/** Whether it is retried now: its backoff is over, or a related change asks for it. */
export function isDue(failure: FailedOperation, now: number): boolean {
  return now >= Math.min(failure.retryAt, retryOnChangeAt(failure));
}
