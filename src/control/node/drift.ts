/**
 * What somebody changed of what is ours: a network that had everything, is to have the same as then, and lacks something of it.
 */
import { operationKey } from '../../domain/operations/operation-key.ts';
import type { Operation } from '../../domain/operations/operation.ts';
import type { NodePlan } from '../../domain/plan/node-plan.ts';
import { discrepancyOf } from '../../domain/status/discrepancy.ts';
import type { Task } from './judgement.ts';
import type { NodeReport } from '../../ports/node-report.ts';
import type { LoopState } from './state.ts';
import { uplinksOf } from './uplinks-of.ts';

/** What each programmed network is to have, as a text. */
function wantedTexts({ dataplane }: NodePlan): ReadonlyMap<string, string> {
  return new Map(dataplane.programmed.map((programmed) => [programmed.network, JSON.stringify(programmed)]));
}

type Drift = Pick<LoopState, 'settled' | 'drifts'>;

/** Compares what is to be done with what was settled, and tells of each change once. */
export function noticeDrift(
  { settled, drifts }: Drift,
  { nodePlan, node, operations, now }: Task,
): Drift & { readonly reports: readonly NodeReport[] } {
  const wanted = wantedTexts(nodePlan);
  const isSettled = (network: string) => wanted.has(network) && settled.get(network) === wanted.get(network);
  const isDrift = ({ networks }: Operation) => networks.length > 0 && networks.every(isSettled);
  const drifting = operations
    .map((operation) => [operationKey(operation), operation] as const)
    .filter(([key, operation]) => drifts.has(key) || isDrift(operation));
  const busy = new Set(operations.flatMap(({ networks }) => networks));
  return {
    // What a network was to have when it had it all, for as long as it is to have just that.
    settled: new Map([...wanted].filter(([network]) => !busy.has(network) || isSettled(network))),
    drifts: new Map(drifting.map(([key]) => [key, drifts.get(key) ?? now])),
    reports: drifting
      .filter(([key]) => !drifts.has(key))
      .map(([, operation]) => ({
        kind: 'drift',
        operation,
        uplinks: uplinksOf(nodePlan, operation),
        discrepancy: discrepancyOf(operation, node),
      })),
  };
}
