import type { ClusterPlan } from '../../domain/plan/cluster/cluster-plan.ts';
import type { ClusterReport } from '../../ports/cluster/cluster-report.ts';
import { describeWarning, type InputProblem } from '../../ports/input-problem.ts';
import { objectText } from '../../domain/objects/object-write.ts';
import type { ProvisionWrite } from '../../domain/plan/cluster/planned-writes.ts';

/** All conditions of a plan, with their objects. */
function conditionsOf({ uplinks, networks, provision }: ClusterPlan) {
  return [
    ...uplinks.map(({ name, condition }) => ({ kind: 'Uplink', name, condition })),
    ...networks.map(({ name, condition }) => ({ kind: 'ClusterUserDefinedNetwork', name, condition })),
    ...(provision?.networks ?? []).flatMap(({ kind, namespace, name, conditions }) =>
      conditions.map((condition) => ({ kind, namespace, name, condition })),
    ),
  ];
}

/** The number of conditions in a plan, by kind and reason. */
export function countsOf(plan: ClusterPlan): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, condition } of conditionsOf(plan)) {
    const key = `${kind} ${condition.reason}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** The reports on a plan, by subject. */
export function reportsOf(
  plan: ClusterPlan,
  writes: readonly ProvisionWrite[],
  readingWarnings: readonly InputProblem[],
): ReadonlyMap<string, ClusterReport> {
  return new Map<string, ClusterReport>([
    ...conditionsOf(plan).map(({ condition, ...named }) => {
      const object = objectText(named);
      const { type, status, reason, message } = condition;
      return [`${object} ${type}`, { kind: 'condition', object, type, status, reason, message }] as const;
    }),
    ...plan.deletions.map((name) => [`deleted ${name}`, { kind: 'deleted', state: name }] as const),
    ...writes.map(({ write }) => {
      const object = objectText(write);
      const isDeletion = write.verb === 'delete';
      return [`${write.verb} ${object}`, { kind: 'provision', object, isDeletion }] as const;
    }),
    ...[...readingWarnings, ...plan.warnings].map((warning) => {
      const text = describeWarning(warning);
      return [`warning ${text}`, { kind: 'warning', text }] as const;
    }),
  ]);
}
