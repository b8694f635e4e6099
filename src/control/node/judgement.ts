/**
 * What may be done now of what a plan asks for: not what has failed and is not due, not what waits for something to pass, and not what has to
 * come after either.
 */
import { divide, halfMade, undoing } from '../../domain/diff/recover.ts';
import { operationKey } from '../../domain/operations/operation-key.ts';
import { movedDevice, type Operation } from '../../domain/operations/operation.ts';
import type { NodePlan } from '../../domain/plan/node-plan.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import { discrepancyOf, discrepancyText } from '../../domain/status/discrepancy.ts';
import { type Failure, failed, isDue, mayPass, PATIENT_PAUSE, pauseAfter, tried } from './failure.ts';
import { related } from './related.ts';
import type { NodeReport } from '../../ports/node-report.ts';
import type { LoopState, Refusal } from './state.ts';
import { uplinksOf } from './uplinks-of.ts';

/** A plan, and what it asks for on a node. */
export interface Task {
  readonly nodePlan: NodePlan;
  readonly node: NodeSnapshot;
  readonly operations: readonly Operation[];
  readonly now: number;
}

/** What was decided of it. */
export interface Judgement {
  /** What is done now, in order. */
  readonly queue: readonly Operation[];
  readonly failures: ReadonlyMap<string, Failure>;
  readonly refusals: ReadonlyMap<string, Refusal>;
  readonly reports: readonly NodeReport[];
}

type Failures = ReadonlyMap<string, Failure>;
type Progress = Pick<LoopState, 'failures' | 'refusals' | 'refused' | 'done'>;

/** What no name of a network begins with. */
const NOBODY = ' ';

/** Under which names the failures of an operation are kept: what is done for nobody stands for itself alone. */
function namesOf(operation: Operation): readonly string[] {
  return operation.networks.length === 0 ? [`${NOBODY}${operationKey(operation)}`] : operation.networks;
}

/** What has to be taken back of what failed before. */
function undos({ node, operations }: Task, failures: Failures): readonly Operation[] {
  return [...failures].flatMap(([name, { undoing: device }]) =>
    device === undefined ? [] : undoing(device, name.startsWith(NOBODY) ? [] : [name], node, operations),
  );
}

/** The failures of networks of which something is still to be done: where the plan asks for nothing, there is nothing to take back either. */
function lasting({ failures }: Progress, task: Task): Failures {
  const { nodePlan, node } = task;
  const concerned = new Set(task.operations.flatMap(namesOf));
  const left = [...failures].filter(([name]) => concerned.has(name));
  return new Map(
    left.map(([name, failure]) => {
      const { basis } = failure;
      return [name, { ...failure, isStirred: basis !== undefined && basis !== related(name, nodePlan, node) }];
    }),
  );
}

interface Blow {
  readonly operation: Operation;
  readonly error: string;
  readonly undoing?: string | undefined;
}

function withFailure(failures: Failures, { operation, error, undoing: device }: Blow, now: number): Failures {
  const failing = namesOf(operation).map(
    (network) => [network, failed(operation, error, failures.get(network), device, now)] as const,
  );
  return new Map([...failures, ...failing]);
}

/** Operations that were carried out, and are asked for again: nobody knows why, and doing so again at once would not end. */
function leftOver({ done }: Progress, { operations, node }: Task, failures: Failures): readonly Blow[] {
  return operations
    .filter((operation) => done.has(operationKey(operation)) && !namesOf(operation).some((name) => failures.has(name)))
    .map((operation) => ({
      operation,
      error: `was carried out, and yet ${discrepancyText(discrepancyOf(operation, node))}`,
    }));
}

/** What the operation that was refused last means, if it is still asked for. */
function judgeRefused(progress: Progress, task: Task, failures: Failures): Pick<Judgement, 'failures' | 'refusals'> {
  const { refused, refusals } = progress;
  const { operations, node, now } = task;
  const key = refused && operationKey(refused.operation);
  const asked = new Set([...operations, ...undos(task, failures)].map(operationKey));
  const others = new Map([...refusals].filter(([known]) => asked.has(known) && known !== key));
  // What is no longer asked for was done already, by whomever, or makes no sense any more.
  if (refused === undefined || key === undefined || !asked.has(key)) return { failures, refusals: others };
  const first = refusals.get(key)?.first ?? now;
  if (mayPass(refused.operation, first, now)) return { failures, refusals: others.set(key, { first, last: now }) };
  const device = halfMade(refused.operation, node);
  return { failures: withFailure(failures, { ...refused, undoing: device }, now), refusals: others };
}

/** Failures with what they have to do with, once there is nothing left to be taken back. */
function withBasis(failures: Failures, { nodePlan, node }: Task, undo: readonly Operation[]): Failures {
  const busy = new Set(undo.flatMap(namesOf));
  return new Map(
    [...failures].map(([network, failure]) => [
      network,
      failure.basis !== undefined || busy.has(network)
        ? failure
        : { ...failure, basis: related(network, nodePlan, node) },
    ]),
  );
}

function failureReports(before: Failures, after: Failures, { nodePlan }: Task): readonly NodeReport[] {
  const fresh = [...after].filter(([network, { attempts }]) => before.get(network)?.attempts !== attempts);
  const byOperation = new Map(fresh.map(([, failure]) => [failure.operation, failure]));
  return [...byOperation.values()].map(({ operation, error, attempts }) => ({
    kind: 'failed',
    operation,
    uplinks: uplinksOf(nodePlan, operation),
    error,
    retryIn: pauseAfter(attempts),
  }));
}

/** Decides what is done now. */
export function judge(progress: Progress, task: Task): Judgement {
  const { operations, now } = task;
  const known = new Map(
    [...lasting(progress, task)].map(([name, failure]) => [name, isDue(failure, now) ? tried(failure, now) : failure]),
  );
  const due = new Set([...known].flatMap(([name, failure]) => (isDue(failure, now) ? [name] : [])));
  const { failures: afterRefusal, refusals } = judgeRefused(progress, task, known);
  const failures = leftOver(progress, task, afterRefusal).reduce(
    (all, blow) => withFailure(all, blow, now),
    afterRefusal,
  );
  // What has just failed, or failed before and is not due.
  const isBlocked = (name: string) =>
    failures.has(name) && (!due.has(name) || failures.get(name)?.attempts !== known.get(name)?.attempts);
  const pauses = (operation: Operation) => {
    const refusal = refusals.get(operationKey(operation));
    return refusal !== undefined && now < refusal.last + PATIENT_PAUSE;
  };
  const blocked = new Map([...failures].filter(([name]) => isBlocked(name)));
  const taken = new Set([...blocked.values()].flatMap(({ undoing: device }) => device ?? []));
  // What one network takes back of an interface another one that shares it would do again, and so on without end.
  const isTaken = (operation: Operation) => taken.has(movedDevice(operation) ?? '');
  const waits = (operation: Operation) =>
    pauses(operation) || isTaken(operation) || namesOf(operation).every(isBlocked);
  const undo = undos(task, blocked);
  const queue = [...undo.filter((operation) => !pauses(operation)), ...divide(operations, waits).proceed];
  const queued = new Set(queue.map(operationKey));
  const isPatient = ([key, { last }]: readonly [string, Refusal]) => queued.has(key) || now < last + PATIENT_PAUSE;
  return {
    queue,
    failures: withBasis(failures, task, undo),
    // What is not tried any more for another reason begins anew when it is.
    refusals: new Map([...refusals].filter(isPatient)),
    reports: failureReports(progress.failures, failures, task),
  };
}
