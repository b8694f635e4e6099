/** Clusters of one node, on which campaigns measure. */
import type { LabNode } from '../node.ts';
import { connectedPlace } from '../whole-networks/default-network.ts';
import { WholeCluster } from '../whole-networks/whole-cluster.ts';
import type { WholeNodeOptions } from '../whole-networks/whole-node.ts';
import { connectWorld } from '../whole-networks/world.ts';

const place = connectedPlace('worker-a', 0);

/** A measurement on a cluster with a node whose agent runs. */
type Measure<Result> = (cluster: WholeCluster, node: LabNode) => Promise<Result>;

async function measured<Result>(
  cluster: WholeCluster,
  measure: Measure<Result>,
  prepare: (node: LabNode) => Promise<void>,
): Promise<Result> {
  try {
    const node = await cluster.startNode(place);
    await prepare(node);
    await cluster.register(place);
    await cluster.startAgent(node);
    return await measure(cluster, node);
  } finally {
    await cluster.stop();
  }
}

/** Measures on a node. @param words options of the cluster manager and the agent */
export async function onOneNode<Result>(
  options: WholeNodeOptions,
  words: readonly string[],
  measure: Measure<Result>,
): Promise<Result> {
  return await measured(await WholeCluster.start(options, ...words), measure, () => Promise.resolve());
}

/** Measures on a node by which networks leave. */
export async function onLeavingNode<Result>(options: WholeNodeOptions, measure: Measure<Result>): Promise<Result> {
  return await measured(await WholeCluster.start(options, '--egress=node'), measure, async (node) => {
    await connectWorld(node, 0);
    await node.does(['/bin/busybox', 'sysctl', '-w', 'net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1']);
  });
}
