/**
 * What is said of each network on the node: in its UplinkState, in the log and in metrics.
 */
import type { NetworkEntry, UplinkState } from '../../domain/api/uplink-state.ts';
import { canonical } from '../../domain/ordering.ts';
import type { NetworkOnNode, NodePlan } from '../../domain/plan/node-plan.ts';
import { networkMessage, nodeStatus } from '../../domain/plan/node-status.ts';
import { type Outcome, verdictOf } from '../../domain/plan/outcome.ts';
import type { Observation } from '../observation.ts';
import type { StateToWrite } from './effect.ts';
import type { Failure } from './failure.ts';
import { describeWarning } from '../../ports/input-problem.ts';
import type { NodeReport } from '../../ports/node-report.ts';

/** A plan and what became of it. */
export interface Progress {
  readonly nodePlan: NodePlan;
  readonly observation: Observation;
  readonly failures: ReadonlyMap<string, Failure>;
  /** Networks whose operations are not all done. */
  readonly underWay: ReadonlySet<string>;
}

function outcomes({ failures }: Progress): readonly Outcome[] {
  return [...new Map([...failures.values()].map(({ operation, error }) => [operation, { operation, error }])).values()];
}

/** What was last said of networks on the uplinks that they are on now: of another uplink it says nothing. */
function formerEntries({ nodePlan, observation }: Progress): ReadonlyMap<string, NetworkEntry> {
  const { cluster, node } = observation;
  const own = cluster.uplinkStates.filter(({ status }) => status?.nodeName === node.nodeName);
  const byUplink = new Map(own.map(({ status }) => [status?.uplinkName, status?.networks ?? []]));
  const rows = nodePlan.networks.map(({ network, uplink }) =>
    byUplink.get(uplink)?.find(({ name }) => name === network),
  );
  return new Map(rows.flatMap((entry) => (entry === undefined ? [] : [[entry.name, entry] as const])));
}

/** A state without when its conditions became what they are, as a text. */
function timeless({ metadata, status = {} }: UplinkState): string {
  const { name, labels, annotations, ownerReferences } = metadata;
  const conditions = (status.conditions ?? []).map(({ lastTransitionTime: _, ...condition }) => condition);
  return JSON.stringify(canonical({ name, labels, annotations, ownerReferences, ...status, conditions }));
}

/** The states that are not yet as they should be. */
export function statesToWrite(progress: Progress): readonly StateToWrite[] {
  const { nodePlan, observation, underWay } = progress;
  const stored = new Map(observation.cluster.uplinkStates.map((state) => [state.metadata.name, state]));
  const wanted = nodeStatus(nodePlan, outcomes(progress), { networks: underWay, before: formerEntries(progress) });
  return wanted.flatMap((state) => {
    const before = stored.get(state.metadata.name);
    if (before === undefined) return [{ state }];
    return timeless(before) === timeless(state) ? [] : [{ state, before }];
  });
}

interface Verdict {
  readonly reason: string;
  readonly message: string;
}

function verdictOn(row: NetworkOnNode, progress: Progress): Verdict | undefined {
  if (row.failure !== undefined) {
    return { reason: row.failure.reason, message: networkMessage(row, progress.nodePlan) };
  }
  const failed = verdictOf(row.network, outcomes(progress));
  if (failed !== undefined) return failed;
  return progress.underWay.has(row.network) ? undefined : { reason: 'Ready', message: '' };
}

/** How many networks there are by their reason; those that are worked on are not counted. */
export function networkCounts(progress: Progress): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of progress.nodePlan.networks) {
    const verdict = verdictOn(row, progress);
    if (verdict !== undefined) counts.set(verdict.reason, (counts.get(verdict.reason) ?? 0) + 1);
  }
  return counts;
}

/** What is new about networks, and about what is odd; and everything that has been said by then. */
export function news(
  said: ReadonlyMap<string, string>,
  progress: Progress,
): { readonly said: ReadonlyMap<string, string>; readonly reports: readonly NodeReport[] } {
  const { nodePlan, observation } = progress;
  const all = [
    ...nodePlan.networks.map((row) => {
      const { network, uplink } = row;
      const verdict = verdictOn(row, progress);
      const report: NodeReport | undefined = verdict && { kind: 'network', network, uplink, ...verdict };
      return [`network ${network} on ${uplink}`, report] as const;
    }),
    ...[...observation.warnings, ...nodePlan.warnings].map(warningReport),
  ];
  return {
    // Of what is worked on stands what was said before.
    said: new Map(
      all.map(([key, report]) => [key, report === undefined ? (said.get(key) ?? '') : JSON.stringify(report)]),
    ),
    reports: all.flatMap(([key, report]) =>
      report === undefined || said.get(key) === JSON.stringify(report) ? [] : [report],
    ),
  };
}

function warningReport(
  warning: Observation['warnings'][number] | NodePlan['warnings'][number],
): readonly [string, NodeReport] {
  const text = describeWarning(warning);
  return [`warning ${text}`, { kind: 'warning', text }];
}
