/**
 * The cluster's loop as a function: from what it knows and what happens, to what it knows then and what it wants done. As the loop of a node it has
 * no clock, and one thing is under way at a time: a look, or the writing of what came of it.
 */
import { planCluster } from '../../domain/plan/plan-cluster.ts';
import type { ClusterSettings } from '../../domain/snapshot/settings.ts';
import type { ClusterReport } from '../../ports/cluster-report.ts';
import type { ClusterReading } from '../../ports/cluster-source.ts';
import { describeProblem, describeWarning, type InputProblem, type Reading } from '../../ports/input-problem.ts';
import { coalescedAt, type UnseenChanges, withChange } from '../coalescing.ts';
import { type Writes, writesOf } from './writes.ts';

/** Milliseconds after which everything is looked at again, though nobody has said that anything changed. */
const RESYNC = 60_000;

/** Milliseconds until it is tried again after a failure, the first time and at most. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [1000, 60_000];

/** Something that the loop is told, and when, in milliseconds of a clock that only goes forward. */
export type ClusterEvent = { readonly at: number } & (
  | { readonly kind: 'changed' }
  | { readonly kind: 'alarm' }
  | { readonly kind: 'observed'; readonly reading: Reading<ClusterReading> }
  /** Objects that could not be written, by `Kind/name` with the reason. */
  | { readonly kind: 'written'; readonly refused: ReadonlyMap<string, string> }
  | { readonly kind: 'stop' }
);

/** Something that the loop wants done. */
export type ClusterEffect =
  | { readonly do: 'observe' }
  | { readonly do: 'write'; readonly writes: Writes }
  | { readonly do: 'set-alarm'; readonly at: number }
  | { readonly do: 'report'; readonly report: ClusterReport }
  | { readonly do: 'finish'; readonly isDone: boolean };

/** What the loop is to do. */
export interface ClusterOptions {
  readonly settings: ClusterSettings;
  /** Whether it ends as soon as everything is written. */
  readonly once: boolean;
}

/** Everything that the loop knows. */
export interface ClusterState {
  readonly options: ClusterOptions;
  readonly activity: 'resting' | 'observing' | 'writing' | 'ended';
  readonly isStopping: boolean;
  readonly changes?: UnseenChanges | undefined;
  /** How often reading or writing has failed in a row. */
  readonly failures: number;
  readonly lookAgainAt: number;
  /** What was said last, each under what it is about. */
  readonly said: ReadonlyMap<string, string>;
  /** How many conditions there are, by kind and reason. */
  readonly conditions: ReadonlyMap<string, number>;
}

type Next = readonly [ClusterState, readonly ClusterEffect[]];

/** The loop before its first event, which is that everything may have changed. */
export function initialClusterState(options: ClusterOptions): ClusterState {
  return {
    options,
    activity: 'resting',
    isStopping: false,
    failures: 0,
    lookAgainAt: Number.POSITIVE_INFINITY,
    said: new Map(),
    conditions: new Map(),
  };
}

function nextLook({ changes, lookAgainAt }: ClusterState): number {
  return Math.min(coalescedAt(changes), lookAgainAt);
}

function end(state: ClusterState, isDone: boolean): Next {
  return [{ ...state, activity: 'ended' }, [{ do: 'finish', isDone }]];
}

/** Ends as somebody wants it. What was to be done once is not done then. */
function interrupted(state: ClusterState): Next {
  return end(state, !state.options.once);
}

function pauseAfter(failures: number): number {
  return Math.min(FIRST_PAUSE * 2 ** (failures - 1), LONGEST_PAUSE);
}

function unreadable(state: ClusterState, problems: readonly InputProblem[], now: number): Next {
  const text = problems.map(describeProblem).join('\n');
  const failures = state.failures + 1;
  const isNew = state.said.get('unreadable') !== text;
  const next: ClusterState = {
    ...state,
    activity: 'resting',
    failures,
    lookAgainAt: now + pauseAfter(failures),
    said: new Map([...state.said, ['unreadable', text]]),
  };
  const report: ClusterEffect = { do: 'report', report: { kind: 'unreadable', problems } };
  const [ended, effects] = state.options.once ? end(next, false) : [next, []];
  return [ended, [...(isNew ? [report] : []), ...effects]];
}

function planned(state: ClusterState, { snapshot, warnings }: ClusterReading): Next {
  const plan = planCluster(snapshot, state.options.settings);
  const conditions = [
    ...plan.uplinks.map(({ name, condition }) => ({ kind: 'Uplink', name, condition })),
    ...plan.networks.map(({ name, condition }) => ({ kind: 'ClusterUserDefinedNetwork', name, condition })),
  ];
  const counts = new Map<string, number>();
  for (const { kind, condition } of conditions) {
    const key = `${kind} ${condition.reason}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const reports: readonly (readonly [string, ClusterReport])[] = [
    ...conditions.map(({ kind, name, condition }) => {
      const object = `${kind}/${name}`;
      return [object, { kind: 'condition', object, ...condition }] as const;
    }),
    ...plan.deletions.map((name) => [`deleted ${name}`, { kind: 'deleted', state: name }] as const),
    ...[...warnings, ...plan.warnings].map((warning) => {
      const text = describeWarning(warning);
      return [`warning ${text}`, { kind: 'warning', text }] as const;
    }),
  ];
  const said = new Map(reports.map(([about, report]) => [about, JSON.stringify(report)]));
  const news = reports.filter(([about]) => state.said.get(about) !== said.get(about));
  return [
    { ...state, activity: 'writing', said, conditions: counts },
    [
      ...news.map(([, report]): ClusterEffect => ({ do: 'report', report })),
      { do: 'write', writes: writesOf(plan, snapshot) },
    ],
  ];
}

function written(state: ClusterState, refused: ReadonlyMap<string, string>, now: number): Next {
  const failures = refused.size === 0 ? 0 : state.failures + 1;
  const next: ClusterState = {
    ...state,
    activity: 'resting',
    failures,
    lookAgainAt: now + (failures === 0 ? RESYNC : pauseAfter(failures)),
  };
  const report: ClusterEffect = { do: 'report', report: { kind: 'settled', refused, conditions: state.conditions } };
  const [ended, effects] = state.options.once || state.isStopping ? end(next, refused.size === 0) : [next, []];
  return [ended, [report, ...effects]];
}

function advance(state: ClusterState, event: ClusterEvent): Next {
  switch (event.kind) {
    case 'changed':
      return [{ ...state, changes: withChange(state.changes, event.at) }, []];
    case 'alarm':
      if (state.activity !== 'resting' || event.at < nextLook(state)) return [state, []];
      return [{ ...state, activity: 'observing', changes: undefined }, [{ do: 'observe' }]];
    case 'observed':
      if (state.isStopping) return interrupted(state);
      return event.reading.read
        ? planned(state, event.reading.value)
        : unreadable(state, event.reading.problems, event.at);
    case 'written':
      return written(state, event.refused, event.at);
    case 'stop': {
      const stopping = { ...state, isStopping: true };
      return state.activity === 'resting' ? interrupted(stopping) : [stopping, []];
    }
  }
}

/** What the loop makes of an event. */
export function clusterStep(state: ClusterState, event: ClusterEvent): Next {
  if (state.activity === 'ended') return [state, []];
  const [next, effects] = advance(state, event);
  return next.activity === 'resting' ? [next, [...effects, { do: 'set-alarm', at: nextLook(next) }]] : [next, effects];
}
