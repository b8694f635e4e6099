/**
 * `npm run lab:crashes [FAULT…]`: injects every fault, or the given ones, at each change of the set-up and the removal of two tenants, with
 * a node for each fault. Prints how often the result differs from that of an undisturbed run. `mappings` is another program that changes
 * the bridge mappings at the same time, for 1,000 rounds. `packets-FAULT` is a fault on a node with OVN, where packets have to pass once the tenants
 * are set up. Exits with status 1 if anything differed. STEP=10 takes every tenth change, FIRST=5 begins with the fifth.
 */
import { Machine } from '../../machine.ts';
import type { LabNode } from '../../node.ts';
import { preparedNode } from '../../packets/packet-node.ts';
import { type FaultName, faults, type OvnFaultName, ovnFaults } from './faults.ts';
import { failed, type FaultRun, runFaults, runPacketFaults } from './run-faults.ts';
import { packetTenants } from './scenarios.ts';
import { lostOf, shareMappings } from './share-mappings.ts';

const first = Number(process.env['FIRST'] ?? 1);
const step = Number(process.env['STEP'] ?? 1);

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** @returns the number of differing outcomes */
function printRun(fault: string, { undisturbed, outcomes }: FaultRun): number {
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

const machine = await Machine.start();

/** Does something with a fresh node. */
async function on(node: LabNode, work: (node: LabNode) => Promise<number>): Promise<void> {
  try {
    if ((await work(node)) > 0) process.exitCode = 1;
  } finally {
    await node.end();
  }
}

const newNode = () => machine.node('worker-a');
const newPacketNode = () => preparedNode(packetTenants, () => Promise.resolve(machine));

/** Faults that leave all bridges of the packets' tenants where they are. */
const packetFaults: readonly (FaultName | OvnFaultName)[] = [
  ...(['crash', 'crash-and-daemons', 'ovsdb-server', 'ovs-vswitchd'] as const),
  ...(Object.keys(ovnFaults) as OvnFaultName[]),
];

const campaigns: Readonly<Record<string, () => Promise<void>>> = {
  ...Object.fromEntries(
    (Object.keys(faults) as FaultName[]).map((fault) => [
      fault,
      async () => on(await newNode(), async (node) => printRun(fault, await runFaults(node, fault, first, step))),
    ]),
  ),
  mappings: async () => on(await newNode(), shareCampaign),
  ...Object.fromEntries(
    packetFaults.map((fault) => [
      `packets-${fault}`,
      async () =>
        on(await newPacketNode(), async (node) =>
          printRun(`packets-${fault}`, await runPacketFaults(node, fault, first, step)),
        ),
    ]),
  ),
};

const named = process.argv.slice(2);
for (const [name, run] of Object.entries(campaigns)) if (named.length === 0 || named.includes(name)) await run();
await machine.stop();
