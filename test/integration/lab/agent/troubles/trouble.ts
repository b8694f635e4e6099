import type { ClusterSnapshot } from '../../../../../src/domain/index.ts';
import type { ArgumentVector } from '../../node.ts';
import { NodeAgent } from '../node-agent.ts';
import { healthyStates } from './healthy.ts';

/** What an administrator does on the node, a user with the objects, or first the one and then the other. */
export interface Deed {
  readonly commands?: readonly ArgumentVector[];
  readonly cluster?: ClusterSnapshot;
}

/** Something that goes wrong, and right again. */
export interface Trouble {
  /** What has happened, as a clause. */
  readonly title: string;
  /** In whose state it shows. */
  readonly uplink: string;
  readonly breaks: Deed;
  /** What the state says then, as a pattern. */
  readonly shows: string;
  readonly mends: Deed;
  /** What it says when all is well again. */
  readonly over: string;
  /** What else brings back the node that every trouble begins with. */
  readonly afterwards?: readonly Deed[];
}

async function commandsOf(agent: NodeAgent, { commands = [], cluster }: Deed): Promise<readonly ArgumentVector[]> {
  return cluster === undefined ? commands : [...commands, await NodeAgent.laidOut(agent.node, cluster)];
}

/** Waits until all is well on the node, and nothing is left of the network that comes and goes. */
export async function isHealthy(agent: NodeAgent): Promise<void> {
  for (const [uplink, pattern] of healthyStates) await agent.until([], uplink, pattern);
  await agent.forgets('green');
}

/**
 * Has an agent go through a trouble.
 *
 * @returns milliseconds from the beginning of the last command that mends it to the state that says so
 */
export async function goThrough(agent: NodeAgent, trouble: Trouble): Promise<number> {
  const { uplink, breaks, shows, mends, over, afterwards = [] } = trouble;
  await agent.until(await commandsOf(agent, breaks), uplink, shows);
  const milliseconds = await agent.until(await commandsOf(agent, mends), uplink, over);
  for (const deed of afterwards) {
    await agent.node.does(...(await commandsOf(agent, deed)));
    await isHealthy(agent);
  }
  await isHealthy(agent);
  return milliseconds;
}
