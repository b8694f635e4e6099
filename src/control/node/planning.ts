import { isSameList } from '../../domain/basics/incremental/list-changes.ts';
import { uplinkWays } from '../../domain/dataplane/uplink-ways.ts';
import { diffNode } from '../../domain/diff/diff-node.ts';
import { isSameLedger } from '../../domain/snapshot/ledger.ts';
import { movedDevice, partsOf } from '../../domain/entities/operations/operation.ts';
import { withSettledLedger } from '../../domain/entities/ownership/restored.ts';
import type { NodePlan } from '../../domain/plan/node-plan.ts';
import { viewNode } from '../../domain/snapshot/node-view.ts';
import type { NodeSettings } from '../../domain/snapshot/settings.ts';
import { planNode } from '../../domain/plan/plan-node.ts';
import { registrationToStore } from '../../domain/plan/registration/registration-to-store.ts';
import type { NodeReport } from '../../ports/node/node-report.ts';
import type { Observation } from '../observation.ts';
import { RESYNC_INTERVAL } from '../time.ts';
import { proceed } from './applying.ts';
import { isLateAt } from './awaited.ts';
import { detectDrift } from './drift.ts';
import type { Effect, Publication } from './effect.ts';
import { ignoredOf, warned, withoutIgnored } from './ignored-operations.ts';
import { changedReports, networkCounts, type PlanProgress, statesToWrite, desiredStates } from './network-results.ts';
import { isIntentChanged } from './relevant-changes.ts';
import { type Schedule, schedule, type Task } from './schedule.ts';
import type { Execution, LoopState, Ways } from './state.ts';
import { readinessOfNetworks } from './logical-network-results.ts';

function reportEffects(reports: readonly NodeReport[]): readonly Effect[] {
  return reports.map((report) => ({ do: 'report', report }));
}

/** The operations applied so far; forgotten once the intent changes. */
function doneBefore({ execution, done, options }: LoopState, { cluster, node }: Observation): LoopState['done'] {
  const before = execution?.observation.cluster;
  if (before === undefined || done.length === 0 || before === cluster) return done;
  return isIntentChanged(before, cluster, node.nodeName, options) ? [] : done;
}

/** The progress of a plan: a network is under way while it has waiting or queued operations. */
function progressOf({ nodePlan, operations }: Task, observation: Observation, scheduled: Schedule): PlanProgress {
  const { queue, failures } = scheduled;
  const waiting = operations.filter((operation) => !partsOf(operation).every((part) => failures.has(part)));
  const underWay = new Set([...queue, ...waiting].flatMap(partsOf));
  return { nodePlan, observation, failures, underWay };
}

/** The report on a plan: for the first plan, and for the first that changes something. */
function planReports(
  { execution, done }: LoopState,
  { plan: number, nodePlan, queue }: Execution,
  { operations }: Task,
): readonly NodeReport[] {
  if (execution !== undefined && (queue.length === 0 || done.length > 0)) return [];
  return [{ kind: 'planned', plan: number, networks: nodePlan.networks.length, operations: operations.length }];
}

/** The ways of networks from the wire; undefined where the node is not known, so that everything stays as it is. */
function waysOf(
  { dataplane: { programmed, kept, isUnknown } }: NodePlan,
  { node }: Observation,
  settings: NodeSettings,
): Ways | undefined {
  if (isUnknown === true) return undefined;
  return { ways: uplinkWays(programmed, settings, viewNode(node)), held: kept.map(({ networkName }) => networkName) };
}

function isSameWays(one: Ways, other: Ways | undefined): boolean {
  return other?.ways === one.ways && isSameList(one.held, other.held);
}

/** Plans for an observation, reports what has changed, and starts to apply the plan. */
export function plan(
  before: LoopState,
  observation: Observation,
  now: number,
): readonly [LoopState, readonly Effect[]] {
  const state: LoopState = { ...before, done: doneBefore(before, observation) };
  const planned = planNode(observation.cluster, observation.node, state.options.settings);
  const all: Task = {
    nodePlan: planned,
    node: withSettledLedger(observation.node),
    operations: diffNode(planned, observation.node),
    now,
  };
  const ignored = ignoredOf(all.operations, all.node, state.ignored, state.done);
  const nodePlan = warned(planned, ignored);
  const task: Task = { ...all, nodePlan, operations: withoutIgnored(all.operations, ignored) };
  const drift = detectDrift(state, task);
  const scheduled = schedule(state, task);
  const { queue, failures, refusals, awaited } = scheduled;
  const progress = progressOf(task, observation, scheduled);
  const { reported, reports } = changedReports(state.reported, progress);
  const desired = desiredStates(progress);
  const states = statesToWrite(desired, observation.cluster);
  const { registration: desiredRegistration, zones = [] } = nodePlan;
  const registration = (
    desiredRegistration === undefined
      ? []
      : registrationToStore(desiredRegistration, zones, readinessOfNetworks(progress))
  ).map((write) => ({ write }));
  const publication: Publication = { registration, states };
  const isPublishing = states.length + registration.length > 0;
  const execution: Execution = {
    plan: state.plans + 1,
    nodePlan,
    observation,
    states: desired,
    planned: { node: task.node, moving: new Set(queue.flatMap((operation) => movedDevice(operation) ?? [])) },
    node: task.node,
    isFresh: true,
    isLedgerWritten: isSameLedger(task.node.ledger, observation.node.ledger),
    queue,
  };
  const ways = waysOf(nodePlan, observation, state.options.settings);
  const next: LoopState = {
    ...state,
    ...(ways && { ways }),
    activity: { kind: 'resting' },
    plans: execution.plan,
    execution,
    refused: undefined,
    refusals,
    awaited,
    failures,
    ignored,
    expected: drift.expected,
    drifts: drift.drifts,
    reported,
    failedObservations: 0,
    plannedAt: now,
    observeAgainAt: now + RESYNC_INTERVAL,
    isRegistering: registration.length > 0,
    ...(isPublishing ? { publishedAfter: state.observations } : { unpublished: undefined }),
  };
  const effects: readonly Effect[] = [
    ...reportEffects([
      ...(ways === undefined || isSameWays(ways, state.ways) ? [] : [{ kind: 'ways', ...ways } as const]),
      ...planReports(state, execution, task),
      ...drift.reports,
      ...scheduled.reports,
      ...reports,
    ]),
    ...(isPublishing ? [{ do: 'publish', publication } as const] : []),
  ];
  if (queue.length === 0) return settle(next, execution, effects, networkCounts(progress), now);
  const [after, more] = proceed(next, now);
  return [after, [...effects, ...more]];
}

/** Rests: no operation can be applied now. */
function settle(
  state: LoopState,
  execution: Execution,
  effects: readonly Effect[],
  networks: ReadonlyMap<string, number>,
  now: number,
): readonly [LoopState, readonly Effect[]] {
  const { busySince, done, options, failures, refusals, awaited, plannedAt, isRegistering } = state;
  // Transient refusals are retried soon, and what is awaited comes.
  const isAwaited = [...awaited].some(([what, since]) => plannedAt < isLateAt(what, since));
  const isOver = refusals.size === 0 && !isAwaited;
  const report: NodeReport = {
    kind: 'settled',
    networks,
    ...(busySince !== undefined && done.length > 0 && isOver && { milliseconds: now - busySince }),
  };
  // Operations may follow once the registration is observed as stored.
  const isEnding = options.once && isOver && !isRegistering;
  return [
    {
      ...state,
      done: [],
      busySince: isOver ? undefined : busySince,
      execution: { ...execution, isLedgerWritten: true },
      activity: { kind: isEnding ? 'ended' : 'resting' },
    },
    [
      ...effects,
      ...(execution.isLedgerWritten ? [] : [{ do: 'write-ledger', ledger: execution.node.ledger } as const]),
      { do: 'report', report },
      ...(isEnding ? [{ do: 'finish', isDone: failures.size === 0 } as const] : []),
    ],
  ];
}
