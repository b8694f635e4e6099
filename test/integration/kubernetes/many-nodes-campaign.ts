/**
 * `npm run kubernetes:nodes [NODES UPLINKS NETWORKS PODS]`: measures a cluster manager for 1,000 nodes, 20 Uplinks, 200 networks and 150,000 pods, or as
 * many as is said, on a real API server; each network needs pods, and each uplink's networks on the first node. UplinkStates are written as agents would. Takes a quarter of an hour and 4 GiB. Prints the figures as one JSON document; times are
 * milliseconds, memory is in MiB, CPU in seconds.
 */
import { ManyNodes, range } from './many-nodes.ts';

const [nodes = 1000, uplinks = 20, networks = 200, pods = 150_000] = process.argv.slice(2).map(Number);

/** How often a node's label is changed. */
const RELABELLED = 50;

const BUILT = ['dist/cmd/main.js'];

function report(what: string, value: unknown): void {
  process.stderr.write(`${what}: ${JSON.stringify(value)}\n`);
}

function quantile(values: readonly number[], share: number): number {
  return Math.round(values.toSorted((left, right) => left - right)[Math.floor(share * (values.length - 1))] ?? 0);
}

const cluster = await ManyNodes.start({ nodes, uplinks, networks });

/** The cost of a step for the cluster manager: its CPU, and its writes of Uplinks and networks. */
async function costs(step: () => Promise<unknown>) {
  const [cpu, writes, begin] = [cluster.usage().cpu, cluster.writes(), performance.now()];
  await step();
  const counts = [...cluster.writes()].map(([name, count]) => count - (writes.get(name) ?? 0));
  return {
    milliseconds: Math.round(performance.now() - begin),
    cpu: Number((cluster.usage().cpu - cpu).toFixed(2)),
    writes: counts.reduce((sum, count) => sum + count, 0),
    mostWritesOfAnObject: Math.max(...counts),
  };
}

const figures: Record<string, unknown> = { nodes, uplinks, networks, states: nodes * uplinks, pods };
try {
  await cluster.createObjects();
  cluster.startManager(BUILT);
  figures['firstConditions'] = Math.round(await cluster.until('not ready'));
  report(
    'states that are not ready are created',
    (figures['statesCreated'] = await costs(() => cluster.createStates(false))),
  );
  const rollOut = await costs(async () => {
    await cluster.rollOut();
    figures['readyAfterLastState'] = Math.round(await cluster.until('ready'));
  });
  report('every state turns ready', (figures['rollOut'] = rollOut));
  const times: number[] = [];
  const relabelling = await costs(async () => {
    for (const index of range(RELABELLED)) {
      const [uplink, node] = [index % uplinks, (index * 7) % nodes];
      const begin = performance.now();
      await cluster.deselect(uplink, node);
      await cluster.untilNetworks(uplink, 'not ready');
      times.push(performance.now() - begin);
      await cluster.selectAgain(uplink, node);
      await cluster.until('ready');
    }
  });
  figures['relabelled'] = { count: RELABELLED, p50: quantile(times, 0.5), p99: quantile(times, 0.99), ...relabelling };
  report('nodes are relabelled, and back', figures['relabelled']);
  figures['memory'] = cluster.usage();
  await cluster.stopManager();
  await cluster.createPods(pods);
  report('pods are created', pods);
  cluster.startManager(BUILT, ['--dynamic-udn']);
  const podsRead = Math.round(await cluster.untilPodsAreRead());
  const relabelled = await costs(async () => {
    await cluster.deselect(0, 0);
    await cluster.untilNetworks(0, 'not ready');
  });
  figures['withPods'] = { podsRead, relabelled, ...cluster.usage() };
  report('started again with Dynamic UDN and the pods, and one label changed', figures['withPods']);
} finally {
  await cluster.stop();
}
process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`);
