import type { ArgumentVector, LabNode } from '../node.ts';

/** Commands that show where packets were lost: upcalls that ovs-vswitchd did not take in time (ovs-dpctl(8), "lost"), neighbours, full queues. */
const COUNTERS: readonly ArgumentVector[] = [
  ['ovs-appctl', 'dpctl/show', '--statistics'],
  ['ovs-appctl', 'coverage/show'],
  ['ip', '-all', 'netns', 'exec', 'ip', 'neighbour', 'show'],
  ['ip', 'neighbour', 'show'],
  ['ip', '-all', 'netns', 'exec', 'nstat', '--ignore', '--noupdate'],
  ['nstat', '--ignore', '--noupdate'],
  ['ip', '-statistics', '-statistics', 'link', 'show', 'vec0'],
  ['cat', '/proc/net/softnet_stat', '/proc/net/stat/nf_conntrack', '/proc/pressure/cpu'],
];

/** Runs commands on a node, and returns what they print as one text, whether they succeed or not. */
export async function printedOn(node: LabNode, commands: readonly ArgumentVector[]): Promise<string> {
  const outcomes = await node.runAll(commands);
  return outcomes
    .map(({ stdout, stderr }, index) => `${commands[index]!.join(' ')} on ${node.name}:\n${stdout}${stderr}`)
    .join('\n');
}

/** Reads what a node has counted, as a text for a person who looks for lost packets. */
export function lossCounters(node: LabNode): Promise<string> {
  return printedOn(node, COUNTERS);
}
