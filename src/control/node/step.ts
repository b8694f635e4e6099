/**
 * The loop of a node as a function: from what it knows and what happens, to what it knows then and what it wants done. It has no clock and does
 * nothing itself: what it wants done is data, what came of it is an event, and so is time.
 *
 * One thing is under way at a time: a look, or an operation. So an outcome always belongs to the plan that is being carried out, and whatever
 * happens meanwhile is seen with the next look.
 */
import { withSettledLedger } from '../../domain/ownership/restored.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { describeProblem, type InputProblem } from '../../ports/input-problem.ts';
import { withChange } from '../coalescing.ts';
import type { Observation } from '../observation.ts';
import { nextLook } from './alarm.ts';
import { carriedOut, carryOnSeeing, end } from './carrying-out.ts';
import type { Effect } from './effect.ts';
import type { Source, TimedEvent } from './event.ts';
import { pauseAfter } from './failure.ts';
import { look } from './looking.ts';
import { plan } from './planning.ts';
import type { LoopState } from './state.ts';

/** Milliseconds after which it is said once more that states are not written: nothing else tells of it. */
const REMINDER = 600_000;

function changed(state: LoopState, source: Source, now: number): LoopState {
  const { changes } = state;
  return {
    ...state,
    changes: { ...withChange(changes, now), ofCluster: source === 'cluster' || changes?.ofCluster === true },
  };
}

function unreadable(
  state: LoopState,
  problems: readonly InputProblem[],
  now: number,
): readonly [LoopState, readonly Effect[]] {
  const { options, said } = state;
  const text = problems.map(describeProblem).join('\n');
  const failedLooks = state.failedLooks + 1;
  const next: LoopState = {
    ...state,
    activity: { kind: options.once ? 'ended' : 'resting' },
    round: undefined,
    said: new Map([...said, ['unreadable', text]]),
    failedLooks,
    lookAgainAt: now + pauseAfter(failedLooks),
  };
  return [
    next,
    [
      ...(said.get('unreadable') === text ? [] : [{ do: 'report', report: { kind: 'unreadable', problems } } as const]),
      ...(options.once ? [{ do: 'finish', isDone: false } as const] : []),
    ],
  ];
}

function observed(
  state: LoopState,
  reading: Reading<Observation>,
  purpose: 'plan' | 'look',
  now: number,
): readonly [LoopState, readonly Effect[]] {
  if (state.isStopping) return end(state);
  if (!reading.read) return unreadable(state, reading.problems, now);
  const { round } = state;
  const { cluster, node } = reading.value;
  const mayGoOn = purpose === 'look' && round?.observation.cluster === cluster;
  const goingOn = mayGoOn ? carryOnSeeing(state, round, withSettledLedger(node), now) : undefined;
  return goingOn ?? plan(state, reading.value, now);
}

function published(
  state: LoopState,
  refused: ReadonlyMap<string, string>,
  now: number,
): readonly [LoopState, readonly Effect[]] {
  if (refused.size === 0) {
    const next: LoopState = { ...state, failedPublications: 0, unpublished: undefined };
    // A look that began before may have found what stood there before, and the API does not tell us of what we write.
    return [state.looks > state.publishedAfter ? changed(next, 'node', now) : next, []];
  }
  const failedPublications = state.failedPublications + 1;
  // The next look finds that they are not written, and wants it again.
  const lookAgainAt = Math.min(state.lookAgainAt, now + pauseAfter(failedPublications));
  const text = JSON.stringify([...refused]);
  const { unpublished } = state;
  const isSaid = unpublished?.text === text && now < unpublished.saidAt + REMINDER;
  return [
    { ...state, failedPublications, lookAgainAt, unpublished: isSaid ? unpublished : { text, saidAt: now } },
    isSaid ? [] : [{ do: 'report', report: { kind: 'unpublished', refused } }],
  ];
}

function advance(state: LoopState, event: TimedEvent): readonly [LoopState, readonly Effect[]] {
  const { activity } = state;
  switch (event.kind) {
    case 'changed':
      return [changed(state, event.source, event.at), []];
    case 'alarm':
      return activity.kind === 'resting' && event.at >= nextLook(state) ? look(state, 'plan') : [state, []];
    case 'observed':
      if (activity.kind !== 'observing' || event.look !== state.looks) return [state, []];
      return observed(state, event.observation, activity.purpose, event.at);
    case 'carried-out':
      return carriedOut(state, event.plan, event.result, event.at);
    case 'published':
      return published(state, event.refused, event.at);
    case 'stop': {
      const stopping: LoopState = { ...state, isStopping: true };
      // What is under way comes to its end first.
      return activity.kind === 'resting' ? end(stopping) : [stopping, []];
    }
  }
}

/** What the loop makes of an event. */
export function step(state: LoopState, event: TimedEvent): readonly [LoopState, readonly Effect[]] {
  // What was published last may come to nothing after that.
  if (state.activity.kind === 'ended') {
    return event.kind === 'published' ? [state, published(state, event.refused, event.at)[1]] : [state, []];
  }
  const [next, effects] = advance(state, event);
  if (next.activity.kind !== 'resting') return [next, effects];
  return [next, [...effects, { do: 'set-alarm', at: nextLook(next) }]];
}
