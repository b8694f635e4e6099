import { type NodeSnapshot, operationText } from '../../domain/index.ts';
import { afterFirst, converge, decide, type Surroundings } from '../convergence.ts';
import { disturbed } from '../disturbance.ts';
import type { Engine } from '../engine.ts';
import { withoutDaemonRoutes, withoutLearned } from '../normal-form.ts';
import { type Step, type Story, type Variant, variantsOf } from '../story.ts';
import { heldNames, withoutHeld } from './held-entities.ts';
import { exceptionLabel } from './exceptions.ts';
import type { CaseLabels } from './labels.ts';
import { assertSameNodes } from './same-nodes.ts';
import { assertLaw, assertSame, LawViolation } from './violation.ts';

const law = '9 history-free';

/** Longest run of single operations that may lead to an end. */
const MOST_RESTARTS = 10_000;

function restarted(engine: Engine, surroundings: Surroundings, found: NodeSnapshot): NodeSnapshot {
  let node = found;
  for (let turn = 0; turn < MOST_RESTARTS; turn++) {
    const next = afterFirst(engine, law, surroundings, node);
    if (next === undefined) return node;
    node = next;
  }
  throw new LawViolation(law, `not done after ${MOST_RESTARTS} restarts`);
}

function applied(engine: Engine, surroundings: Surroundings, found: NodeSnapshot): NodeSnapshot {
  const { node } = converge(engine, law, surroundings, found);
  const [left] = decide(engine, surroundings, node).operations;
  assertLaw(law, left === undefined, () => `left to do after a step: ${left ? operationText(left) : ''}`);
  return node;
}

/** The node at the end of a variant. */
function endOf(engine: Engine, { steps, restarted: isRestarted }: Variant, { node, settings }: Story): NodeSnapshot {
  const apply = isRestarted === true ? restarted : applied;
  return steps.reduce(
    (found, step) => apply(engine, { cluster: step.cluster, settings }, disturbed(found, step)),
    node,
  );
}

/** The node after the changes of others alone. */
function untouched(steps: readonly Step[], node: NodeSnapshot): NodeSnapshot {
  return steps.reduce((found, { damage: _damage, ...step }) => disturbed(found, step), node);
}

function checkVariant(engine: Engine, variant: Variant, story: Story): CaseLabels {
  const last = variant.steps.at(-1);
  if (last === undefined) return [];
  const surroundings = { cluster: last.cluster, settings: story.settings };
  const end = endOf(engine, variant, story);
  const plan = engine.planNode(last.cluster, end, story.settings);
  if (plan.dataplane.isUnknown === true) return [exceptionLabel(law, 'unknown node')];
  const fresh = converge(engine, law, surroundings, untouched(variant.steps, story.node));
  const held = heldNames(surroundings, [
    [plan, end],
    [fresh.plan, fresh.node],
  ]);
  const free = ({ networks }: typeof plan) => networks.filter(({ network }) => !held.networks.has(network));
  const when = `at the end of the story ${variant.name}, and of one that begins with its last step,`;
  const labels = assertSameNodes(law, `the node ${when}`, [withoutHeld(fresh.node, held), withoutHeld(end, held)], {
    'route of a daemon': withoutDaemonRoutes,
    'learned neighbour': withoutLearned,
  });
  assertSame(law, `the plan ${when}`, free(fresh.plan), free(plan));
  return ['compared', ...(held.networks.size > 0 ? ['held'] : []), ...labels];
}

/**
 * Law 9: after any sequence of changes the node and its plan are those of a fresh start, held networks aside; and after each step nothing is left to do.
 */
export function checkHistoryFree(engine: Engine, story: Story): CaseLabels {
  return variantsOf(story).flatMap((variant) => checkVariant(engine, variant, story));
}
