import type { ArgumentVector, LabNode } from '../node.ts';

/** What shows where packets were lost: upcalls that ovs-vswitchd did not take in time (ovs-dpctl(8), "lost"), neighbours, full queues. */
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

/** What a node has counted, as text to read after packets were lost. */
export async function lossCounters(node: LabNode): Promise<string> {
  const outcomes = await node.runAll(COUNTERS);
  return outcomes
    .map(({ stdout, stderr }, index) => `${COUNTERS[index]!.join(' ')} on ${node.name}:\n${stdout}${stderr}`)
    .join('\n');
}
