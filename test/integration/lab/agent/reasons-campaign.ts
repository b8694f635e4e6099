/**
 * `npm run lab:reasons [ROUNDS]`: has an agent go through every problem of `reasons.ts`, and the first pod of a network come to its node, some
 * times each. Prints for each how long it takes from what fix it to the state that says so: median and worst, in milliseconds. Ends with status
 * 1 where one takes a second or longer. SIGINT begins no further round.
 */
import type { ClusterSnapshot } from '../../../../src/domain/index.ts';
import { Machine } from '../machine.ts';
import type { ArgumentVector } from '../node.ts';
import { prepare } from '../prepare.ts';
import { clusterNode } from '../story-node.ts';
import { comeAndGo, dynamicNode, dynamicWords, emptyNetwork, isUnused } from './first-pod.ts';
import { NodeAgent } from './node-agent.ts';
import { problems } from './reasons.ts';
import { healthyCluster, healthyNode } from './problems/healthy.ts';
import { runProblem, untilHealthy } from './problems/node-problem.ts';

const rounds = Number(process.argv[2] ?? 20);

/** Milliseconds in which everything is to be told of. */
const LIMIT = 1000;

const machine = await Machine.start();
const taken = new Map<string, number[]>();
let isInterrupted = false;

function take(what: string, milliseconds: number): void {
  taken.set(what, [...(taken.get(what) ?? []), Math.round(milliseconds)]);
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

/** Rounds one after the other, until somebody does not want more of them. */
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
      take(`${reason}: ${problem.title}`, await runProblem(agent, problem));
    }
  });
});
await withAgent(emptyNetwork, dynamicNode, dynamicWords, async (agent) => {
  await isUnused(agent);
  await inRounds(async () => {
    take('the first pod of a network', await comeAndGo(agent));
  });
});
await machine.stop();

const rows = [...taken].map(([what, milliseconds]) => {
  const sorted = milliseconds.toSorted((one, other) => one - other);
  const [median = 0, worst = 0] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted.at(-1)];
  return { what, times: sorted.length, median, worst, isTimeout: worst >= LIMIT };
});
for (const { what, times, median, worst, isTimeout } of rows) {
  process.stdout.write(`${what}: median ${median} ms, worst ${worst} ms of ${times}${isTimeout ? ', LATE' : ''}\n`);
}
process.exitCode = rows.some(({ isTimeout }) => isTimeout) ? 1 : 0;
