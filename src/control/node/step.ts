/**
 * The loop of a node as a function of its state and an event, to its next state and effects. It has no clock and no side effects: effects are data,
 * results and the time come as events.
 *
 * One effect is under way at a time, an observation or an operation. So a result always belongs to the current plan, and what happens meanwhile is
 * seen by the next observation.
 */
import { withSettledLedger } from '../../domain/entities/ownership/restored.ts';
import { backoffDelay, RETRY_BACKOFF } from '../../ports/backoff.ts';
import { describeProblem, type InputProblem, type Reading } from '../../ports/input-problem.ts';
import { coalescedAt, withChange } from '../coalescing.ts';
import type { Observation } from '../observation.ts';
import { noRetries, retriesAfter } from '../retries.ts';
import type { Timed } from '../time.ts';
import { applied, proceedWith, end } from './applying.ts';
import type { Effect } from './effect.ts';
import type { ChangeSource, NodeEvent } from './event.ts';
import { nextObservationAt } from './observation/next-observation.ts';
import { everyPart, outdatedBy } from './observation/node-part.ts';
import { plan } from './planning.ts';
import { isOfRegistration } from './publications.ts';
import { isPlanAffected } from './relevant-changes.ts';
import { startObservation } from './observation/start-observation.ts';
import type { LoopState, ObservationPurpose } from './state.ts';
import { waitForSwitches } from './waiting.ts';

/** Milliseconds after which it is reported again that states are not written: nothing else shows it. */
const REMINDER_INTERVAL = 600_000;

function changed(state: LoopState, source: ChangeSource, now: number): LoopState {
  const { changes, outdated } = state;
  return {
    ...state,
    outdated: source === 'cluster' ? outdated : outdatedBy(source, outdated),
    changes: { ...withChange(changes, now), ofCluster: source === 'cluster' || changes?.ofCluster === true },
  };
}

function unreadable(
  state: LoopState,
  problems: readonly InputProblem[],
  now: number,
): readonly [LoopState, readonly Effect[]] {
  const { options, reported } = state;
  const text = problems.map(describeProblem).join('\n');
  const failedObservations = state.failedObservations + 1;
  const next: LoopState = {
    ...state,
    activity: { kind: options.once ? 'ended' : 'resting' },
    execution: undefined,
    reported: new Map([...reported, ['unreadable', text]]),
    failedObservations,
    outdated: everyPart,
    observeAgainAt: now + backoffDelay(RETRY_BACKOFF, failedObservations),
  };
  const isReported = reported.get('unreadable') === text;
  return [
    next,
    [
      ...(isReported ? [] : [{ do: 'report', report: { kind: 'unreadable', problems } } as const]),
      ...(options.once ? [{ do: 'finish', isDone: false } as const] : []),
    ],
  ];
}

function observed(
  state: LoopState,
  reading: Reading<Observation>,
  purpose: ObservationPurpose,
  now: number,
): readonly [LoopState, readonly Effect[]] {
  if (state.isStopping) return end(state);
  if (!reading.read) return unreadable(state, reading.problems, now);
  const { execution, options } = state;
  const { value: observation } = reading;
  if (purpose === 'continue' && execution !== undefined && !isPlanAffected(execution, observation.cluster, options)) {
    const node = withSettledLedger(observation.node);
    const continued = proceedWith(state, execution, { observation, node }, now);
    if (continued !== undefined) return continued;
  }
  const waiting = purpose === 'plan' ? waitForSwitches(state, observation, now) : undefined;
  return waiting === undefined ? plan(state, observation, now) : [waiting, []];
}

function published(
  state: LoopState,
  { refused, random, at: now }: Timed<Extract<NodeEvent, { readonly kind: 'published' }>>,
): readonly [LoopState, readonly Effect[]] {
  if (refused.size === 0) {
    const next: LoopState = { ...state, publicationRetries: noRetries, unpublished: undefined };
    // An observation that began before may have read the former states, and a store need not report our writes.
    return [state.observations > state.publishedAfter ? changed(next, 'cluster', now) : next, []];
  }
  const publicationRetries = retriesAfter(state.publicationRetries, new Set(refused.keys()), now, random);
  // The next plan publishes them again.
  const observeAgainAt = Math.min(state.observeAgainAt, publicationRetries.at);
  const text = JSON.stringify([...refused]);
  const { unpublished, options, activity, isRegistering } = state;
  const isReported = unpublished?.text === text && now < unpublished.reportedAt + REMINDER_INTERVAL;
  // A single pass does not retry, and waits for nothing else.
  const isEnding =
    options.once && activity.kind === 'resting' && isRegistering && [...refused.keys()].some(isOfRegistration);
  return [
    {
      ...state,
      ...(isEnding && { activity: { kind: 'ended' } as const }),
      publicationRetries,
      observeAgainAt,
      unpublished: isReported ? unpublished : { text, reportedAt: now },
    },
    [
      ...(isReported ? [] : [{ do: 'report', report: { kind: 'unpublished', refused } } as const]),
      ...(isEnding ? [{ do: 'finish', isDone: false } as const] : []),
    ],
  ];
}

function advance(state: LoopState, event: Timed<NodeEvent>): readonly [LoopState, readonly Effect[]] {
  const { activity } = state;
  switch (event.kind) {
    case 'changed':
      return [changed(state, event.source, event.at), []];
    case 'alarm': {
      const isDue = activity.kind === 'resting' && event.at >= nextObservationAt(state);
      if (!isDue) return [state, []];
      // A retry or a resync is for what is not reported.
      const isReported = event.at >= coalescedAt(state.changes);
      return startObservation(isReported ? state : { ...state, outdated: everyPart }, 'plan');
    }
    case 'observed':
      if (activity.kind !== 'observing' || event.observation !== state.observations) return [state, []];
      return observed(state, event.reading, activity.purpose, event.at);
    case 'applied':
      return applied(state, event.plan, event.result, event.at);
    case 'published':
      return published(state, event);
    case 'stop': {
      const stopping: LoopState = { ...state, isStopping: true };
      // The current operation is completed first.
      return activity.kind === 'resting' ? end(stopping) : [stopping, []];
    }
  }
}

/** The next state and the effects of an event. */
export function step(state: LoopState, event: Timed<NodeEvent>): readonly [LoopState, readonly Effect[]] {
  // The last publication may fail after the loop has stopped.
  if (state.activity.kind === 'ended') {
    return event.kind === 'published' ? [state, published(state, event)[1]] : [state, []];
  }
  const [next, effects] = advance(state, event);
  if (next.activity.kind !== 'resting') return [next, effects];
  return [next, [...effects, { do: 'set-alarm', at: nextObservationAt(next) }]];
}
