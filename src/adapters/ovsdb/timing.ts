import { RECONNECT_BACKOFF } from '../../ports/backoff.ts';

/** Timeouts, in milliseconds. */
export interface OvsdbTiming {
  /** For a reply of the server, and for an operation that keeps losing races. */
  readonly deadline: number;
  /** Idle time before the server is probed, and again before the connection is closed. */
  readonly silence: number;
  /** Backoff before the first retry to connect; doubles with each failure. */
  readonly firstRetry: number;
  /** Maximum backoff. */
  readonly lastRetry: number;
}

/** As Open vSwitch's clients: 5 s idle time (ovs-vswitchd.conf.db(5), inactivity_probe); their maximum backoff is 8 s. */
export const USUAL_TIMING: OvsdbTiming = {
  deadline: 5000,
  silence: 5000,
  firstRetry: RECONNECT_BACKOFF.first,
  lastRetry: RECONNECT_BACKOFF.longest,
};

/** Milliseconds in messages. */
export function seconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}
