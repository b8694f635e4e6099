/**
 * `npm run lab:crashes [FAULT…]`: injects every fault, or the given ones, at each change of the set-up and the removal of two tenants, with
 * a node for each fault. Prints how often the result differs from that of an undisturbed run. `mappings` is another program that changes
 * the bridge mappings at the same time, for 1,000 rounds. Exits with status 1 if anything differed. STEP=10 takes every tenth change,
 * FIRST=5 begins with the fifth.
 */
import { Machine } from '../../machine.ts';
import type { LabNode } from '../../node.ts';
import { type FaultName, faults } from './faults.ts';
import { failed, runFaults } from './run-faults.ts';
import { lostOf, shareMappings } from './share-mappings.ts';

const first = Number(process.env['FIRST'] ?? 1);
const step = Number(process.env['STEP'] ?? 1);

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** @returns the number of differing outcomes */
async function campaign(fault: FaultName, node: LabNode): Promise<number> {
  const { undisturbed, outcomes } = await runFaults(node, fault, first, step);
  const differing = failed(outcomes);
  differing.forEach(print);
  const seconds = outcomes.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
  const slowest = outcomes.toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, 3);
  print({ fault, ...undisturbed, points: outcomes.length, differing: differing.length, seconds });
  for (const { phase, at, milliseconds } of slowest) print({ slow: phase, at, milliseconds });
  return differing.length;
}

/** @returns the number of lost entries */
async function shareCampaign(node: LabNode): Promise<number> {
  const shared = await shareMappings(node, 1000, 20);
  const { agent, other } = shared;
  const lost = [...agent.wrong, ...lostOf(shared)];
  print({
    fault: 'mappings',
    rounds: agent.rounds,
    ofOther: other.rounds,
    beaten: other.beaten,
    seconds: agent.seconds,
    lost,
  });
  return lost.length;
}

const named = process.argv.slice(2);
const names = [...Object.keys(faults), 'mappings'].filter((name) => named.length === 0 || named.includes(name));
const machine = await Machine.start();
for (const name of names) {
  const node = await machine.node('worker-a');
  try {
    const differing = name === 'mappings' ? await shareCampaign(node) : await campaign(name as FaultName, node);
    if (differing > 0) process.exitCode = 1;
  } finally {
    await node.end();
  }
}
await machine.stop();
