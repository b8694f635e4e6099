/**
 * Messages that stay short in a large cluster: how many nodes are affected, and the first few of them.
 */
import { by } from '../ordering.ts';

/** Most nodes that a message names. */
const NAMED_NODES = 3;

/** A node and why it is affected. */
export interface AffectedNode {
  readonly node: string;
  readonly reason: string;
}

/** The first names of a list in name order, and an ellipsis where there are more. */
export function nameSample(sortedNames: readonly string[]): string {
  const named = sortedNames.slice(0, NAMED_NODES).join(', ');
  return sortedNames.length > NAMED_NODES ? `${named}, …` : named;
}

/** Says how many of which nodes are not ready, and names three of them by name order. */
export function notReadyMessage(
  affected: readonly AffectedNode[],
  total: number,
  which: 'selected' | 'active',
): string {
  const sample = [...affected].sort(by(({ node }) => node)).map(({ node, reason }) => `${node} (${reason})`);
  return `${affected.length} of ${total} ${which} nodes not ready: ${nameSample(sample)}`;
}
