import type { ClusterSnapshot } from '../../../../../src/domain/index.ts';
import { eventually } from '../../../../unit/adapters/processes.ts';
import type { ArgumentVector } from '../../node.ts';
import { NodeAgent } from '../node-agent.ts';
import { healthyStates } from './healthy.ts';

/** What an administrator does on the node, a user with the objects, or first the one and then the other. */
export interface Action {
  readonly commands?: readonly ArgumentVector[];
  readonly cluster?: ClusterSnapshot;
}

/** Something that goes wrong, and right again. */
export interface NodeProblem {
  /** What has happened, as a clause. */
  readonly title: string;
  /** In whose state it shows. */
  readonly uplink: string;
  readonly cause: Action;
  /** What the state says then, as a pattern. */
  readonly shows: string;
  readonly fix: Action;
  /** What it says when all is well again. */
  readonly over: string;
  /** What else brings back the node that every problem begins with. */
  readonly afterwards?: readonly Action[];
}

async function commandsOf(agent: NodeAgent, { commands = [], cluster }: Action): Promise<readonly ArgumentVector[]> {
  return cluster === undefined ? commands : [...commands, await NodeAgent.laidOut(agent.node, cluster)];
}

/** Waits until all is well on the node, and nothing is left of the network that comes and goes. */
export async function untilHealthy(agent: NodeAgent): Promise<void> {
  for (const [uplink, pattern] of healthyStates) await agent.until([], uplink, pattern);
  await agent.forgets('green');
  // Its VRF is deleted last, after everything that the ledger keeps of it.
  await eventually('VRF green is deleted', async () => {
    const { exitCode } = await agent.node.run(['test', '-e', '/sys/class/net/green']);
    return exitCode !== 0;
  });
}

/**
 * Has an agent go through a problem.
 *
 * @returns milliseconds from the beginning of the last command that fix it to the state that says so
 */
export async function runProblem(agent: NodeAgent, problem: NodeProblem): Promise<number> {
  const { uplink, cause, shows, fix, over, afterwards = [] } = problem;
  await agent.until(await commandsOf(agent, cause), uplink, shows);
  const milliseconds = await agent.until(await commandsOf(agent, fix), uplink, over);
  for (const action of afterwards) {
    await agent.node.does(...(await commandsOf(agent, action)));
    await untilHealthy(agent);
  }
  await untilHealthy(agent);
  return milliseconds;
}
