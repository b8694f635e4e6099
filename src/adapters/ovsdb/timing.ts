import { RECONNECT_BACKOFF } from '../../ports/backoff.ts';

/** How long is waited for what, in milliseconds. */
export interface OvsdbTiming {
  /** For an answer of the server; and how long new attempts are made at an operation that others get ahead of. */
  readonly deadline: number;
  /** Of silence before the server is asked whether it is there, and again before the connection is taken for dead. */
  readonly silence: number;
  /** Before the first new attempt to connect; it doubles with each that fails. */
  readonly firstRetry: number;
  /** Before a new attempt at most. */
  readonly lastRetry: number;
}

/** As Open vSwitch's own clients have it: 5 s of silence (ovs-vswitchd.conf.db(5), inactivity_probe), retries less seldom than their 8 s. */
export const USUAL_TIMING: OvsdbTiming = {
  deadline: 5000,
  silence: 5000,
  firstRetry: RECONNECT_BACKOFF.first,
  lastRetry: RECONNECT_BACKOFF.longest,
};

/** Milliseconds as people read them. */
export function seconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}
