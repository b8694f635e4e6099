import type { ClusterSnapshot } from '../../../../../src/domain/index.ts';
import { eventually } from '../../../../unit/adapters/processes.ts';
import type { ArgumentVector } from '../../node.ts';
import { NodeAgent } from '../node-agent.ts';
import { healthyStates } from './healthy.ts';

/** Commands of an administrator on the node, then a change of objects. */
export interface Action {
  readonly commands?: readonly ArgumentVector[];
  readonly cluster?: ClusterSnapshot;
}

/** A problem and its fix. */
export interface NodeProblem {
  /** The cause as a clause. */
  readonly title: string;
  /** The uplink in whose state it is reported. */
  readonly uplink: string;
  readonly cause: Action;
  /** The pattern of the state with the problem. */
  readonly expected: string;
  readonly fix: Action;
  /** The pattern of the state after the fix. */
  readonly expectedAfterFix: string;
  /** Restores the node that every problem starts from. */
  readonly cleanUp?: readonly Action[];
}

async function commandsOf(agent: NodeAgent, { commands = [], cluster }: Action): Promise<readonly ArgumentVector[]> {
  return cluster === undefined ? commands : [...commands, await NodeAgent.saveCommand(agent.node, cluster)];
}

/** Waits until there is no problem on the node, and network green is removed completely. */
export async function untilHealthy(agent: NodeAgent): Promise<void> {
  for (const [uplink, pattern] of healthyStates) await agent.until([], uplink, pattern);
  await agent.untilForgotten('green');
  // Its VRF is deleted last, after its ledger entries.
  await eventually('VRF green is deleted', async () => {
    const { exitCode } = await agent.node.run(['test', '-e', '/sys/class/net/green']);
    return exitCode !== 0;
  });
}

/**
 * Causes a problem and fixes it.
 *
 * @returns milliseconds from the start of the last command of the fix until the state reports it
 */
export async function runProblem(agent: NodeAgent, problem: NodeProblem): Promise<number> {
  const { uplink, cause, expected, fix, expectedAfterFix, cleanUp = [] } = problem;
  await agent.until(await commandsOf(agent, cause), uplink, expected);
  const milliseconds = await agent.until(await commandsOf(agent, fix), uplink, expectedAfterFix);
  for (const action of cleanUp) {
    await agent.node.does(...(await commandsOf(agent, action)));
    await untilHealthy(agent);
  }
  await untilHealthy(agent);
  return milliseconds;
}
