import { withStates } from '../../domain/explanation/preview/preview.ts';
import type { ClusterPlan } from '../../domain/index.ts';
import { by } from '../../domain/basics/names/ordering.ts';
import type { Case } from '../case.ts';
import type { Engine } from '../engine.ts';
import { frozen } from '../frozen.ts';
import { chooser, shuffle } from '../shuffle.ts';
import type { CaseLabels } from './labels.ts';
import { assertSame, LawViolation } from './violation.ts';

const law = '1 pure';

/** A plan whose warnings do not say at which place of a list something is: that is another one in another order. */
function withoutPlaces({ warnings, ...plan }: ClusterPlan) {
  const placeless = warnings.map(({ path, ...warning }) => ({
    ...warning,
    ...(path !== undefined && { path: path.replace(/\[\d+\]/g, '[]') }),
  }));
  return { ...plan, warnings: placeless.sort(by((warning) => JSON.stringify(warning))) };
}

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
  return { planned, cluster: withoutPlaces(engine.planCluster(after, settings)) };
}

/** Everything that an engine decides about a case that is frozen. @throws LawViolation where it changes the case. */
function decisionsAboutFrozen(engine: Engine, subject: Case) {
  try {
    return decisions(engine, frozen(subject));
  } catch (error) {
    // The message of V8 for a write to what is frozen.
    const isWrite = error instanceof TypeError && /read only|not extensible|Cannot delete/.test(error.message);
    throw isWrite ? new LawViolation(law, `the input is changed: ${error.message}`) : error;
  }
}

/**
 * Law 1: the same snapshot gives the same decisions, byte for byte, whatever the order of its lists and keys, and stays as it is.
 *
 * @param seed selects the order
 */
export function checkPure(engine: Engine, given: Case, seed = 1): CaseLabels {
  // A copy, of which nothing is cached.
  const subject = JSON.parse(JSON.stringify(given)) as Case;
  const decided = decisionsAboutFrozen(engine, subject);
  assertSame(
    law,
    'decisions about a case, and about the same case again,',
    decided,
    decisionsAboutFrozen(engine, subject),
  );
  const inAnotherOrder = decisionsAboutFrozen(engine, shuffle(subject, chooser(seed)));
  assertSame(law, 'decisions about a case, and about the same case in another order,', decided, inAnotherOrder);
  return decided.planned.some(({ operations }) => operations.length > 0) ? ['operations'] : [];
}
