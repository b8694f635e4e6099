/**
 * `npm run lab:crashes [FAULT…]`: has every fault, or those named, happen at every change of the set-up and of the removal of two tenants, each
 * fault on a node of its own, and prints how often what it left differed from an undisturbed run. Ends with status 1 where it ever did.
 * STEP=10 takes every tenth change.
 */
import { Machine } from '../../machine.ts';
import { type FaultName, faults } from './faults.ts';
import { bad, runFaults } from './run-faults.ts';

const first = Number(process.env['FIRST'] ?? 1);
const step = Number(process.env['STEP'] ?? 1);
const named = process.argv.slice(2);
const names = Object.keys(faults).filter((name) => named.length === 0 || named.includes(name)) as FaultName[];
const machine = await Machine.start();
for (const name of names) {
  const node = await machine.node('worker-a');
  try {
    const { undisturbed, outcomes } = await runFaults(node, name, first, step);
    const differing = bad(outcomes);
    for (const outcome of differing) process.stdout.write(`${JSON.stringify(outcome)}\n`);
    const seconds = outcomes.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
    const slowest = Math.max(...outcomes.map(({ milliseconds }) => milliseconds));
    const figures = {
      fault: name,
      ...undisturbed,
      points: outcomes.length,
      differing: differing.length,
      seconds,
      slowest,
    };
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    if (differing.length > 0) process.exitCode = 1;
  } finally {
    await node.end();
  }
}
await machine.stop();
