import { meaningOf } from '../../../../src/domain/index.ts';
import type { LabNode } from '../node.ts';
import { attempt } from '../prepare.ts';
import { NodeAndModel } from '../node-and-model.ts';
import type { Sequence } from './sequence.ts';

/** Which kinds of operations a run compared, and how often. */
export type Compared = Readonly<Record<string, number>>;

/**
 * Carries a sequence out on a fresh node and on the model at once. Rejects with the first operation after which the two differ, or that
 * one of them refuses, and where something is left to do after a step.
 */
export async function runSequence({ node: commands, settings, steps }: Sequence, node: LabNode): Promise<Compared> {
  const compared: Record<string, number> = {};
  await attempt(node, commands);
  const twin = await NodeAndModel.of(node);
  for (const cluster of steps) {
    for (const operation of await twin.plan(cluster, settings)) {
      await twin.do(operation);
      const { name } = meaningOf(operation);
      compared[name] = (compared[name] ?? 0) + 1;
    }
    const [left] = await twin.plan(cluster, settings);
    if (left !== undefined) throw new Error(`left to do: ${meaningOf(left).name} ${meaningOf(left).summary(left)}`);
  }
  return compared;
}
