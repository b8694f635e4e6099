import { type NetworkOwner, ownerOfPartKey, type PartKey } from '../../domain/network/part.ts';
import { changesOf, type Operation, partsOf } from '../../domain/entities/operations/operation.ts';
import { operationKey } from '../../domain/entities/operations/operation-key.ts';
import type { RelatedState } from './related.ts';
import { backoffDelay, RETRY_BACKOFF } from '../../ports/backoff.ts';

/** The key of the failure of a change that is for no network. No part of a network begins with a space. */
type LooseKey = ` ${string}`;

/** The key of a failure: a part of a network, or a change that is for none. */
export type FailureKey = PartKey | LooseKey;

function isLoose(key: FailureKey): key is LooseKey {
  return key.startsWith(' ');
}

/** The keys of an operation's failures: the parts of networks of each of its changes, or a key of its own for a change that has none. */
export function failureKeys(operation: Operation): readonly FailureKey[] {
  const keys = changesOf(operation).flatMap((change): readonly FailureKey[] =>
    change.networks.length === 0 ? [` ${operationKey(change)}`] : partsOf(change),
  );
  return [...new Set(keys)];
}

/** The part of a network that a failure is of; undefined for a change that is for none. */
export function ownerOfFailure(key: FailureKey): NetworkOwner | undefined {
  return isLoose(key) ? undefined : ownerOfPartKey(key);
}

/** A failed operation that keeps a network from being programmed. */
export interface FailedOperation {
  readonly operation: Operation;
  readonly error: string;
  /** Consecutive failed attempts. */
  readonly attempts: number;
  readonly failedAt: number;
  /** When it is retried even if nothing has changed. */
  readonly retryAt: number;
  /** The interface whose incomplete enslavement is undone. */
  readonly undoing?: string | undefined;
  /** Everything related to the network (`related`) once the failure is undone; absent until then. */
  readonly relatedState?: RelatedState | undefined;
  /** Whether `relatedState` has changed since. */
  readonly hasRelatedChange?: boolean;
  /** Whether it is being retried before `retryAt` because of a related change; absent while it is not being retried. */
  readonly isEarlyRetry?: boolean;
  /** Whether the last failed attempt was such a retry. */
  readonly wasEarlyRetry: boolean;
}

/** Minimum milliseconds between two attempts, whatever changes: other programs may react to each attempt. */
const MIN_RETRY_DELAY = 300;

/**
 * The minimum part of the backoff where each attempt enslaves and releases an interface and a related change follows: routers and daemons react to
 * each attempt.
 */
const REACTION_BACKOFF = 1 / 4;

/** Milliseconds during which a refusal may be transient (docs/design/enslaving.md). */
const TRANSIENT_PERIOD = 4000;

/** Milliseconds during which what carries out operations may be unavailable, as while it is restarted. */
export const RESTART_PERIOD = 5000;

/** Milliseconds until an operation is retried after a transient refusal. */
export const TRANSIENT_RETRY_DELAY = 100;

/**
 * Whether a refusal may be transient: a restored entity may need a next hop that does not exist yet, or an address in duplicate address detection; or what
 * carries out the operation is being restarted.
 */
export function isTransient(
  { operation: { verb }, isUnavailable }: { readonly operation: Operation; readonly isUnavailable?: true },
  since: number,
  now: number,
): boolean {
  if (isUnavailable === true) return now - since < RESTART_PERIOD;
  return verb === 'put-back' && now - since < TRANSIENT_PERIOD;
}

/** The failure after another failed attempt. */
export function failedAgain(
  operation: Operation,
  error: string,
  before: FailedOperation | undefined,
  undoing: string | undefined,
  now: number,
): FailedOperation {
  const attempts = (before?.attempts ?? 0) + 1;
  // A failed undo does not count as an attempt.
  const wasEarlyRetry = before?.isEarlyRetry ?? before?.wasEarlyRetry ?? false;
  const retryAt = now + backoffDelay(RETRY_BACKOFF, attempts);
  return { operation, error, attempts, failedAt: now, retryAt, undoing, wasEarlyRetry };
}

/** The failure while it is being retried. */
export function retried(failure: FailedOperation, now: number): FailedOperation {
  return { ...failure, isEarlyRetry: failure.isEarlyRetry ?? now < failure.retryAt };
}

/** When it is retried because of a related change; infinity without one. */
export function retryOnChangeAt(failure: FailedOperation): number {
  const { hasRelatedChange = false, wasEarlyRetry, attempts, failedAt, undoing } = failure;
  if (!hasRelatedChange) return Number.POSITIVE_INFINITY;
  // A change that comes a while after the last attempt is a fix, which should not have to wait.
  const mayBeReaction = undoing !== undefined && wasEarlyRetry;
  const backoff = mayBeReaction ? backoffDelay(RETRY_BACKOFF, attempts) * REACTION_BACKOFF : 0;
  return failedAt + Math.max(MIN_RETRY_DELAY, backoff);
}

/** Whether it is retried now: its backoff is over, or something related changed. */
export function isDue(failure: FailedOperation, now: number): boolean {
  return now >= Math.min(failure.retryAt, retryOnChangeAt(failure));
}
