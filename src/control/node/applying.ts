import { semanticsOf } from '../../domain/entities/operations/operation-semantics.ts';
import { isSameMembershipBasis } from '../../domain/network-readiness/membership-basis.ts';
import { changesOf, movedDevice, type Operation, narrowed } from '../../domain/entities/operations/operation.ts';
import { operationKey } from '../../domain/entities/operations/operation-key.ts';
import { emptyLedger, isSameButForTime, type Ledger } from '../../domain/snapshot/ledger.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import type { ApplyResult, LeftOut } from '../../ports/apply-result.ts';
import type { NodeReport } from '../../ports/node/node-report.ts';
import { repairReports } from './drift.ts';
import type { Effect } from './effect.ts';
import { everyPart, outdatedByOperation } from './observation/node-part.ts';
import { startObservation } from './observation/start-observation.ts';
import { refusalReports } from './refusal-reports.ts';
import type { Activity, Execution, LoopState, ObservationPurpose, OperationRefusal } from './state.ts';
import { uplinksOfOperation } from './uplinks-of.ts';

type Done = Extract<ApplyResult, { done: true }>;
type Applying = Extract<Activity, { kind: 'applying' }>;
type Next = readonly [LoopState, readonly Effect[]];

function refusalOf({ nodePlan }: Execution, operation: Operation, error: string, isAttempt: boolean): OperationRefusal {
  return { operation, uplinks: uplinksOfOperation(nodePlan, operation), error, isAttempt };
}

/** Writes the ledger if it has changed. */
function ledgerEffects({ node, isLedgerWritten }: Execution): readonly Effect[] {
  return isLedgerWritten ? [] : [{ do: 'write-ledger', ledger: node.ledger }];
}

function withWrittenLedger(state: LoopState, execution: Execution): LoopState {
  return { ...state, execution: { ...execution, isLedgerWritten: true } };
}

/** Stops between two operations, on request. With `once` the pass is then incomplete. */
export function end(state: LoopState): Next {
  const { refused, execution } = state;
  const ended: LoopState = { ...state, activity: { kind: 'ended' }, refused: undefined };
  const reports: readonly Effect[] = refusalReports(refused, true).map((report) => ({ do: 'report', report }));
  const finish: Effect = { do: 'finish', isDone: !state.options.once };
  if (execution === undefined) return [ended, [...reports, finish]];
  return [withWrittenLedger(ended, execution), [...reports, ...ledgerEffects(execution), finish]];
}

/** Observes after writing the ledger, which the observation reads. */
function observeDuring(state: LoopState, execution: Execution, purpose: ObservationPurpose): Next {
  const [observing, effects] = startObservation(withWrittenLedger(state, execution), purpose);
  return [observing, [...ledgerEffects(execution), ...effects]];
}

/** Observes and plans again. */
function replan(state: LoopState): Next {
  return state.execution === undefined
    ? startObservation(state, 'plan')
    : observeDuring(state, state.execution, 'plan');
}

/** Entries that an operation would add to an empty ledger. */
function announcedByItself(operation: Operation, node: NodeSnapshot): Ledger {
  return semanticsOf(operation).announced(operation, { ...node, ledger: emptyLedger });
}

/** Whether the next operation was planned for the node as it is now: it would displace the same, and an interface may still be moved. */
function isPlannedFor(operation: Operation, { planned, node }: Execution, now: NodeSnapshot): boolean {
  const device = semanticsOf(operation).displaces ? movedDevice(operation) : undefined;
  return (
    isSameButForTime(announcedByItself(operation, node), announcedByItself(operation, now)) &&
    // What has been observed since the plan for other operations was not decided on.
    (device === undefined || isSameMembershipBasis(device, planned.node, now, planned.moving))
  );
}

/** Continues with the node and the cluster as observed before the next operation. Absent if the operation was not planned for such a node. */
export function proceedWith(
  state: LoopState,
  execution: Execution,
  observed: Pick<Execution, 'observation' | 'node'>,
  now: number,
): Next | undefined {
  const [operation] = execution.queue;
  if (operation === undefined) return undefined;
  if (!isPlannedFor(operation, execution, observed.node)) return undefined;
  return proceed({ ...state, execution: { ...execution, ...observed, isFresh: true, isLedgerWritten: false } }, now);
}

function endOrReplan(state: LoopState): Next {
  return state.isStopping ? end(state) : replan(state);
}

/** Why the node has to be observed before an operation; absent if it need not be. */
function purposeBefore(operation: Operation, { changes }: LoopState, { isFresh }: Execution) {
  // At least one operation of each plan is applied: otherwise a cluster that changes all the time would block the loop.
  if (isFresh) return undefined;
  const semantics = semanticsOf(operation);
  // What is deleted with a VRF cannot be restored: plan again whether it may be deleted.
  if (semantics.displaces && semantics.disruption(operation) !== 'link-cycle') return 'plan';
  // If the agent crashes right after it moved an interface, only the ledger entry describes the former state.
  return semantics.displaces || changes?.ofCluster === true ? 'continue' : undefined;
}

/** Starts the next operation; after the last one, observes whether all of them took effect. */
export function proceed(state: LoopState, now: number): Next {
  const { execution } = state;
  if (state.isStopping) return end(state);
  const operation = execution?.queue[0];
  if (execution === undefined || operation === undefined) return replan(state);
  const purpose = purposeBefore(operation, state, execution);
  if (purpose !== undefined) {
    // What an operation displaces has to be known as it is.
    const outdated = semanticsOf(operation).displaces ? everyPart : state.outdated;
    return observeDuring({ ...state, outdated }, execution, purpose);
  }
  const error = semanticsOf(operation).refusal(operation, execution.node);
  if (error !== undefined) return replan({ ...state, refused: refusalOf(execution, operation, error, false) });
  return start(state, execution, operation, now);
}

/** Announces an operation in the ledger, then starts it. */
function start(state: LoopState, execution: Execution, operation: Operation, now: number): Next {
  const { ledger: unannounced } = execution.node;
  const ledger = semanticsOf(operation).announced(operation, execution.node);
  const isNew = ledger !== unannounced;
  const node = { ...execution.node, ledger };
  return [
    {
      ...state,
      execution: { ...execution, node, isFresh: false, isLedgerWritten: execution.isLedgerWritten || isNew },
      activity: { kind: 'applying', operation, since: now, unannounced },
    },
    [{ do: 'apply', plan: execution.plan, operation, bridges: node.bridges, ...(isNew && { ledger }) }],
  ];
}

/**
 * Removes the announcement of an operation that certainly changed nothing. It would claim what another program creates instead.
 */
function withoutAnnouncement(state: LoopState, execution: Execution, unannounced: Ledger): LoopState {
  if (execution.node.ledger === unannounced) return state;
  const node = { ...execution.node, ledger: unannounced };
  return { ...state, execution: { ...execution, node, isLedgerWritten: false } };
}

/** The node right before an operation, as far as known. */
interface NodeBefore {
  /** Its ledger announces the operation. */
  readonly node: NodeSnapshot;
  /** Whether it announces something other than was written. */
  readonly isAmended: boolean;
  /** An obstacle that should have prevented the operation; the kernel does not check it. */
  readonly obstacle?: string | undefined;
}

function nodeBefore(execution: Execution, { operation, unannounced }: Applying, { before }: Done): NodeBefore {
  if (before === undefined) return { node: execution.node, isAmended: false };
  const { ledger: written } = execution.node;
  // A list may be incomplete: what was announced stays announced.
  const node = { ...execution.node, ...before.entities, ledger: before.isComplete ? unannounced : written };
  const ledger = semanticsOf(operation).announced(operation, node);
  return {
    node: { ...node, ledger },
    isAmended: !isSameButForTime(ledger, written),
    obstacle: semanticsOf(operation).refusal(operation, { ...node, ledger: written }),
  };
}

/** The reports on an applied operation. */
function reportsOn(
  state: LoopState,
  { nodePlan }: Execution,
  { operation, since }: Pick<Applying, 'operation' | 'since'>,
  obstacle: string | undefined,
  now: number,
): readonly Effect[] {
  const what = semanticsOf(operation).summary(operation);
  const uplinks = uplinksOfOperation(nodePlan, operation);
  const reports: readonly NodeReport[] = [
    { kind: 'applied', operation, uplinks, milliseconds: now - since },
    ...(obstacle === undefined
      ? []
      : [{ kind: 'warning', text: `${what}: another program changed the node right before: ${obstacle}` } as const]),
    ...repairReports(state, nodePlan, operation, now),
  ];
  return reports.map((report) => ({ do: 'report', report }));
}

/** Records that an operation is done, and continues. */
function done(state: LoopState, execution: Execution, activity: Applying, result: Done, now: number): Next {
  const { operation, unannounced } = activity;
  const { node, isAmended, obstacle } = nodeBefore(execution, activity, result);
  const semantics = semanticsOf(operation);
  const change = semantics.effect(operation, node);
  if (result.before !== undefined && change.done && change.node === node) {
    // Another program did it first, and is responsible for what the kernel dropped.
    return endOrReplan(withoutAnnouncement(state, execution, unannounced));
  }
  const { ledger } = node;
  const after = change.done ? change.node : { ...execution.node, ledger };
  const confirmedLedger = change.done ? semantics.confirmed(operation, after) : ledger;
  const isKnown = !semantics.displaces || result.before?.isComplete === true;
  const [next, effects] = proceed(
    {
      ...state,
      done: [...state.done, ...changesOf(operation)],
      execution: {
        ...execution,
        node: { ...after, ledger: confirmedLedger },
        isLedgerWritten: (execution.isLedgerWritten || isAmended) && confirmedLedger === ledger,
        // After an unexpected or unknown result, observe before the next operation.
        queue: change.done && !isAmended && isKnown ? execution.queue.slice(1) : [],
      },
    },
    now,
  );
  return [
    next,
    [
      ...reportsOn(state, execution, activity, obstacle, now),
      // A crash must not lose what changed between the observation and the operation.
      ...(isAmended ? [{ do: 'write-ledger', ledger } as const] : []),
      ...effects,
    ],
  ];
}

/** Records a change of a set some of which was left out, and plans again: what was refused is a failure of its own networks. */
function partlyDone(
  state: LoopState,
  execution: Execution,
  { operation, since }: Applying,
  leftOut: readonly LeftOut[],
  now: number,
): Next {
  const errors = new Map(leftOut.map(({ change, error }) => [operationKey(change), error]));
  const awaited = new Set(leftOut.flatMap(({ change, isAwaited }) => (isAwaited ? [operationKey(change)] : [])));
  const [made] = narrowed(operation, (change) => !errors.has(operationKey(change)));
  const [refused] = narrowed(
    operation,
    (change) => errors.has(operationKey(change)) && !awaited.has(operationKey(change)),
  );
  const [error = ''] =
    refused === undefined ? [] : changesOf(refused).map((change) => errors.get(operationKey(change)));
  const known: LoopState = {
    ...state,
    done: [...state.done, ...(made === undefined ? [] : changesOf(made))],
    ...(refused && { refused: refusalOf(execution, refused, error, true) }),
  };
  const [next, effects] = endOrReplan(known);
  const reports = made === undefined ? [] : reportsOn(state, execution, { operation: made, since }, undefined, now);
  return [next, [...reports, ...effects]];
}

/** Processes the result of the current operation. */
export function applied(state: LoopState, plan: number, result: ApplyResult, now: number): Next {
  const { activity, execution } = state;
  // A late result does not belong to the current plan.
  if (activity.kind !== 'applying' || execution?.plan !== plan) return [state, []];
  const { operation, unannounced } = activity;
  const outdated = outdatedByOperation(semanticsOf(operation).port, state.outdated);
  const resting: LoopState = { ...state, outdated, activity: { kind: 'resting' } };
  if (result.done) {
    const { leftOut = [] } = result;
    return leftOut.length === 0
      ? done(resting, execution, activity, result, now)
      : partlyDone(resting, execution, activity, leftOut, now);
  }
  const { error, isRefused, isUnavailable } = result;
  // If it may have taken effect it stays announced.
  const known = isRefused === true ? withoutAnnouncement(resting, execution, unannounced) : resting;
  // The next plan decides what a refusal means.
  const refused = { ...refusalOf(execution, operation, error, true), ...(isUnavailable && { isUnavailable }) };
  return endOrReplan({ ...known, refused });
}
