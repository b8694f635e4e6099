import { lazyByObject } from '../../domain/basics/incremental/by-identity.ts';
import type { ClusterPlan, NetworkPlan, UplinkPlan } from '../../domain/plan/cluster/cluster-plan.ts';
import type { ProvidedNetworkPlan } from '../../domain/plan/cluster/provided-network-plan.ts';
import type { ObjectWarning } from '../../domain/api/object-warning.ts';
import type { Condition } from '../../domain/api/condition.ts';
import type { ClusterReport } from '../../ports/cluster/cluster-report.ts';
import { describeWarning, type InputProblem } from '../../ports/input-problem.ts';
import { type ObjectName, objectText } from '../../domain/objects/object-write.ts';
import type { ProvisionWrite } from '../../domain/plan/cluster/planned-writes.ts';

/** A report with its subject. */
type About = readonly [about: string, report: ClusterReport];

/** A condition, with the kind of its object. */
interface ReportedCondition {
  readonly kind: string;
  readonly reason: string;
  readonly about: About;
}

function reportedCondition(named: ObjectName, { type, status, reason, message }: Condition): ReportedCondition {
  const object = objectText(named);
  const report = { kind: 'condition', object, type, status, reason, message } as const;
  return { kind: named.kind, reason, about: [`${object} ${type}`, report] };
}

const ofUplink = lazyByObject(({ name, condition }: UplinkPlan) =>
  reportedCondition({ kind: 'Uplink', name }, condition),
);

const ofNetwork = lazyByObject(({ name, condition }: NetworkPlan) =>
  reportedCondition({ kind: 'ClusterUserDefinedNetwork', name }, condition),
);

const ofProvided = lazyByObject(({ conditions, ...network }: ProvidedNetworkPlan) =>
  conditions.map((condition) => reportedCondition(network, condition)),
);

/** All conditions of a plan. Those of entries that are the same objects as in another plan are the same objects. */
function conditionsOf({ uplinks, networks, provision }: ClusterPlan): readonly ReportedCondition[] {
  return [...uplinks.map(ofUplink), ...networks.map(ofNetwork), ...(provision?.networks ?? []).flatMap(ofProvided)];
}

/** The number of conditions in a plan, by kind and reason. */
export function countsOf(plan: ClusterPlan): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, reason } of conditionsOf(plan)) {
    const key = `${kind} ${reason}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** A report as text, by which it is compared with the one before. */
export const reportText = lazyByObject((report: ClusterReport) => JSON.stringify(report));

/** A warning about an object of a tenant. One with another message, or about another object of the name, is another one. */
const objectWarning = lazyByObject((warning: ObjectWarning): About => [
  `object ${JSON.stringify(warning)}`,
  { kind: 'object-warning', warning },
]);

/** The reports on a plan, by subject. */
export function reportsOf(
  plan: ClusterPlan,
  writes: readonly ProvisionWrite[],
  readingWarnings: readonly InputProblem[],
): ReadonlyMap<string, ClusterReport> {
  return new Map<string, ClusterReport>([
    ...conditionsOf(plan).map(({ about }) => about),
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
    ...(plan.provision?.services.warnings ?? []).map(objectWarning),
  ]);
}
