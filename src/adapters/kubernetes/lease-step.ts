/**
 * Leader election on a Lease, as a function from a state and an event to the next state and effects. The rules are those of client-go (package
 * leaderelection), which hold though clocks differ: a candidate counts from when it has seen the lease change, on its own clock, and the leader from when it
 * sent its last renewal, which is earlier.
 */

/** Milliseconds of leader election. */
export interface LeaseTimes {
  /** A Lease that was not renewed for this long may be acquired by another candidate. */
  readonly lease: number;
  /** A leader that has not renewed its Lease for this long is no longer the leader; less than `lease`. */
  readonly renewDeadline: number;
  /** Between attempts. */
  readonly retry: number;
}

/** The content of a Lease (coordination.k8s.io/v1). */
export interface LeaseRecord {
  /** Empty if it has no holder. */
  readonly holderIdentity: string;
  readonly leaseDurationSeconds: number;
  /** For people, on the clock of the holder. */
  readonly acquireTime: string;
  readonly renewTime: string;
  readonly leaseTransitions: number;
}

/** A Lease with the version that the next write replaces. */
export interface StoredLease {
  readonly record: LeaseRecord;
  readonly version: string;
}

/** An event, with the time in milliseconds of a monotonic clock and in words. */
export type LeaseEvent = { readonly at: number; readonly time: string } & (
  | { readonly kind: 'acquire' | 'alarm' | 'release' }
  /** The Lease as it is, if there is one. */
  | { readonly kind: 'read'; readonly lease?: StoredLease }
  /** The Lease has the record that was sent. */
  | { readonly kind: 'written'; readonly lease: StoredLease }
  /** Whether it was written is not known, unless it was refused. */
  | { readonly kind: 'failed'; readonly message: string }
);

/** An effect. */
export type LeaseEffect =
  | { readonly do: 'read' }
  /** Creates the Lease, or replaces a version of it: fails where there is one, or another one. */
  | { readonly do: 'write'; readonly record: LeaseRecord; readonly version?: string }
  | { readonly do: 'set-alarm'; readonly at: number }
  | { readonly do: 'acquired' }
  | { readonly do: 'lost'; readonly reason: string }
  | { readonly do: 'released' };

/** The state of a candidate. */
export interface LeaseState {
  /** Unique to the process. */
  readonly identity: string;
  readonly times: LeaseTimes;
  readonly role: 'none' | 'candidate' | 'leader';
  readonly isReleasing: boolean;
  /** Whether a request is on its way. */
  readonly isAsking: boolean;
  readonly nextAt: number;
  /** Until when a leader stays the leader. */
  readonly leaderUntil: number;
  /** The Lease, and when this version of it was seen first. */
  readonly seen?: (StoredLease & { readonly at: number }) | undefined;
  /** The last record that was sent, and when. */
  readonly sent?: { readonly record: LeaseRecord; readonly at: number } | undefined;
  /** Why the last request failed. */
  readonly failure?: string | undefined;
}

type NextLeaseState = readonly [LeaseState, readonly LeaseEffect[]];

/** The state before the first event, `acquire`. */
export function initialLeaseState(identity: string, times: LeaseTimes): LeaseState {
  return {
    identity,
    times,
    role: 'none',
    isReleasing: false,
    isAsking: false,
    nextAt: Number.POSITIVE_INFINITY,
    leaderUntil: Number.NEGATIVE_INFINITY,
  };
}

/** Whether a candidate is the leader at a time. */
export function isLeaderAt({ role, isReleasing, leaderUntil }: LeaseState, at: number): boolean {
  return role === 'leader' && !isReleasing && at < leaderUntil;
}

function read(state: LeaseState): NextLeaseState {
  return [{ ...state, isAsking: true }, [{ do: 'read' }]];
}

function write(state: LeaseState, { at, time }: LeaseEvent): NextLeaseState {
  const { identity, times, role, isReleasing, seen } = state;
  const former = seen?.record;
  const record: LeaseRecord = {
    holderIdentity: isReleasing ? '' : identity,
    leaseDurationSeconds: isReleasing ? 1 : Math.ceil(times.lease / 1000),
    acquireTime: role === 'leader' && former !== undefined ? former.acquireTime : time,
    renewTime: time,
    leaseTransitions: (former?.leaseTransitions ?? 0) + (role === 'leader' || former === undefined ? 0 : 1),
  };
  return [
    { ...state, isAsking: true, sent: { record, at } },
    [{ do: 'write', record, ...(seen && { version: seen.version }) }],
  ];
}

function lost(state: LeaseState, reason: string): NextLeaseState {
  const next: LeaseState = { ...state, role: 'none', nextAt: Number.POSITIVE_INFINITY };
  return [next, [state.isReleasing ? { do: 'released' } : { do: 'lost', reason }]];
}

function released(state: LeaseState): NextLeaseState {
  return [{ ...state, role: 'none', nextAt: Number.POSITIVE_INFINITY }, [{ do: 'released' }]];
}

/** Releases the Lease if this candidate holds it. */
function release(state: LeaseState, event: LeaseEvent): NextLeaseState {
  if (state.isAsking) return [state, []];
  const isOurs = state.role === 'leader' && state.seen?.record.holderIdentity === state.identity;
  return isOurs ? write(state, event) : released(state);
}

function acquired(state: LeaseState, lease: StoredLease, sentAt: number, event: LeaseEvent): NextLeaseState {
  const { times, role } = state;
  const leaderUntil = sentAt + times.renewDeadline;
  const next: LeaseState = { ...state, seen: { ...lease, at: event.at }, nextAt: sentAt + times.retry };
  // Too late: it is renewed before it is used.
  if (role === 'candidate' && leaderUntil <= event.at && !state.isReleasing) return write(next, event);
  const leader: LeaseState = { ...next, role: 'leader', leaderUntil, failure: undefined };
  if (state.isReleasing) return release(leader, event);
  return [leader, role === 'candidate' ? [{ do: 'acquired' }] : []];
}

function decide(state: LeaseState, lease: StoredLease | undefined, event: LeaseEvent): NextLeaseState {
  const { identity, times, role, sent } = state;
  if (lease === undefined) return write({ ...state, seen: undefined }, event);
  const { holderIdentity: holder, renewTime, leaseDurationSeconds } = lease.record;
  // The answer to a write was lost.
  if (sent !== undefined && holder === identity && renewTime === sent.record.renewTime && role !== 'none')
    return acquired(state, lease, sent.at, event);
  const seen = state.seen?.version === lease.version ? state.seen : { ...lease, at: event.at };
  const next: LeaseState = { ...state, seen };
  if (role === 'leader')
    return holder === identity
      ? write(next, event)
      : lost(next, holder === '' ? 'the Lease has no holder' : `${holder} holds the Lease`);
  const expiresAt = seen.at + leaseDurationSeconds * 1000;
  if (holder === '' || expiresAt <= event.at) return write(next, event);
  return [{ ...next, nextAt: Math.min(event.at + times.retry, expiresAt) }, []];
}

type LeaseAnswer = Extract<LeaseEvent, { readonly kind: 'read' | 'written' | 'failed' }>;

function answeredRelease(state: LeaseState, event: LeaseAnswer): NextLeaseState {
  if (event.kind === 'read') return release({ ...state, seen: event.lease && { ...event.lease, at: event.at } }, event);
  // Another client may have changed another field of the Lease.
  const isAgain = event.kind === 'failed' && state.role === 'leader' && state.failure === undefined;
  return isAgain ? read({ ...state, failure: event.message }) : released(state);
}

function answered(asking: LeaseState, event: LeaseAnswer): NextLeaseState {
  const state: LeaseState = { ...asking, isAsking: false };
  const { times, role, sent, isReleasing } = state;
  const hasWritten = event.kind === 'written' && role !== 'none' && sent?.record.holderIdentity === state.identity;
  if (hasWritten) return acquired(state, event.lease, sent.at, event);
  if (isReleasing) return answeredRelease(state, event);
  if (role === 'none' || event.kind === 'written') return [state, []];
  if (event.kind === 'read') return decide(state, event.lease, event);
  return [{ ...state, failure: event.message, nextAt: event.at + times.retry }, []];
}

function advance(state: LeaseState, event: LeaseEvent): NextLeaseState {
  switch (event.kind) {
    case 'acquire': {
      const candidate: LeaseState = { ...state, role: 'candidate', isReleasing: false, nextAt: event.at };
      return state.isAsking ? [candidate, []] : read(candidate);
    }
    case 'release':
      return release({ ...state, isReleasing: true, failure: undefined }, event);
    case 'alarm':
      if (state.isAsking || state.role === 'none' || event.at < state.nextAt) return [state, []];
      return state.role === 'leader' && state.failure === undefined ? write(state, event) : read(state);
    case 'read':
    case 'written':
    case 'failed':
      return answered(state, event);
  }
}

/** The next state and the effects of an event. */
export function leaseStep(state: LeaseState, event: LeaseEvent): NextLeaseState {
  const isOver = state.role === 'leader' && !state.isReleasing && event.at >= state.leaderUntil;
  const [current, lossEffects] = isOver
    ? lost(state, `it was not renewed within ${state.times.renewDeadline / 1000} s: ${state.failure ?? 'no answer'}`)
    : [state, []];
  const [next, effects] = advance(current, event);
  const { role, isAsking, nextAt, leaderUntil } = next;
  const alarmAt = Math.min(
    isAsking || role === 'none' ? Number.POSITIVE_INFINITY : nextAt,
    role === 'leader' && !next.isReleasing ? leaderUntil : Number.POSITIVE_INFINITY,
  );
  return [next, [...lossEffects, ...effects, { do: 'set-alarm', at: alarmAt }]];
}
