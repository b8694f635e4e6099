import { diffNode } from '../../domain/diff/diff-node.ts';
import { preview } from '../../domain/preview/preview.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import type { Case } from '../case.ts';
import { chooser, shuffle } from '../shuffle.ts';
import { demandSame } from './violation.ts';

const law = 'pure: same snapshot, same plan, whatever the order';

/** Law 1: planning twice, and planning what was put in another order, gives the same bytes; and the input is left as it was. */
export function checkPure(subject: Case, seed: number): void {
  const before = JSON.stringify(subject);
  const plan = preview(subject.cluster, subject.nodes, subject.settings);
  demandSame(
    law,
    'two plans of one case',
    result(plan, subject.nodes),
    result(preview(subject.cluster, subject.nodes, subject.settings), subject.nodes),
  );
  const { cluster, nodes, settings } = shuffle(subject, chooser(seed));
  demandSame(
    law,
    'plans of a case and of the same in another order',
    result(plan, subject.nodes),
    result(preview(cluster, nodes, settings), nodes),
  );
  demandSame(law, 'the input before and after planning', before, JSON.stringify(subject));
}

/** What was decided, without the input that a preview carries along. */
function result({ nodes, states, cluster }: ReturnType<typeof preview>, snapshots: readonly NodeSnapshot[]): unknown {
  const snapshotOf = new Map(snapshots.map((snapshot) => [snapshot.nodeName, snapshot]));
  const operations = nodes.map((plan) => {
    const snapshot = snapshotOf.get(plan.nodeName);
    return snapshot === undefined ? [] : diffNode(plan, snapshot);
  });
  return { nodes, states, cluster, operations };
}
