import { diffNode } from '../../domain/diff/diff-node.ts';
import { isSameLedger } from '../../domain/snapshot/ledger.ts';
import { withSettledLedger } from '../../domain/ownership/restored.ts';
import { planNode } from '../../domain/plan/plan-node.ts';
import type { Observation } from '../observation.ts';
import { carryOn } from './carrying-out.ts';
import { noticeDrift } from './drift.ts';
import type { Effect } from './effect.ts';
import { judge, type Judgement, type Task } from './judgement.ts';
import type { LoopState, Round } from './state.ts';
import { networkCounts, news, type Progress, statesToWrite } from './verdicts.ts';
import type { NodeReport } from '../../ports/node-report.ts';

/** Milliseconds after which everything is looked at again, though nobody has said that anything changed. */
const RESYNC = 60_000;

function reported(reports: readonly NodeReport[]): readonly Effect[] {
  return reports.map((report) => ({ do: 'report', report }));
}

/** Whether somebody wants something else than when it was planned last. */
function isNewWish({ round, done }: LoopState, { cluster }: Observation): boolean {
  if (round === undefined || done.size === 0 || round.observation.cluster === cluster) return false;
  const wishes = (snapshot: Observation['cluster']) => JSON.stringify({ ...snapshot, uplinkStates: [] });
  return wishes(round.observation.cluster) !== wishes(cluster);
}

/** A plan of which nothing has been done yet. */
function newRound(number: number, { nodePlan, node }: Task, observation: Observation, queue: Round['queue']): Round {
  return {
    plan: number,
    nodePlan,
    observation,
    node,
    isFresh: true,
    isLedgerWritten: isSameLedger(node.ledger, observation.node.ledger),
    queue,
  };
}

/** What a plan has come to by now: whoever waits for something, or has it done, is under way. */
function progressOf({ nodePlan, operations }: Task, observation: Observation, judgement: Judgement): Progress {
  const { queue, failures } = judgement;
  const waiting = operations.filter(({ networks }) => !networks.every((network) => failures.has(network)));
  const underWay = new Set([...queue, ...waiting].flatMap(({ networks }) => networks));
  return { nodePlan, observation, failures, underWay };
}

/** What is said of a plan itself: at the start, and where it is the first of those that bring about something new. */
function announcement(
  { round, done }: LoopState,
  { plan: number, nodePlan, queue }: Round,
  { operations }: Task,
): readonly NodeReport[] {
  if (round !== undefined && (queue.length === 0 || done.size > 0)) return [];
  return [{ kind: 'planned', plan: number, networks: nodePlan.networks.length, operations: operations.length }];
}

/** Decides everything anew for what was observed, says what there is to be said, and goes on with what there is to be done. */
export function plan(
  before: LoopState,
  observation: Observation,
  now: number,
): readonly [LoopState, readonly Effect[]] {
  // What was done for another wish may be asked for again.
  const state: LoopState = isNewWish(before, observation) ? { ...before, done: new Set() } : before;
  const nodePlan = planNode(observation.cluster, observation.node, state.options.settings);
  const operations = diffNode(nodePlan, observation.node);
  const task: Task = { nodePlan, node: withSettledLedger(observation.node), operations, now };
  const drift = noticeDrift(state, task);
  const judgement = judge(state, task);
  const { queue, failures, refusals } = judgement;
  const progress = progressOf(task, observation, judgement);
  const { said, reports } = news(state.said, progress);
  const states = statesToWrite(progress);
  const round = newRound(state.plans + 1, task, observation, queue);
  const next: LoopState = {
    ...state,
    activity: { kind: 'resting' },
    plans: round.plan,
    round,
    refused: undefined,
    refusals,
    failures,
    // What is undone after a failure is no change of somebody else's.
    settled: new Map([...drift.settled].filter(([network]) => !failures.has(network))),
    drifts: drift.drifts,
    said,
    failedLooks: 0,
    plannedAt: now,
    lookAgainAt: now + RESYNC,
    ...(states.length > 0 ? { publishedAfter: state.looks } : { unpublished: undefined }),
  };
  const effects: readonly Effect[] = [
    ...reported([...announcement(state, round, task), ...drift.reports, ...judgement.reports, ...reports]),
    ...(states.length === 0 ? [] : [{ do: 'publish', states } as const]),
  ];
  if (queue.length === 0) return settle(next, round, effects, networkCounts(progress), now);
  const [after, more] = carryOn(next, now);
  return [after, [...effects, ...more]];
}

/** Nothing is left that can be done now. */
function settle(
  state: LoopState,
  round: Round,
  effects: readonly Effect[],
  networks: ReadonlyMap<string, number>,
  now: number,
): readonly [LoopState, readonly Effect[]] {
  const { busySince, done, options, failures, refusals } = state;
  // What may still pass is worth waiting for.
  const isOver = refusals.size === 0;
  const report: NodeReport = {
    kind: 'settled',
    networks,
    ...(busySince !== undefined && done.size > 0 && isOver && { milliseconds: now - busySince }),
  };
  const isEnding = options.once && isOver;
  return [
    {
      ...state,
      done: new Set(),
      busySince: isOver ? undefined : busySince,
      round: { ...round, isLedgerWritten: true },
      activity: { kind: isEnding ? 'ended' : 'resting' },
    },
    [
      ...effects,
      ...(round.isLedgerWritten ? [] : [{ do: 'write-ledger', ledger: round.node.ledger } as const]),
      { do: 'report', report },
      ...(isEnding ? [{ do: 'finish', isDone: failures.size === 0 } as const] : []),
    ],
  ];
}
