import type { Case } from './case.ts';
import { converge } from './convergence.ts';
import { disturbed } from './disturbance.ts';
import type { Engine } from './engine.ts';
import type { LawName } from './laws/violation.ts';
import { NodeModel } from './node-model.ts';
import { chooser } from './shuffle.ts';
import type { Story } from './story.ts';

/**
 * The steps of a story as cases: each begins on the node that the steps before it left. Of these some were applied to the end, and some stopped in
 * the middle of an operation.
 *
 * @param seed selects where they stopped
 * @throws LawViolation where the model refuses an operation, after the step has been returned.
 */
export function* stepCases(engine: Engine, law: LawName, story: Story, seed: number): Generator<Case> {
  const { settings } = story;
  const choose = chooser(seed);
  let { node } = story;
  for (const step of story.steps) {
    const { cluster } = step;
    node = disturbed(node, step);
    yield { cluster, settings, nodes: [node] };
    const { operations, states } = converge(engine, law, { cluster, settings }, node);
    const stop = choose(2) === 0 ? operations.length : choose(operations.length + 1);
    const model = new NodeModel(states[stop] ?? node);
    const next = operations[stop];
    if (next !== undefined) model.crash(next, choose(2) === 0 ? 'announced' : 'done');
    node = model.snapshot;
  }
}
