/** Agents that are killed while networks get their way out by the node, and while they lose it. */
import type { LabNode } from '../node.ts';
import type { LeavingCluster } from './leaving-cluster.ts';
import { LeavingTraffic } from './leaving-traffic.ts';
import type { WholeCluster } from './whole-cluster.ts';

/** A killed agent: it had the setting `--egress`, and had made a number of changes. */
export interface KilledPass {
  readonly node: string;
  readonly egress: 'none' | 'node';
  readonly change: number;
}

/**
 * Takes the way out by the node from networks and gives it to them again, by agents that are killed right after one of their changes, each of which another agent
 * completes, until there is no such change any more. The agent of the node must not run.
 */
async function killWhileLeaving(
  cluster: WholeCluster,
  node: LabNode,
  changes: Iterable<number>,
  report: (killed: KilledPass) => void,
): Promise<void> {
  for (const change of changes) {
    let isKilled = false;
    for (const egress of ['none', 'node'] as const) {
      if (!(await cluster.killedPass(node, change, `--egress=${egress}`))) continue;
      isKilled = true;
      report({ node: node.name, egress, change });
      await cluster.pass(node, `--egress=${egress}`);
    }
    if (!isKilled) return;
  }
}

/** All changes, every STEPth of which from the FIRST on, as several nodes share them. */
export function* everyChange(first: number, step: number): Generator<number, void> {
  for (let change = first; ; change += step) yield change;
}

/** The result of agents that were killed under traffic. */
interface Kills {
  readonly killed: readonly KilledPass[];
  /** See `LeavingTraffic.leaked`. */
  readonly leaked: readonly string[];
}

/**
 * Kills agents at changes of the way out of networks while pods ask the world.
 *
 * @param changes on each node, by its number from 0 on
 * @param report takes what was killed
 */
export async function killUnderTraffic(
  { cluster, nodes, pods }: LeavingCluster,
  changes: (number: number) => Iterable<number>,
  report: (killed: KilledPass) => void = () => undefined,
): Promise<Kills> {
  for (const node of nodes) await cluster.agentOf(node).stop();
  const traffic = await LeavingTraffic.start(nodes, pods);
  const killed: KilledPass[] = [];
  await Promise.all(
    nodes.map((node, number) =>
      killWhileLeaving(cluster, node, changes(number), (each) => {
        killed.push(each);
        report(each);
      }),
    ),
  );
  await traffic.stop();
  const leaked = await traffic.leaked();
  for (const node of nodes) await cluster.restartAgent(node);
  return { killed, leaked };
}
