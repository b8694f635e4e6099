/**
 * `npm run lab:reasons [ROUNDS]`: lets an agent go through every problem of `reasons.ts`, and adds and removes the first pod of a network,
 * in rounds. Prints for each the time from the fix until the state reports it: median and maximum, in milliseconds. Exits with status 1 if
 * one takes a second or longer. SIGINT ends after the current round.
 */
import type { ClusterSnapshot } from '../../../../src/domain/index.ts';
import { Machine } from '../machine.ts';
import type { ArgumentVector } from '../node.ts';
import { prepare } from '../prepare.ts';
import { clusterNode } from '../story-node.ts';
import { addAndRemovePod, dynamicNode, dynamicWords, emptyNetwork, untilUnused } from './first-pod.ts';
import { NodeAgent } from './node-agent.ts';
import { problems } from './reasons.ts';
import { healthyCluster, healthyNode } from './problems/healthy.ts';
import { runProblem, untilHealthy } from './problems/node-problem.ts';

const rounds = Number(process.argv[2] ?? 20);

/** Milliseconds within which everything must be reported. */
const LIMIT = 1000;

const machine = await Machine.start();
const measurements = new Map<string, number[]>();
let isInterrupted = false;

function measure(what: string, milliseconds: number): void {
  measurements.set(what, [...(measurements.get(what) ?? []), Math.round(milliseconds)]);
}

async function withAgent(
  cluster: ClusterSnapshot,
  commands: readonly ArgumentVector[],
  words: readonly string[],
  body: (agent: NodeAgent) => Promise<void>,
): Promise<void> {
  const node = await machine.node('worker-a');
  try {
    await prepare(node, [...clusterNode, ...commands]);
    await NodeAgent.prepare(node, cluster);
    await body(await NodeAgent.start(node, { words }));
  } finally {
    await node.end();
  }
}

/** Runs rounds until SIGINT. */
async function inRounds(round: () => Promise<void>): Promise<void> {
  for (let number = 1; number <= rounds && !isInterrupted; number += 1) await round();
}

process.once('SIGINT', () => {
  isInterrupted = true;
});
await withAgent(healthyCluster, healthyNode, [], async (agent) => {
  await untilHealthy(agent);
  await inRounds(async () => {
    for (const [reason, problem] of problems) {
      measure(`${reason}: ${problem.title}`, await runProblem(agent, problem));
    }
  });
});
await withAgent(emptyNetwork, dynamicNode, dynamicWords, async (agent) => {
  await untilUnused(agent);
  await inRounds(async () => {
    measure('the first pod of a network', await addAndRemovePod(agent));
  });
});
await machine.stop();

const rows = [...measurements].map(([what, milliseconds]) => {
  const sorted = milliseconds.toSorted((one, other) => one - other);
  const [median = 0, maximum = 0] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted.at(-1)];
  return { what, times: sorted.length, median, maximum, isTimeout: maximum >= LIMIT };
});
for (const { what, times, median, maximum, isTimeout } of rows) {
  process.stdout.write(`${what}: median ${median} ms, maximum ${maximum} ms of ${times}${isTimeout ? ', LATE' : ''}\n`);
}
process.exitCode = rows.some(({ isTimeout }) => isTimeout) ? 1 : 0;
