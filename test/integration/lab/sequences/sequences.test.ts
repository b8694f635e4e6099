import fc from 'fast-check';
import { sharedMachine } from '../shared-machine.ts';
import { runSequence } from './run-sequence.ts';
import { sequences } from './sequence.ts';

/** Sequences, and how many of them go on at the same time: while one node works another one is read. */
const [COUNT, AT_ONCE] = [20, 4];

describe('the node model', () => {
  for (let first = 1; first <= COUNT; first += AT_ONCE) {
    it(`is as a real node after every operation of sequences ${first} to ${first + AT_ONCE - 1}`, async () => {
      await Promise.all(Array.from({ length: AT_ONCE }, (_item, index) => compare(first + index)));
    });
  }

  async function compare(seed: number): Promise<void> {
    const machine = await sharedMachine();
    const property = fc.asyncProperty(sequences, async (sequence) => {
      const node = await machine.node(`sequence-${seed}`);
      try {
        await runSequence(sequence, node);
      } finally {
        await node.end();
      }
    });
    await fc.assert(property, { seed, numRuns: 1, endOnFailure: true });
  }
});
