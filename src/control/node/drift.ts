/**
 * Drift: something was on the node as it is desired, and is missing there or different now although nothing else is desired.
 */
import { type Entity, entityKey, kindOf } from '../../domain/entities/entity-kinds.ts';
import { operationKey } from '../../domain/entities/operations/operation-key.ts';
import {
  changesOf,
  type Operation,
  narrowed,
  type SingleOperation,
  partsOf,
} from '../../domain/entities/operations/operation.ts';
import { canonical } from '../../domain/basics/names/ordering.ts';
import { desiredOf } from '../../domain/plan/desired-entities.ts';
import type { NodePlan } from '../../domain/plan/node-plan.ts';
import { discrepancyOf } from '../../domain/status/discrepancy.ts';
import type { NodeReport } from '../../ports/node/node-report.ts';
import type { Task } from './schedule.ts';
import type { ExpectedEntities, LoopState } from './state.ts';
import { uplinksOfOperation } from './uplinks-of.ts';

type Drift = Pick<LoopState, 'expected' | 'drifts'>;

const textOf = (entity: Entity) => JSON.stringify(canonical(entity));

/** Whether a change repairs drift. */
function isRepair({ verb, entity }: SingleOperation, { desired, pending }: ExpectedEntities): boolean {
  if (pending.has(entityKey(entity))) return false;
  const known = desiredOf(kindOf<Entity>(entity), desired).like(entity)?.entity;
  if (verb === 'remove') return known === undefined;
  return known !== undefined && (known === entity || textOf(known) === textOf(entity));
}

/** Compares pending operations with what was there before, and reports each drift once. Undoing a failed operation is not drift. */
export function detectDrift(
  { expected, drifts, failures }: Drift & Pick<LoopState, 'failures'>,
  { nodePlan, node, operations, now }: Task,
): Drift & { readonly reports: readonly NodeReport[] } {
  const isDrift = (change: SingleOperation) =>
    drifts.has(operationKey(change)) ||
    (expected !== undefined &&
      change.networks.length > 0 &&
      !partsOf(change).some((part) => failures.has(part)) &&
      isRepair(change, expected));
  const drifting = operations.flatMap((operation) => narrowed(operation, isDrift));
  const keys = drifting.flatMap(changesOf).map(operationKey);
  const pending = new Set(operations.flatMap(changesOf).map(({ entity }) => entityKey(entity)));
  return {
    expected: { desired: nodePlan.dataplane.desired, pending },
    drifts: new Map(keys.map((key) => [key, drifts.get(key) ?? now])),
    reports: drifting
      .filter((operation) => changesOf(operation).some((change) => !drifts.has(operationKey(change))))
      .map((operation) => ({
        kind: 'drift',
        operation,
        uplinks: uplinksOfOperation(nodePlan, operation),
        discrepancy: discrepancyOf(operation, node),
      })),
  };
}

/** The report on an applied operation that repaired drift. */
export function repairReports(
  { drifts }: Pick<Drift, 'drifts'>,
  nodePlan: NodePlan,
  operation: Operation,
  now: number,
): readonly NodeReport[] {
  const [since] = changesOf(operation).flatMap((change) => drifts.get(operationKey(change)) ?? []);
  if (since === undefined) return [];
  return [
    { kind: 'drift-repaired', operation, uplinks: uplinksOfOperation(nodePlan, operation), milliseconds: now - since },
  ];
}
