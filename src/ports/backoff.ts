/** An exponential backoff, in milliseconds. */
export interface Backoff {
  /** After the first failed attempt. */
  readonly first: number;
  /** The maximum. */
  readonly longest: number;
}

/** For operations on the node and writes to the cluster (docs/design/dataplane.md). */
export const RETRY_BACKOFF: Backoff = { first: 1000, longest: 60_000 };

/** For connections to daemons and programs of the node, which restart within seconds: what changed meanwhile is in force two seconds after, however long it took. */
export const RECONNECT_BACKOFF: Backoff = { first: 100, longest: 1500 };

/** Milliseconds to wait after consecutive failed attempts, 1 or more. */
export function backoffDelay({ first, longest }: Backoff, attempts: number): number {
  return Math.min(first * 2 ** (attempts - 1), longest);
}

/**
 * Adds jitter to a delay, between half of it and all of it: a thousand agents that have failed at once do not try again at once.
 *
 * @param random from 0 to 1
 */
export function jitteredDelay(backoff: Backoff, attempts: number, random: number): number {
  return backoffDelay(backoff, attempts) * (1 - random / 2);
}
