import { diffNode, meaningOf, type NodeSnapshot, type Operation, planNode } from '../../../../src/domain/index.ts';
import { applyOperation } from '../../../../src/domain/operations/operation-kinds.ts';
import type { LabNode } from '../node.ts';
import { arrange } from './arrange.ts';
import { NODE } from './cluster-story.ts';
import { differences } from './comparison.ts';
import type { Sequence } from './sequence.ts';

/** Milliseconds in which what the kernel does by and by, such as to take note of a carrier, has to be done. */
const SETTLING = 5000;

/** Which kinds of operations a run compared, and how often. */
export type Compared = Readonly<Record<string, number>>;

async function snapshotOf(node: LabNode): Promise<NodeSnapshot> {
  return { ...(await node.snapshot()), nodeName: NODE };
}

/** In which lines a node differs from its model, once what the kernel does by and by is done. */
async function settledDifferences(model: NodeSnapshot, node: LabNode): Promise<readonly string[]> {
  const deadline = performance.now() + SETTLING;
  for (;;) {
    const lines = differences(model, await snapshotOf(node));
    if (lines.length === 0 || performance.now() > deadline) return lines;
  }
}

/** Does an operation's command; why it failed, if it did. That a thing which is put back is there already is fine. */
async function failureOf(operation: Operation, before: NodeSnapshot, node: LabNode): Promise<string | undefined> {
  const { program, arguments: words } = meaningOf(operation).command(operation, before);
  const { exitCode, stdout, stderr } = await node.run([program, ...words]);
  if (operation.kind === 'put-back' && stderr.includes('File exists')) return undefined;
  // ovsdb-client is content with a transaction that was refused, as long as it was answered.
  const isRefused = exitCode !== 0 || (program === 'ovsdb-client' && stdout.includes('"error"'));
  return isRefused ? `${[program, ...words].join(' ')}\n${stdout}${stderr}` : undefined;
}

function problem(what: string, operation: Operation, before: NodeSnapshot, lines: readonly string[]): Error {
  const { program, arguments: words } = meaningOf(operation).command(operation, before);
  return new Error(
    [
      `${what} ${operation.kind} (${meaningOf(operation).summary(operation)})`,
      [program, ...words].join(' '),
      ...lines,
    ].join('\n'),
  );
}

/** Does an operation to a node and to its model. Gives the model after it; rejects where the two differ then. */
async function doBoth(operation: Operation, before: NodeSnapshot, node: LabNode): Promise<NodeSnapshot> {
  const change = applyOperation(operation, before);
  if (!change.done) throw problem('the model refuses', operation, before, [change.refusal]);
  const failure = await failureOf(operation, before, node);
  if (failure !== undefined) throw problem('the node refuses', operation, before, [failure]);
  const lines = await settledDifferences(change.node, node);
  if (lines.length > 0) throw problem('model (-) and node (+) differ after', operation, before, lines);
  return change.node;
}

/**
 * Carries a sequence out on a fresh node and on the model at once. Rejects with the first operation after which the two differ, or that
 * one of them refuses, and where something is left to do after a step.
 */
export async function runSequence({ node: commands, settings, steps }: Sequence, node: LabNode): Promise<Compared> {
  const compared: Record<string, number> = {};
  await arrange(node, commands);
  let model = await settled(node);
  for (const cluster of steps) {
    const { ledger } = model;
    model = { ...(await snapshotOf(node)), ledger };
    const planned = diffNode(planNode(cluster, model, settings), model);
    for (const operation of planned) {
      model = await doBoth(operation, model, node);
      compared[operation.kind] = (compared[operation.kind] ?? 0) + 1;
    }
    const left = diffNode(planNode(cluster, model, settings), model);
    if (left[0] !== undefined) throw problem('the plan is not empty afterwards:', left[0], model, []);
  }
  return compared;
}

/** The node once what the kernel does by and by is done. */
async function settled(node: LabNode): Promise<NodeSnapshot> {
  const first = await snapshotOf(node);
  const second = await snapshotOf(node);
  return differences(first, second).length === 0 ? second : settled(node);
}
