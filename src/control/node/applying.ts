import { meaningOf } from '../../domain/operations/operation-meaning.ts';
import type { Operation } from '../../domain/operations/operation.ts';
import { operationKey } from '../../domain/operations/operation-key.ts';
import { emptyLedger, isSameButForTime, type Ledger } from '../../domain/snapshot/ledger.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import type { NodeReport } from '../../ports/node-report.ts';
import { repairReports } from './drift.ts';
import type { Effect } from './effect.ts';
import { startObservation } from './start-observation.ts';
import type { Activity, Execution, LoopState, ObservationPurpose } from './state.ts';
import { uplinksOf } from './uplinks-of.ts';

type Done = Extract<ApplyResult, { done: true }>;
type Applying = Extract<Activity, { kind: 'applying' }>;
type Next = readonly [LoopState, readonly Effect[]];

/** Writes the ledger where it has changed. */
function ledgerEffects({ node, isLedgerWritten }: Execution): readonly Effect[] {
  return isLedgerWritten ? [] : [{ do: 'write-ledger', ledger: node.ledger }];
}

function withWrittenLedger(state: LoopState, execution: Execution): LoopState {
  return { ...state, execution: { ...execution, isLedgerWritten: true } };
}

/** Ends between two operations, on request. With `once`, not everything is done then. */
export function end(state: LoopState): Next {
  const ended: LoopState = { ...state, activity: { kind: 'ended' } };
  const finish: Effect = { do: 'finish', isDone: !state.options.once };
  if (state.execution === undefined) return [ended, [finish]];
  return [withWrittenLedger(ended, state.execution), [...ledgerEffects(state.execution), finish]];
}

/** Observes, after the ledger is written: the observation reads it. */
function observeDuring(state: LoopState, execution: Execution, purpose: ObservationPurpose): Next {
  const [observing, effects] = startObservation(withWrittenLedger(state, execution), purpose);
  return [observing, [...ledgerEffects(execution), ...effects]];
}

/** Observes and plans anew. */
function replan(state: LoopState): Next {
  return state.execution === undefined
    ? startObservation(state, 'plan')
    : observeDuring(state, state.execution, 'plan');
}

/** What an operation would announce in an empty ledger. */
function announcedByItself(operation: Operation, node: NodeSnapshot): Ledger {
  return meaningOf(operation).announced(operation, { ...node, ledger: emptyLedger });
}

/**
 * Continues with the node and the cluster as they were observed before the next operation. Absent where the kernel would drop something else with
 * the operation than was planned for.
 */
export function proceedWith(
  state: LoopState,
  execution: Execution,
  observed: Pick<Execution, 'observation' | 'node'>,
  now: number,
): Next | undefined {
  const [operation] = execution.queue;
  if (operation === undefined) return undefined;
  if (!isSameButForTime(announcedByItself(operation, execution.node), announcedByItself(operation, observed.node))) {
    return undefined;
  }
  return proceed({ ...state, execution: { ...execution, ...observed, isFresh: true, isLedgerWritten: false } }, now);
}

function endOrReplan(state: LoopState): Next {
  return state.isStopping ? end(state) : replan(state);
}

/** Why the node has to be observed before an operation; absent where it need not be. */
function purposeBefore(operation: Operation, { changes }: LoopState, { isFresh }: Execution) {
  // At least one operation of each plan is applied, or a cluster that changes all the time would keep the loop from all work.
  if (isFresh) return undefined;
  const meaning = meaningOf(operation);
  // What goes with a VRF never comes back: whether it may go is planned anew.
  if (meaning.displaces && meaning.disruption(operation) !== 'link-cycle') return 'plan';
  // The ledger entry of an interface that moves would be all that is known of it if this program ended right after.
  return meaning.displaces || changes?.ofCluster === true ? 'continue' : undefined;
}

/** Starts the next operation; where none is left, observes whether all of them took effect. */
export function proceed(state: LoopState, now: number): Next {
  const { execution } = state;
  if (state.isStopping) return end(state);
  const operation = execution?.queue[0];
  if (execution === undefined || operation === undefined) return replan(state);
  const purpose = purposeBefore(operation, state, execution);
  if (purpose !== undefined) return observeDuring(state, execution, purpose);
  const error = meaningOf(operation).refusal(operation, execution.node);
  if (error !== undefined) return replan({ ...state, refused: { operation, error } });
  return start(state, execution, operation, now);
}

/** Starts an operation, after it is announced in the ledger. */
function start(state: LoopState, execution: Execution, operation: Operation, now: number): Next {
  const { ledger: unannounced } = execution.node;
  const ledger = meaningOf(operation).announced(operation, execution.node);
  const isNew = ledger !== unannounced;
  const node = { ...execution.node, ledger };
  return [
    {
      ...state,
      execution: { ...execution, node, isFresh: false, isLedgerWritten: execution.isLedgerWritten || isNew },
      activity: { kind: 'applying', operation, since: now, unannounced },
    },
    [{ do: 'apply', plan: execution.plan, operation, ...(isNew && { ledger }) }],
  ];
}

/**
 * Removes the announcement of an operation that has certainly changed nothing. It would claim what somebody else makes instead, which may be why
 * nothing was changed.
 */
function withoutAnnouncement(state: LoopState, execution: Execution, unannounced: Ledger): LoopState {
  if (execution.node.ledger === unannounced) return state;
  const node = { ...execution.node, ledger: unannounced };
  return { ...state, execution: { ...execution, node, isLedgerWritten: false } };
}

/** The node right before an operation, as far as is known now. */
interface NodeBefore {
  /** Its ledger announces the operation. */
  readonly node: NodeSnapshot;
  /** Whether that announces something else than was written. */
  readonly isAmended: boolean;
  /** What stood in the way of the operation by then: the kernel does not know. */
  readonly obstacle?: string | undefined;
}

function nodeBefore(execution: Execution, { operation, unannounced }: Applying, { before }: Done): NodeBefore {
  if (before === undefined) return { node: execution.node, isAmended: false };
  const { ledger: written } = execution.node;
  // What may be missing from a list stays announced.
  const node = { ...execution.node, ...before.things, ledger: before.isWhole ? unannounced : written };
  const ledger = meaningOf(operation).announced(operation, node);
  return {
    node: { ...node, ledger },
    isAmended: !isSameButForTime(ledger, written),
    obstacle: meaningOf(operation).refusal(operation, { ...node, ledger: written }),
  };
}

/** The reports on an operation that was applied. */
function reportsOn(
  state: LoopState,
  { nodePlan }: Execution,
  { operation, since }: Applying,
  obstacle: string | undefined,
  now: number,
): readonly Effect[] {
  const what = meaningOf(operation).summary(operation);
  const uplinks = uplinksOf(nodePlan, operation);
  const reports: readonly NodeReport[] = [
    { kind: 'applied', operation, uplinks, milliseconds: now - since },
    ...(obstacle === undefined
      ? []
      : [{ kind: 'warning', text: `${what}: right before it somebody else changed the node: ${obstacle}` } as const]),
    ...repairReports(state, nodePlan, operation, now),
  ];
  return reports.map((report) => ({ do: 'report', report }));
}

/** Records that an operation is done, and continues. */
function done(state: LoopState, execution: Execution, activity: Applying, result: Done, now: number): Next {
  const { operation, unannounced } = activity;
  const { node, isAmended, obstacle } = nodeBefore(execution, activity, result);
  const meaning = meaningOf(operation);
  const change = meaning.effect(operation, node);
  if (result.before !== undefined && change.done && change.node === node) {
    // Somebody else has done it before, and what the kernel dropped is theirs to restore.
    return endOrReplan(withoutAnnouncement(state, execution, unannounced));
  }
  const { ledger } = node;
  const after = change.done ? change.node : { ...execution.node, ledger };
  const confirmedLedger = change.done ? meaning.confirmed(operation, after) : ledger;
  const isKnown = !meaning.displaces || result.before?.isWhole === true;
  const [next, effects] = proceed(
    {
      ...state,
      done: new Set([...state.done, operationKey(operation)]),
      execution: {
        ...execution,
        node: { ...after, ledger: confirmedLedger },
        isLedgerWritten: (execution.isLedgerWritten || isAmended) && confirmedLedger === ledger,
        // After anything that is unexpected or unknown the node is observed before the next operation.
        queue: change.done && !isAmended && isKnown ? execution.queue.slice(1) : [],
      },
    },
    now,
  );
  return [
    next,
    [
      ...reportsOn(state, execution, activity, obstacle, now),
      // A crash must not lose what has changed between the observation and the operation.
      ...(isAmended ? [{ do: 'write-ledger', ledger } as const] : []),
      ...effects,
    ],
  ];
}

/** Takes the result of the operation that is being applied. */
export function applied(state: LoopState, plan: number, result: ApplyResult, now: number): Next {
  const { activity, execution } = state;
  // A late result says nothing about a newer plan.
  if (activity.kind !== 'applying' || execution?.plan !== plan) return [state, []];
  const resting: LoopState = { ...state, activity: { kind: 'resting' } };
  if (result.done) return done(resting, execution, activity, result, now);
  const { operation, unannounced } = activity;
  const { error, isRefused } = result;
  // What may have been done all the same has to stay announced.
  const known = isRefused === true ? withoutAnnouncement(resting, execution, unannounced) : resting;
  // The next plan decides what a refusal means.
  const [next, effects] = endOrReplan(state.isStopping ? known : { ...known, refused: { operation, error } });
  const uplinks = uplinksOf(execution.nodePlan, operation);
  return [next, [{ do: 'report', report: { kind: 'refused', operation, uplinks, error } }, ...effects]];
}
