/**
 * Which operations of a plan are applied now? Not those in backoff, those that were refused for a transient reason, and those that depend on either.
 */
import { divide, incompleteEnslavement, undoing } from '../../domain/diff/recover.ts';
import { semanticsOf } from '../../domain/entities/operations/operation-semantics.ts';
import { operationKey } from '../../domain/entities/operations/operation-key.ts';
import {
  changesOf,
  movedDevice,
  type Operation,
  narrowed,
  type SingleOperation,
  type OperationOwners,
  operationOwners,
} from '../../domain/entities/operations/operation.ts';
import type { NodePlan } from '../../domain/plan/node-plan.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import { discrepancyOf, discrepancyText } from '../../domain/status/discrepancy.ts';
import { backoffDelay, RETRY_BACKOFF } from '../../ports/backoff.ts';
import type { NodeReport } from '../../ports/node/node-report.ts';
import { type Awaited, broughtBy, isLateAt, lateText, type MissingPrerequisites, missingOn } from './awaited.ts';
import {
  type FailedOperation,
  failedAgain,
  isDue,
  isTransient,
  retried,
  TRANSIENT_RETRY_DELAY,
  type FailureKey,
  failureKeys,
  ownerOfFailure,
} from './failed-operation.ts';
import { refusalReports } from './refusal-reports.ts';
import { isSameState, related } from './related.ts';
import type { LoopState, Refusal } from './state.ts';
import { uplinksOfOperation } from './uplinks-of.ts';

/** A plan and its operations on a node. */
export interface Task {
  readonly nodePlan: NodePlan;
  readonly node: NodeSnapshot;
  readonly operations: readonly Operation[];
  readonly now: number;
}

/** Operations to apply now, and the state of the rest. */
export interface Schedule {
  /** In order. */
  readonly queue: readonly Operation[];
  readonly failures: ReadonlyMap<FailureKey, FailedOperation>;
  readonly refusals: ReadonlyMap<string, Refusal>;
  readonly awaited: ReadonlyMap<Awaited, number>;
  readonly reports: readonly NodeReport[];
}

type Failures = ReadonlyMap<FailureKey, FailedOperation>;
/** The results of former operations. */
type History = Pick<LoopState, 'failures' | 'refusals' | 'refused' | 'done' | 'awaited'>;

/** The part of a network that a failure is of, as the owner of operations; none for a change that is for none. */
function ownersOfFailure(key: FailureKey): OperationOwners {
  const owner = ownerOfFailure(key);
  return operationOwners(owner === undefined ? [] : [owner]);
}

/** The operations that undo incomplete enslavements. */
function undoOperations({ node }: Task, failures: Failures): readonly Operation[] {
  return [...failures].flatMap(([name, { undoing: device }]) =>
    device === undefined ? [] : undoing(device, ownersOfFailure(name), node),
  );
}

/** The failures of networks with operations: without any, there is nothing to undo either. */
function currentFailures({ failures }: History, task: Task): Failures {
  if (failures.size === 0) return failures;
  const { nodePlan, node } = task;
  const planned = new Set(task.operations.flatMap(failureKeys));
  return new Map(
    [...failures]
      .filter(([name]) => planned.has(name))
      .map(([name, failure]) => {
        const { relatedState } = failure;
        const hasRelatedChange =
          relatedState !== undefined && !isSameState(relatedState, related(ownerOfFailure(name), nodePlan, node));
        return [name, { ...failure, hasRelatedChange }];
      }),
  );
}

/** A new failure. */
interface NewFailure {
  readonly operation: Operation;
  readonly error: string;
  readonly undoing?: string | undefined;
}

function withFailure(failures: Failures, { operation, error, undoing: device }: NewFailure, now: number): Failures {
  const failed = failureKeys(operation).map(
    (network) => [network, failedAgain(operation, error, failures.get(network), device, now)] as const,
  );
  return new Map([...failures, ...failed]);
}

/** Operations that were applied, as retries too, and are planned again: repeating them at once might never end. */
function ineffective(history: History, { operations, node }: Task, failures: Failures): readonly NewFailure[] {
  if (history.done.length === 0) return [];
  const isStanding = (name: FailureKey) => {
    const before = history.failures.get(name);
    const isRetried = before?.isEarlyRetry !== undefined && before.attempts === failures.get(name)?.attempts;
    return failures.has(name) && !isRetried;
  };
  const done = new Set(history.done.map(operationKey));
  return operations
    .flatMap((operation) =>
      narrowed(operation, (change) => done.has(operationKey(change)) && !failureKeys(change).some(isStanding)),
    )
    .map((operation) => ({
      operation,
      error: `was applied, and yet ${discrepancyText(discrepancyOf(operation, node))}`,
    }));
}

/** Classifies the last refused operation, if it is still planned. */
function afterRefusal(
  history: History,
  task: Task,
  failures: Failures,
  missing: MissingPrerequisites,
): Pick<Schedule, 'failures' | 'refusals' | 'reports'> {
  const { refused, refusals } = history;
  if (refused === undefined && refusals.size === 0) return { failures, refusals, reports: [] };
  const { operations, node, now } = task;
  const keys = refused === undefined ? [] : changesOf(refused.operation).map(operationKey);
  const planned = new Set([...operations, ...undoOperations(task, failures)].flatMap(changesOf).map(operationKey));
  const others = new Map([...refusals].filter(([known]) => planned.has(known) && !keys.includes(known)));
  const standing = keys.filter((each) => planned.has(each));
  const [key] = standing;
  // What is no longer planned exists already or is obsolete.
  const reports = refusalReports(refused, key !== undefined);
  if (refused === undefined || key === undefined) return { failures, refusals: others, reports };
  // What it needs was lost meanwhile, and is waited for.
  if (changesOf(refused.operation).some((change) => missing(change).length > 0))
    return { failures, refusals: others, reports };
  const first = refusals.get(key)?.first ?? now;
  if (isTransient(refused, first, now)) {
    const again = standing.map((each) => [each, { first, last: now }] as const);
    return { failures, refusals: new Map([...others, ...again]), reports };
  }
  const device = incompleteEnslavement(refused.operation, node);
  return { failures: withFailure(failures, { ...refused, undoing: device }, now), refusals: others, reports };
}

/** Adds the state of everything related to failures that are undone. */
function withRelatedState(failures: Failures, { nodePlan, node }: Task, undo: readonly Operation[]): Failures {
  const busy = new Set(undo.flatMap(failureKeys));
  return new Map(
    [...failures].map(([network, failure]) => [
      network,
      failure.relatedState !== undefined || busy.has(network)
        ? failure
        : { ...failure, relatedState: related(ownerOfFailure(network), nodePlan, node) },
    ]),
  );
}

function failureReports(before: Failures, after: Failures, { nodePlan }: Task): readonly NodeReport[] {
  const fresh = [...after].filter(([network, { attempts }]) => before.get(network)?.attempts !== attempts);
  const byOperation = new Map(fresh.map(([, failure]) => [failure.operation, failure]));
  return [...byOperation.values()].map(({ operation, error, attempts }) => ({
    kind: 'failed',
    operation,
    uplinks: uplinksOfOperation(nodePlan, operation),
    error,
    retryIn: backoffDelay(RETRY_BACKOFF, attempts),
  }));
}

/** Dependencies that operations wait for, and since when. */
function awaitedBy(history: History, { operations, now }: Task, missing: MissingPrerequisites): Schedule['awaited'] {
  // Before everything that ovn-controller needs is there, it cannot add the port.
  const made = new Set(operations.flatMap((operation) => semanticsOf(operation).dependencies(operation).makes ?? []));
  const isBrought = (awaited: Awaited) => {
    const key = broughtBy(awaited);
    return key !== undefined && made.has(key);
  };
  const all = operations
    .flatMap(changesOf)
    .flatMap(missing)
    .filter((awaited) => !isBrought(awaited));
  return new Map(all.map((awaited) => [awaited, history.awaited.get(awaited) ?? now]));
}

/** Operations that have waited for too long; such a failure stands until its retry is due. */
function lateFailures(
  { operations, now }: Task,
  missing: MissingPrerequisites,
  awaited: Schedule['awaited'],
  due: ReadonlySet<string>,
  failures: Failures,
): readonly NewFailure[] {
  if (awaited.size === 0) return [];
  const isLate = (what: Awaited) => {
    const since = awaited.get(what);
    return since !== undefined && now >= isLateAt(what, since);
  };
  const isNew = (change: SingleOperation) => failureKeys(change).some((name) => !failures.has(name) || due.has(name));
  return operations
    .flatMap((operation) => narrowed(operation, (change) => missing(change).some(isLate) && isNew(change)))
    .flatMap((operation) => {
      const late = changesOf(operation).flatMap(missing).find(isLate);
      return late === undefined ? [] : [{ operation, error: lateText(late) }];
    });
}

/** Selects the operations that are applied now. */
export function schedule(history: History, task: Task): Schedule {
  const { operations, now } = task;
  const known = new Map(
    [...currentFailures(history, task)].map(([name, failure]) => [
      name,
      isDue(failure, now) ? retried(failure, now) : failure,
    ]),
  );
  const due = new Set([...known].flatMap(([name, failure]) => (isDue(failure, now) ? [name] : [])));
  const missing = missingOn(task.node);
  const { failures: withRefused, refusals, reports } = afterRefusal(history, task, known, missing);
  const awaited = awaitedBy(history, task, missing);
  const late = lateFailures(task, missing, awaited, due, withRefused);
  const failures = [...late, ...ineffective(history, task, withRefused)].reduce(
    (all, failure) => withFailure(all, failure, now),
    withRefused,
  );
  // Those that just failed, or whose retry is not due.
  const isBlocked = (name: FailureKey) =>
    failures.has(name) && (!due.has(name) || failures.get(name)?.attempts !== known.get(name)?.attempts);
  const isWaiting = (operation: Operation) => {
    const refusal = refusals.get(operationKey(operation));
    return refusal !== undefined && now < refusal.last + TRANSIENT_RETRY_DELAY;
  };
  const blocked = new Map([...failures].filter(([name]) => isBlocked(name)));
  const undone = new Set([...blocked.values()].flatMap(({ undoing: device }) => device ?? []));
  // Otherwise two networks on one interface would undo each other endlessly.
  const isUndone = (operation: Operation) => undone.has(movedDevice(operation) ?? '');
  const waits = (operation: SingleOperation) =>
    missing(operation).length > 0 ||
    isWaiting(operation) ||
    isUndone(operation) ||
    (blocked.size > 0 && failureKeys(operation).every(isBlocked));
  const undo = undoOperations(task, blocked);
  const queue = [...undo.filter((operation) => !isWaiting(operation)), ...divide(operations, waits).proceed];
  const queued = new Set(queue.flatMap(changesOf).map(operationKey));
  const isCurrent = ([key, { last }]: readonly [string, Refusal]) =>
    queued.has(key) || now < last + TRANSIENT_RETRY_DELAY;
  return {
    queue,
    failures: withRelatedState(failures, task, undo),
    // A blocked operation gets the full period again once it is retried.
    refusals: new Map([...refusals].filter(isCurrent)),
    awaited,
    reports: [...reports, ...failureReports(history.failures, failures, task)],
  };
}
