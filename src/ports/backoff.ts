/** How long is waited between attempts: it doubles with each one that fails. In milliseconds. */
export interface Backoff {
  /** After the first failed attempt. */
  readonly first: number;
  /** At most. */
  readonly longest: number;
}

/** Between attempts at what has failed on a node or in the cluster (docs/design/dataplane.md). */
export const RETRY_BACKOFF: Backoff = { first: 1000, longest: 60_000 };

/** Between attempts to reach a daemon or a program of the node: they come back within seconds when they are restarted. */
export const RECONNECT_BACKOFF: Backoff = { first: 100, longest: 5000 };

/** Milliseconds to wait after a number of attempts that failed in a row, 1 or more. */
export function backoffDelay({ first, longest }: Backoff, attempts: number): number {
  return Math.min(first * 2 ** (attempts - 1), longest);
}
