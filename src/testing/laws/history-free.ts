import { diffNode, type NodeSettings, type NodeSnapshot, operationText, planNode } from '../../domain/index.ts';
import { applyAll, converge } from '../convergence.ts';
import { disturbed } from '../disturbance.ts';
import { normalForm, withoutDaemonRoutes } from '../normal-form.ts';
import { type Step, type Story, type Telling, tellings } from '../story.ts';
import { demand, demandSame } from './violation.ts';

const law = '9 history-free';

/** Longest run of single operations that may lead to an end. */
const PATIENCE = 10_000;

function restarted(step: Step, found: NodeSnapshot, settings: NodeSettings): NodeSnapshot {
  let node = found;
  for (let turn = 0; turn < PATIENCE; turn++) {
    const [next] = diffNode(planNode(step.cluster, node, settings), node);
    if (next === undefined) return node;
    node = applyAll(law, node, [next]);
  }
  return node;
}

function carriedOut(step: Step, found: NodeSnapshot, settings: NodeSettings): NodeSnapshot {
  const { node } = converge(law, step.cluster, found, settings);
  const [left] = diffNode(planNode(step.cluster, node, settings), node);
  demand(law, left === undefined, () => `left to do after a step: ${left ? operationText(left) : ''}`);
  return node;
}

function told({ steps, restarted: isRestarted }: Telling, { node: begin, settings }: Story): NodeSnapshot {
  const carryOut = isRestarted === true ? restarted : carriedOut;
  return steps.reduce((node, step) => carryOut(step, disturbed(node, step), settings), begin);
}

/** The node as it would be if nothing had ever been done to it, and others had done what they did. */
function untouched({ steps }: Telling, { node }: Story): NodeSnapshot {
  return steps.reduce((found, { damage: _damage, ...step }) => disturbed(found, step), node);
}

/** Whether a telling ends with nothing held: what is held is left as it was, and so has a history. */
function endsFree(telling: Telling, story: Story): boolean {
  const last = telling.steps.at(-1);
  if (last === undefined) return false;
  const { networks } = planNode(last.cluster, untouched(telling, story), story.settings);
  return networks.every(({ held }) => !held);
}

/**
 * Law 9: however a node came to where it is, it is as if it had come there at once, and after each step nothing is left to do.
 *
 * @returns how many tellings ended with nothing held, and so were compared.
 */
export function checkHistoryFree(story: Story): number {
  let compared = 0;
  for (const telling of tellings(story)) {
    const last = telling.steps.at(-1);
    if (last === undefined) continue;
    const end = told(telling, story);
    if (!endsFree(telling, story)) continue;
    const fresh = converge(law, last.cluster, untouched(telling, story), story.settings);
    const what = `the node at the end of the story ${telling.name}, and one that begins with its last step,`;
    demandSame(law, what, normalForm(withoutDaemonRoutes(fresh.node)), normalForm(withoutDaemonRoutes(end)));
    compared += 1;
  }
  return compared;
}
