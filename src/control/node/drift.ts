/**
 * Drift: a network was settled and its plan has not changed, but something of it is missing or different on the node.
 */
import { operationKey } from '../../domain/operations/operation-key.ts';
import { changesOf, type Operation, partOf } from '../../domain/operations/operation.ts';
import type { NodePlan } from '../../domain/plan/node-plan.ts';
import { discrepancyOf } from '../../domain/status/discrepancy.ts';
import type { NodeReport } from '../../ports/node-report.ts';
import type { Task } from './schedule.ts';
import type { LoopState } from './state.ts';
import { uplinksOf } from './uplinks-of.ts';

type Drift = Pick<LoopState, 'settled' | 'drifts'>;

/** The desired dataplane of each programmed network, as text. */
function programmedTexts({ dataplane }: NodePlan): ReadonlyMap<string, string> {
  return new Map(dataplane.programmed.map((programmed) => [programmed.network, JSON.stringify(programmed)]));
}

/** Compares pending operations with settled networks, and reports each drift once. */
export function detectDrift(
  { settled, drifts }: Drift,
  { nodePlan, node, operations, now }: Task,
): Drift & { readonly reports: readonly NodeReport[] } {
  const programmed = programmedTexts(nodePlan);
  const isSettled = (network: string) => programmed.has(network) && settled.get(network) === programmed.get(network);
  const isDrift = ({ networks }: Operation) => networks.length > 0 && networks.every(isSettled);
  const drifting = operations.flatMap((operation) =>
    partOf(operation, (change) => drifts.has(operationKey(change)) || isDrift(change)),
  );
  const keys = drifting.flatMap(changesOf).map(operationKey);
  const busy = new Set(operations.flatMap(({ networks }) => networks));
  return {
    // A network stays settled while its plan stays the same, even if it is being repaired.
    settled: new Map([...programmed].filter(([network]) => !busy.has(network) || isSettled(network))),
    drifts: new Map(keys.map((key) => [key, drifts.get(key) ?? now])),
    reports: drifting
      .filter((operation) => changesOf(operation).some((change) => !drifts.has(operationKey(change))))
      .map((operation) => ({
        kind: 'drift',
        operation,
        uplinks: uplinksOf(nodePlan, operation),
        discrepancy: discrepancyOf(operation, node),
      })),
  };
}

/** The report on an applied operation that repaired drift. */
export function repairReports(
  { drifts }: Drift,
  nodePlan: NodePlan,
  operation: Operation,
  now: number,
): readonly NodeReport[] {
  const [since] = changesOf(operation).flatMap((change) => drifts.get(operationKey(change)) ?? []);
  if (since === undefined) return [];
  return [{ kind: 'drift-repaired', operation, uplinks: uplinksOf(nodePlan, operation), milliseconds: now - since }];
}
