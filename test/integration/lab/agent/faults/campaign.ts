/**
 * `npm run lab:crashes [FAULT…]`: has every fault, or those named, happen at every change of the set-up and of the removal of two tenants, each
 * fault on a node of its own, and prints how often what it left differed from an undisturbed run. `mappings` is that another program changes the
 * bridge mappings meanwhile, 1,000 rounds. Ends with status 1 where anything differed. STEP=10 takes every tenth change, FIRST=5 begins with the fifth.
 */
import { Machine } from '../../machine.ts';
import type { LabNode } from '../../node.ts';
import { type FaultName, faults } from './faults.ts';
import { bad, runFaults } from './run-faults.ts';
import { lostOf, shareMappings } from './share-mappings.ts';

const first = Number(process.env['FIRST'] ?? 1);
const step = Number(process.env['STEP'] ?? 1);

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** @returns how often something differed */
async function campaign(fault: FaultName, node: LabNode): Promise<number> {
  const { undisturbed, outcomes } = await runFaults(node, fault, first, step);
  const differing = bad(outcomes);
  differing.forEach(print);
  const seconds = outcomes.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
  const slowest = outcomes.toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, 3);
  print({ fault, ...undisturbed, points: outcomes.length, differing: differing.length, seconds });
  for (const { phase, at, milliseconds } of slowest) print({ slow: phase, at, milliseconds });
  return differing.length;
}

/** @returns how many entries were lost */
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
