import { expect } from 'chai';
import fc from 'fast-check';
import { sharedMachine } from '../shared-machine.ts';
import { runSequence } from './run-sequence.ts';
import { sequences } from './sequence.ts';

/** Seeds of sequences with operations: every second one has none. */
const SEEDS = [2, 3, 4, 5, 7, 8, 9, 15, 16, 19, 20];

/** The number of concurrent sequences: one node is changed while another one is read. */
const CONCURRENT = 4;

describe('the node model', () => {
  for (let first = 0; first < SEEDS.length; first += CONCURRENT) {
    const seeds = SEEDS.slice(first, first + CONCURRENT);
    it(`equals a real node after every operation of sequences ${seeds.join(', ')}`, async () => {
      await Promise.all(seeds.map(compare));
    });
  }

  async function compare(seed: number): Promise<void> {
    const machine = await sharedMachine();
    const property = fc.asyncProperty(sequences, async (sequence) => {
      const node = await machine.node(`sequence-${seed}`);
      try {
        expect(await runSequence(sequence, node), `sequence ${seed}: choose a seed with operations`).not.to.be.empty;
      } finally {
        await node.end();
      }
    });
    await fc.assert(property, { seed, numRuns: 1, endOnFailure: true });
  }
});
