import { semanticsOf } from '../../../../src/domain/index.ts';
import type { LabNode } from '../node.ts';
import { attempt } from '../prepare.ts';
import { NodeAndModel } from '../node-and-model.ts';
import type { Sequence } from './sequence.ts';

/** The number of compared operations of each kind. */
export type Compared = Readonly<Record<string, number>>;

/**
 * Applies a sequence to a fresh node and to the model. Rejects with the first operation after which they differ, or that one of them
 * refuses, and if something is left to do after a step.
 */
export async function runSequence({ node: commands, settings, steps }: Sequence, node: LabNode): Promise<Compared> {
  const compared: Record<string, number> = {};
  await attempt(node, commands);
  const nodeAndModel = await NodeAndModel.of(node);
  for (const cluster of steps) {
    for (const operation of await nodeAndModel.plan(cluster, settings)) {
      await nodeAndModel.do(operation);
      const { name } = semanticsOf(operation);
      compared[name] = (compared[name] ?? 0) + 1;
    }
    const [left] = await nodeAndModel.plan(cluster, settings);
    if (left !== undefined) throw new Error(`left to do: ${semanticsOf(left).name} ${semanticsOf(left).summary(left)}`);
  }
  return compared;
}
