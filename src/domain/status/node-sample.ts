/**
 * Messages that stay short in a large cluster: how many nodes are affected, and the first few of them.
 */
/** Most nodes that a message names. */
const NAMED_NODES = 3;

/** As many names as are needed to name the first ones, and to see that there are more. */
export const MAX_SAMPLE = NAMED_NODES + 1;

/** A node and why it is affected. */
export interface AffectedNode {
  readonly node: string;
  readonly reason: string;
}

/** The first three names of a sorted list, and an ellipsis if there are more. */
export function nameSample(sortedNames: readonly string[]): string {
  const named = sortedNames.slice(0, NAMED_NODES).join(', ');
  return sortedNames.length > NAMED_NODES ? `${named}, …` : named;
}

/** How many nodes are not ready, with the first three by name. */
export function notReadyMessage(
  { count, first }: { readonly count: number; readonly first: readonly AffectedNode[] },
  total: number,
  which: 'selected' | 'active',
): string {
  return `${count} of ${total} ${which} nodes not ready: ${nameSample(first.map(({ node, reason }) => `${node} (${reason})`))}`;
}
