import { meaningOf, type NodeSettings, type NodeSnapshot, type Operation } from '../../domain/index.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import type { Case } from '../case.ts';
import { applyAll, converge } from '../convergence.ts';
import { type CrashPoint, NodeModel } from '../node-model.ts';
import { normalForm } from '../normal-form.ts';
import { demandSame } from './violation.ts';

const law = '7 crash-safe';

/** How far a run comes: so many operations are done, and the next one is begun. */
interface Crash {
  readonly after: number;
  readonly point: CrashPoint;
}

function crashed(node: NodeSnapshot, operations: readonly Operation[], { after, point }: Crash): NodeSnapshot {
  const next = operations[after];
  const model = new NodeModel(applyAll(law, node, operations.slice(0, after)));
  if (next !== undefined) model.crash(next, point);
  return model.snapshot;
}

function checkCrash(
  { cluster, settings }: { readonly cluster: ClusterSnapshot; readonly settings: NodeSettings },
  found: NodeSnapshot,
  operations: readonly Operation[],
  undisturbed: NodeSnapshot,
  crash: Crash,
): void {
  const { node } = converge(law, cluster, crashed(found, operations, crash), settings);
  const next = operations[crash.after];
  const where =
    next === undefined ? 'the end' : `${meaningOf(next).name} ${meaningOf(next).summary(next)} was ${crash.point}`;
  demandSame(
    law,
    `the node of an undisturbed run, and of one that crashed when ${where},`,
    normalForm(undisturbed),
    normalForm(node),
  );
}

/** The crashes of a run: all of them, or as many as are asked for, spread over it. */
function crashes(length: number, most: number, seed: number): readonly Crash[] {
  const all = Array.from({ length }, (_item, after) =>
    (['announced', 'done'] as const).map((point): Crash => ({ after, point })),
  ).flat();
  const step = Math.max(1, Math.ceil(all.length / most));
  return all.filter((_crash, index) => (index + seed) % step === 0);
}

/**
 * Law 7: whoever stops after any operation, or in the middle of one, looks again and plans again comes to the same end.
 *
 * @param most how many crashes are tried, spread over the run; the seed decides which
 */
export function checkCrashSafe({ cluster, nodes, settings }: Case, most = Number.POSITIVE_INFINITY, seed = 0): void {
  for (const found of nodes) {
    const { node: undisturbed, operations } = converge(law, cluster, found, settings);
    for (const crash of crashes(operations.length, most, seed)) {
      checkCrash({ cluster, settings }, found, operations, undisturbed, crash);
    }
    // Stopped after each operation: every one of them is the first of a new plan.
    let node = found;
    for (const _operation of [...operations, ...operations]) {
      const { operations: planned } = converge(law, cluster, node, settings);
      if (planned.length === 0) break;
      node = applyAll(law, node, planned.slice(0, 1));
    }
    demandSame(
      law,
      'the node of an undisturbed run, and of one restarted after each operation,',
      normalForm(undisturbed),
      normalForm(node),
    );
  }
}
