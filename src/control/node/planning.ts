import { diffNode } from '../../domain/diff/diff-node.ts';
import { withSettledLedger } from '../../domain/ownership/restored.ts';
import { planNode } from '../../domain/plan/plan-node.ts';
import type { Observation } from '../observation.ts';
import { carryOn } from './carrying-out.ts';
import { noticeDrift } from './drift.ts';
import type { Effect } from './effect.ts';
import { judge } from './judgement.ts';
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

/** Decides everything anew for what was observed, says what there is to be said, and goes on with what there is to be done. */
export function plan(state: LoopState, observation: Observation, now: number): readonly [LoopState, readonly Effect[]] {
  const nodePlan = planNode(observation.cluster, observation.node, state.options.settings);
  const operations = diffNode(nodePlan, observation.node);
  const node = withSettledLedger(observation.node);
  const task = { nodePlan, node, operations, now };
  const drift = noticeDrift(state, task);
  // What was done for another wish may be asked for again.
  const done = isNewWish(state, observation) ? new Set<string>() : state.done;
  const { queue, failures, refusals, reports } = judge({ ...state, done }, task);
  const waiting = operations.filter(({ networks }) => !networks.every((network) => failures.has(network)));
  const progress: Progress = {
    nodePlan,
    observation,
    failures,
    underWay: new Set([...queue, ...waiting].flatMap(({ networks }) => networks)),
  };
  const { said, reports: newReports } = news(state.said, progress);
  const states = statesToWrite(progress);
  const round: Round = {
    plan: state.plans + 1,
    nodePlan,
    observation,
    node,
    isFresh: true,
    glances: 0,
    isLedgerWritten: JSON.stringify(node.ledger) === JSON.stringify(observation.node.ledger),
    queue,
  };
  const isBeginning = state.round === undefined || (queue.length > 0 && done.size === 0);
  const planned: NodeReport = {
    kind: 'planned',
    plan: round.plan,
    networks: nodePlan.networks.length,
    operations: operations.length,
  };
  const next: LoopState = {
    ...state,
    activity: { kind: 'resting' },
    plans: round.plan,
    round,
    refused: undefined,
    refusals,
    failures,
    done,
    // What is undone after a failure is no change of somebody else's.
    settled: new Map([...drift.settled].filter(([network]) => !failures.has(network))),
    drifts: drift.drifts,
    said,
    failedLooks: 0,
    plannedAt: now,
    lookAgainAt: now + RESYNC,
    ...(states.length > 0 && { publishedAfter: state.looks }),
  };
  const effects: readonly Effect[] = [
    ...reported([...(isBeginning ? [planned] : []), ...drift.reports, ...reports, ...newReports]),
    ...(states.length === 0 ? [] : [{ do: 'publish', states } as const]),
  ];
  if (queue.length > 0) {
    const [after, more] = carryOn(next, now);
    return [after, [...effects, ...more]];
  }
  return settle(next, round, [...effects], networkCounts(progress), now);
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
