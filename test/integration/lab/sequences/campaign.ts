/**
 * `npm run lab:sequences COUNT [SEED]`: compares the node model with real nodes over COUNT sequences with fresh seeds, on one machine per
 * processor. Prints the number of compared sequences and operations. Exits with status 1 if one differs, and prints its commands and seed.
 * A single sequence (COUNT 1) is reduced, which takes longer. SIGINT ends after the current sequences.
 */
import { availableParallelism } from 'node:os';
import fc from 'fast-check';
import { Machine } from '../machine.ts';
import { runSequence } from './run-sequence.ts';
import { sequences } from './sequence.ts';

const count = Number(process.argv[2] ?? 20);
const firstSeed = Number(process.argv[3] ?? Date.now() % 1_000_000_000);
const operations: Record<string, number> = {};
const differing: number[] = [];
let started = 0;
let compared = 0;
let isInterrupted = false;

async function compareOne(machine: Machine, seed: number): Promise<void> {
  let runs = 0;
  const property = fc.asyncProperty(sequences, async (sequence) => {
    const node = await machine.node(`sequence-${seed}-${++runs}`);
    try {
      const comparedOperations = await runSequence(sequence, node);
      for (const [kind, times] of Object.entries(comparedOperations))
        operations[kind] = (operations[kind] ?? 0) + times;
    } finally {
      await node.end();
    }
  });
  const details = await fc.check(property, { seed, numRuns: 1, endOnFailure: count > 1 });
  compared += 1;
  if (!details.failed) return;
  differing.push(seed);
  const { errorInstance: error } = details;
  const reason = error instanceof Error ? error.message : String(error);
  process.stdout.write(`--- sequence ${seed}\n${fc.defaultReportMessage(details) ?? ''}\n${reason}\n`);
}

async function work(): Promise<void> {
  const machine = await Machine.start();
  while (started < count && !isInterrupted) await compareOne(machine, firstSeed + started++);
  await machine.stop();
}

process.once('SIGINT', () => {
  isInterrupted = true;
});
await Promise.all(Array.from({ length: Math.min(count, availableParallelism()) }, work));
const total = Object.values(operations).reduce((sum, times) => sum + times, 0);
const figures = { sequences: compared, operations: total, ofKinds: operations, firstSeed, differing };
process.stdout.write(`${JSON.stringify(figures)}\n`);
process.exitCode = differing.length === 0 ? 0 : 1;
