import { eventually } from '../../../unit/adapters/processes.ts';
import { metricsOf } from '../agent/scale.ts';
import { numbered, timed } from '../cluster/figures.ts';
import type { LabNode } from '../node.ts';
import { memoryOfDaemons, processorTime } from '../packets/daemons.ts';
import { onLeavingNode } from './one-node.ts';

const NETWORKS = 250;

/** Seconds until all networks are ready that are created at the same time. */
const ALL_READY = 1800;

/** The number of elements in each set of the filter, by its name. */
async function setSizes(node: LabNode): Promise<Readonly<Record<string, number>>> {
  const printed = await node.does(['nft', '--json', 'list', 'table', 'inet', 'ovn-uplinks-egress']);
  const { nftables } = JSON.parse(printed) as {
    readonly nftables: readonly { readonly set?: { readonly name: string; readonly elem?: readonly unknown[] } }[];
  };
  return Object.fromEntries(
    nftables.flatMap(({ set }) => (set === undefined ? [] : [[set.name, set.elem?.length ?? 0]])),
  );
}

async function agentSeconds(node: LabNode): Promise<number> {
  return (await metricsOf(node)).get('process_cpu_seconds_total') ?? 0;
}

/** Many networks that leave by a node: until all are ready, then one more, and one less. */
export async function manyNetworks(): Promise<unknown> {
  return await onLeavingNode({ memory: 2048 }, async (cluster, node) => {
    const tenants = numbered('tenant', NETWORKS);
    const { result: allReady, seconds } = await processorTime(node, () =>
      timed(async () => {
        cluster.createTenants(tenants);
        await cluster.untilReady(tenants, [node], ALL_READY);
      }),
    );
    const [agent, sets] = [await agentSeconds(node), await setSizes(node)];
    const oneMore = await timed(async () => {
      cluster.createTenants(['another']);
      await cluster.untilReady(['another'], [node]);
    });
    const agentOfOneMore = (await agentSeconds(node)) - agent;
    const withOneMore = await setSizes(node);
    const oneLess = await timed(async () => {
      cluster.lab.server.kubectl(['delete', 'namespace/another', 'cudn/another', '--wait=false']);
      await eventually('it is gone', async () => (await setSizes(node))['sources4'] === sets['sources4']);
    });
    const metrics = await metricsOf(node);
    return {
      networks: NETWORKS,
      allReady,
      oneMoreReady: oneMore,
      oneLess,
      agent: {
        processorTimeOfAll: Math.round(agent * 1000),
        processorTimeOfOneMore: Math.round(agentOfOneMore * 1000),
        memory: Math.round((metrics.get('process_resident_memory_bytes') ?? 0) / 2 ** 20),
      },
      elementsOfSets: { [NETWORKS]: sets, [NETWORKS + 1]: withOneMore },
      secondsOfDaemons: seconds,
      memoryOfDaemons: await memoryOfDaemons(node),
    };
  });
}
