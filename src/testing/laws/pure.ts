import { withStates } from '../../domain/preview/preview.ts';
import { by } from '../../domain/ordering.ts';
import type { Case } from '../case.ts';
import type { Engine } from '../engine.ts';
import { chooser, shuffle } from '../shuffle.ts';
import type { CaseLabels } from './labels.ts';
import { assertSame } from './violation.ts';

const law = '1 pure';

/** Everything that an engine decides about a case. */
function decisions(engine: Engine, { cluster, nodes, settings }: Case) {
  const planned = [...nodes].sort(by(({ nodeName }) => nodeName)).map((node) => {
    const plan = engine.planNode(cluster, node, settings);
    return { plan, operations: engine.diffNode(plan, node), states: engine.nodeStatus(plan) };
  });
  const after = withStates(
    cluster,
    planned.flatMap(({ states }) => states),
  );
  return { planned, cluster: engine.planCluster(after, settings) };
}

/**
 * Law 1: the same snapshot gives the same decisions, byte for byte, whatever the order of its lists and keys, and stays as it is.
 *
 * @param seed selects the order
 */
export function checkPure(engine: Engine, given: Case, seed = 1): CaseLabels {
  const before = JSON.stringify(given);
  // An engine that changes its input changes this copy.
  const subject = JSON.parse(before) as Case;
  const decided = decisions(engine, subject);
  assertSame(law, 'decisions about a case, and about the same case again,', decided, decisions(engine, subject));
  const inAnotherOrder = decisions(engine, shuffle(subject, chooser(seed)));
  assertSame(law, 'decisions about a case, and about the same case in another order,', decided, inAnotherOrder);
  assertSame(law, 'the input before and after planning', before, JSON.stringify(subject));
  return decided.planned.some(({ operations }) => operations.length > 0) ? ['operations'] : [];
}
