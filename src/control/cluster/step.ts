/**
 * The cluster loop as a function from a state and an event to the next state and effects. Like the node loop it has no clock and one effect at a
 * time: it observes, or writes the results.
 */
import { planCluster } from '../../domain/plan/cluster/plan-cluster.ts';
import { objectText } from '../../domain/objects/object-write.ts';
import type { ClusterSettings } from '../../domain/snapshot/settings.ts';
import { backoffDelay, RETRY_BACKOFF } from '../../ports/backoff.ts';
import type { ClusterReport } from '../../ports/cluster/cluster-report.ts';
import type { ClusterReading } from '../../ports/cluster/cluster-source.ts';
import { describeProblem, type InputProblem, type Reading } from '../../ports/input-problem.ts';
import { coalescedAt, type PendingChanges, withChange } from '../coalescing.ts';
import { noRetries, type Retries, retriesAfter } from '../retries.ts';
import type { PlannedWrite } from '../../domain/objects/planned-write.ts';
import { RESYNC_INTERVAL, type Timed } from '../time.ts';
import { countsOf, reportsOf, reportText } from './reports.ts';
import { type StatusToWrite, textOf, type Writes, writesOf } from './writes.ts';

/** Minimum milliseconds between a write of an object and one that changes only a message (docs/design/api-decisions.md, "Writes"). */
const MESSAGE_INTERVAL = 5000;

/** An event of the loop. */
export type ClusterEvent =
  | { readonly kind: 'changed' }
  | { readonly kind: 'alarm' }
  | { readonly kind: 'observed'; readonly reading: Reading<ClusterReading> }
  /**
   * @param refused objects that could not be written, by `Kind/name` with the reason
   * @param random from 0 to 1, for the jitter of the next attempt
   * @param began when the writes began, which is when the plan was done
   */
  | {
      readonly kind: 'written';
      readonly refused: ReadonlyMap<string, string>;
      readonly random?: number;
      readonly began?: number;
    }
  | { readonly kind: 'stop' };

/** An effect, run by `ClusterLoop`. */
export type ClusterEffect =
  | { readonly do: 'observe' }
  | { readonly do: 'write'; readonly writes: Writes }
  | { readonly do: 'set-alarm'; readonly at: number }
  | { readonly do: 'report'; readonly report: ClusterReport }
  | { readonly do: 'finish'; readonly isDone: boolean };

/** How the loop runs. */
export interface ClusterOptions {
  readonly settings: ClusterSettings;
  /** Whether it stops as soon as everything is written. */
  readonly once: boolean;
}

/** The state of the loop. */
export interface ClusterState {
  readonly options: ClusterOptions;
  readonly activity: 'resting' | 'observing' | 'writing' | 'ended';
  readonly isStopping: boolean;
  readonly changes?: PendingChanges | undefined;
  /** The number of plans so far. */
  readonly plans: number;
  /** Consecutive failed attempts to read. */
  readonly failures: number;
  readonly retries: Retries;
  readonly observeAgainAt: number;
  /** When the last plan was begun. */
  readonly plannedAt: number;
  /** Until when nothing is observed: in a large cluster that changes all the time, the API server's answers would wait for one plan after the other. */
  readonly restsUntil: number;
  /** The last report on each object and warning, as text; undefined for what is not reported yet. */
  readonly reported: ReadonlyMap<string, string | undefined>;
  /** The number of conditions by kind and reason. */
  readonly conditions: ReadonlyMap<string, number>;
  /** When objects were written, by `Kind/name`; at least those written within the last `MESSAGE_INTERVAL`. */
  readonly writtenAt: ReadonlyMap<string, number>;
  /** Changed messages that are written later. */
  readonly postponed: readonly StatusToWrite[];
  /** The last writes for networks that ovn-uplinks provides, as text, and the objects that they write. */
  readonly provision: { readonly text: string; readonly objects: readonly string[]; readonly isRepeated: boolean };
}

type Written = Extract<ClusterEvent, { readonly kind: 'written' }>;
type NextState = readonly [ClusterState, readonly ClusterEffect[]];

/** The state before the first event, `changed`. */
export function initialClusterState(options: ClusterOptions): ClusterState {
  return {
    options,
    activity: 'resting',
    isStopping: false,
    plans: 0,
    failures: 0,
    retries: noRetries,
    observeAgainAt: Number.POSITIVE_INFINITY,
    plannedAt: 0,
    restsUntil: Number.NEGATIVE_INFINITY,
    reported: new Map(),
    conditions: new Map(),
    writtenAt: new Map(),
    postponed: [],
    provision: { text: '', objects: [], isRepeated: false },
  };
}

/** The object of a write. */
const objectOf = ({ write }: PlannedWrite) => objectText(write);

/** When a changed message of an object may be written. */
function messageAt({ writtenAt }: ClusterState, status: StatusToWrite): number {
  return (writtenAt.get(objectText(status.write)) ?? Number.NEGATIVE_INFINITY) + MESSAGE_INTERVAL;
}

function nextObservationAt(state: ClusterState): number {
  const { changes, observeAgainAt, restsUntil, postponed } = state;
  const isDueAt = Math.min(
    coalescedAt(changes),
    observeAgainAt,
    ...postponed.map((status) => messageAt(state, status)),
  );
  return Math.max(isDueAt, restsUntil);
}

/** Stops after the postponed writes. */
function end(state: ClusterState, isDone: boolean): NextState {
  const { postponed } = state;
  if (postponed.length === 0) return [{ ...state, activity: 'ended' }, [{ do: 'finish', isDone }]];
  const writing: ClusterState = { ...state, activity: 'writing', postponed: [] };
  return [writing, [{ do: 'write', writes: { provision: [], services: [], statuses: postponed, deletions: [] } }]];
}

/** Stops on request. A single pass is then incomplete. */
function interrupted(state: ClusterState): NextState {
  return end(state, !state.options.once);
}

function unreadable(state: ClusterState, problems: readonly InputProblem[], now: number): NextState {
  const text = problems.map(describeProblem).join('\n');
  const failures = state.failures + 1;
  const isReported = state.reported.get('unreadable') === text;
  const next: ClusterState = {
    ...state,
    activity: 'resting',
    failures,
    observeAgainAt: now + backoffDelay(RETRY_BACKOFF, failures),
    reported: new Map([...state.reported, ['unreadable', text]]),
  };
  const report: ClusterEffect = { do: 'report', report: { kind: 'unreadable', problems } };
  const [ended, effects] = state.options.once ? end(next, false) : [next, []];
  return [ended, [...(isReported ? [] : [report]), ...effects]];
}

function planned(state: ClusterState, { snapshot, warnings }: ClusterReading, now: number): NextState {
  const plan = planCluster(snapshot, state.options.settings);
  const { provision, services, statuses, deletions } = writesOf(plan, snapshot, state.provision.text);
  const text = textOf(provision);
  const isPostponed = (status: StatusToWrite) => status.isMessageOnly && now < messageAt(state, status);
  const written = statuses.filter((status) => !isPostponed(status));
  const postponed = statuses.filter(isPostponed);
  const unchanged = new Set([...postponed, ...written.filter(({ awaited }) => awaited.length > 0)].map(objectOf));
  const reports = reportsOf(plan, provision, warnings);
  const isUnchanged = (report: ClusterReport) => report.kind === 'condition' && unchanged.has(report.object);
  const reported = new Map(
    [...reports].map(([about, report]) => [
      about,
      isUnchanged(report) ? state.reported.get(about) : reportText(report),
    ]),
  );
  const recent = [...state.writtenAt].filter(([, at]) => now < at + MESSAGE_INTERVAL);
  return [
    {
      ...state,
      activity: 'writing',
      plans: state.plans + 1,
      plannedAt: now,
      reported,
      conditions: countsOf(plan),
      writtenAt: new Map([...recent, ...written.map((status) => [objectOf(status), now] as const)]),
      postponed,
      provision: { text, objects: provision.map(objectOf), isRepeated: text === state.provision.text },
    },
    [
      ...[...reports]
        .filter(([about]) => state.reported.get(about) !== reported.get(about))
        .map(([, report]): ClusterEffect => ({ do: 'report', report })),
      { do: 'write', writes: { provision, services, statuses: written, deletions } },
    ],
  ];
}

function written(
  state: ClusterState,
  { refused, random, at: now, began = state.plannedAt }: Timed<Written>,
): NextState {
  const retries = retriesAfter(state.retries, new Set(refused.keys()), now, random);
  const { objects, isRepeated } = state.provision;
  // What has been written changes the plan: ids can be used once they are claimed, and finalizers end with the last NetworkAttachmentDefinition.
  const isContinued = !isRepeated && objects.some((object) => !refused.has(object));
  const next: ClusterState = {
    ...state,
    activity: 'resting',
    failures: 0,
    retries,
    // Half of the time, at least, is for others.
    restsUntil: now + (began - state.plannedAt),
    observeAgainAt: isContinued ? now : Math.min(now + RESYNC_INTERVAL, retries.at),
    writtenAt: new Map([...state.writtenAt].filter(([object]) => !refused.has(object))),
  };
  const report: ClusterEffect = { do: 'report', report: { kind: 'settled', refused, conditions: state.conditions } };
  const isLast = (state.options.once && !isContinued) || state.isStopping;
  const [ended, effects] = isLast ? end(next, refused.size === 0) : [next, []];
  return [ended, [report, ...effects]];
}

function advance(state: ClusterState, event: Timed<ClusterEvent>): NextState {
  switch (event.kind) {
    case 'changed':
      return [{ ...state, changes: withChange(state.changes, event.at) }, []];
    case 'alarm':
      if (state.activity !== 'resting' || event.at < nextObservationAt(state)) return [state, []];
      return [{ ...state, activity: 'observing', changes: undefined }, [{ do: 'observe' }]];
    case 'observed':
      if (state.isStopping) return interrupted(state);
      return event.reading.read
        ? planned(state, event.reading.value, event.at)
        : unreadable(state, event.reading.problems, event.at);
    case 'written':
      return written(state, event);
    case 'stop': {
      const stopping = { ...state, isStopping: true };
      return state.activity === 'resting' ? interrupted(stopping) : [stopping, []];
    }
  }
}

/** The next state and the effects of an event. */
export function clusterStep(state: ClusterState, event: Timed<ClusterEvent>): NextState {
  if (state.activity === 'ended') return [state, []];
  const [next, effects] = advance(state, event);
  if (next.activity !== 'resting') return [next, effects];
  return [next, [...effects, { do: 'set-alarm', at: nextObservationAt(next) }]];
}
