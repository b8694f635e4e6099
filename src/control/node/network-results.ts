/**
 * The result of each network on the node, for its UplinkState, the log and metrics.
 */
import { type PartKey, uplinkPart } from '../../domain/network/part.ts';
import type { NetworkEntry } from '../../domain/api/uplink-state.ts';
import type { NetworkOnNode, NodePlan } from '../../domain/plan/node-plan.ts';
import { networkMessage, nodeStatus } from '../../domain/plan/node-status.ts';
import { type OperationFailure, uplinkVerdict } from '../../domain/plan/operation-failure.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import { isStored } from '../../domain/objects/differences.ts';
import { stateWrite } from '../../domain/objects/writes.ts';
import type { UplinkStateObject } from '../../domain/status/uplink-state-object.ts';
import { describeWarning } from '../../ports/input-problem.ts';
import type { NodeReport } from '../../ports/node/node-report.ts';
import type { Observation } from '../observation.ts';
import type { PlannedWrite } from '../../domain/objects/planned-write.ts';
import { type FailedOperation, type FailureKey } from './failed-operation.ts';

/** The progress of a plan. */
export interface PlanProgress {
  readonly nodePlan: NodePlan;
  readonly observation: Observation;
  readonly failures: ReadonlyMap<FailureKey, FailedOperation>;
  /** Parts of networks with pending operations. */
  readonly underWay: ReadonlySet<PartKey>;
}

function failedOperations({ failures }: PlanProgress): readonly OperationFailure[] {
  return [...new Map([...failures.values()].map(({ operation, error }) => [operation, { operation, error }])).values()];
}

/** The stored entries of networks, on their current uplinks only. */
function storedEntries({ nodePlan, observation }: PlanProgress): ReadonlyMap<string, NetworkEntry> {
  const { cluster, node } = observation;
  const own = cluster.uplinkStates.filter(({ status }) => status?.nodeName === node.nodeName);
  const byUplink = new Map(own.map(({ status }) => [status?.uplinkName, status?.networks ?? []]));
  const rows = nodePlan.networks.map(({ network, uplink }) =>
    byUplink.get(uplink)?.find(({ name }) => name === network),
  );
  return new Map(rows.flatMap((entry) => (entry === undefined ? [] : [[entry.name, entry] as const])));
}

/** The desired UplinkStates of the node. */
export function desiredStates(progress: PlanProgress): readonly UplinkStateObject[] {
  const underWay = { parts: progress.underWay, before: storedEntries(progress) };
  return nodeStatus(progress.nodePlan, failedOperations(progress), underWay);
}

/** The writes of desired states that are not stored yet. */
export function statesToWrite(
  desired: readonly UplinkStateObject[],
  { uplinkStates }: ClusterSnapshot,
): readonly PlannedWrite[] {
  const storedByName = new Map(uplinkStates.map((state) => [state.metadata.name, state]));
  return desired.flatMap((state): readonly PlannedWrite[] => {
    const write = stateWrite(state);
    const stored = storedByName.get(state.metadata.name);
    if (stored !== undefined && isStored(write, stored)) return [];
    return [{ write, stored }];
  });
}

interface NetworkResult {
  readonly reason: string;
  readonly message: string;
}

/** The reason of a network; absent while it is under way. */
function resultOf(row: NetworkOnNode, progress: PlanProgress): NetworkResult | undefined {
  if (row.failure !== undefined) {
    return { reason: row.failure.reason, message: networkMessage(row, progress.nodePlan) };
  }
  const failed = uplinkVerdict(row.key, failedOperations(progress));
  if (failed !== undefined) return failed;
  return progress.underWay.has(uplinkPart(row.key)) ? undefined : { reason: 'Ready', message: '' };
}

/** The number of networks by reason; those under way are not counted. */
export function networkCounts(progress: PlanProgress): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of progress.nodePlan.networks) {
    const result = resultOf(row, progress);
    if (result !== undefined) counts.set(result.reason, (counts.get(result.reason) ?? 0) + 1);
  }
  return counts;
}

/** Reports on changed networks and warnings, and everything reported so far. */
export function changedReports(
  before: ReadonlyMap<string, string>,
  progress: PlanProgress,
): { readonly reported: ReadonlyMap<string, string>; readonly reports: readonly NodeReport[] } {
  const { nodePlan, observation } = progress;
  const all = [
    ...nodePlan.networks.map((row) => {
      const { network, uplink } = row;
      const result = resultOf(row, progress);
      const report: NodeReport | undefined = result && { kind: 'network', network, uplink, ...result };
      return [`network ${network} on ${uplink}`, report] as const;
    }),
    ...[...observation.warnings, ...nodePlan.warnings].map((warning): readonly [string, NodeReport] => {
      const text = describeWarning(warning);
      return [`warning ${text}`, { kind: 'warning', text }];
    }),
  ];
  return {
    // While a network is under way its last report stays valid.
    reported: new Map(
      all.map(([key, report]) => [key, report === undefined ? (before.get(key) ?? '') : JSON.stringify(report)]),
    ),
    reports: all.flatMap(([key, report]) =>
      report === undefined || before.get(key) === JSON.stringify(report) ? [] : [report],
    ),
  };
}
