import type { ArgumentVector, LabNode } from '../node.ts';

/** Words that ip(8) reads in a batch as they are. */
const PLAIN = /^[A-Za-z0-9_.:/+,-]+$/;

function isBatchable(vector: ArgumentVector): boolean {
  return vector[0] === 'ip' && vector.every((word) => PLAIN.test(word));
}

/** Commands in their order, with those of ip(8) that follow each other together. */
function batches(vectors: readonly ArgumentVector[]): readonly (readonly ArgumentVector[])[] {
  const groups: ArgumentVector[][] = [];
  for (const vector of vectors) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && isBatchable(last[0]) && isBatchable(vector)) last.push(vector);
    else groups.push([vector]);
  }
  return groups;
}

/** Runs commands one after the other, whether they fail or not, with few programs. */
export async function arrange(node: LabNode, vectors: readonly ArgumentVector[]): Promise<void> {
  for (const group of batches(vectors)) {
    const [first = []] = group;
    if (group.length === 1) await node.run(first);
    else {
      const input = group.map(([, ...words]) => `${words.join(' ')}\n`).join('');
      await node.run(['ip', '-force', '-batch', '-'], { input });
    }
  }
}
