/** Measures the agent of one node of a cluster with whole networks: plan and difference when everything is done, and after one change of the cluster. */
import { foreseen } from '../src/domain/diff/foresee.ts';
import { type ClusterSnapshot, diffNode, type NodeSnapshot, planNode } from '../src/domain/index.ts';
import { cpuOf, median, peakMemory, report, settledHeap } from './figure.ts';
import { providedNode, providingSettings, withLastNode, withNetwork } from './provided-node.ts';

const [nodes = 100, networks = 100] = process.argv.slice(2).map(Number);
const size = { nodes, networks };

const settledBefore = settledHeap();
const { cluster, node: found } = providedNode(nodes, networks);

const planAndDifference = (of: ClusterSnapshot, on: NodeSnapshot) => diffNode(planNode(of, on, providingSettings), on);

/** The node once everything is done. */
function programmed(): NodeSnapshot {
  let on = found;
  for (
    let operations = planAndDifference(cluster, on);
    operations.length > 0;
    operations = planAndDifference(cluster, on)
  )
    on = foreseen(operations, on);
  return on;
}

const before = peakMemory();
report({
  name: 'agent with whole networks, cold',
  size,
  value: cpuOf(() => planAndDifference(cluster, found)),
  unit: 'ms of CPU',
});
const done = programmed();
const rows = planNode(cluster, done, providingSettings).dataplane.desired.length;
if (rows < nodes * networks)
  throw new Error(`expected rows of each network for each node, found ${String(rows)} in all`);
report({
  name: 'memory of an agent with whole networks, without its input',
  size,
  value: peakMemory() - before,
  unit: 'MiB',
});

// Once more, as agents go on: what the first plans needed only is gone then.
planAndDifference({ ...cluster }, { ...done });
report({
  name: 'settled memory of a network and a peer, with its input',
  size,
  value: Number(((settledHeap() - settledBefore) / (nodes * networks)).toFixed(2)),
  unit: 'KiB',
});

let turn = 0;
const changes: Readonly<Record<string, () => ClusterSnapshot>> = {
  'nothing changed': () => ({ ...cluster }),
  'a peer relabelled': () => withLastNode(cluster, { labels: { turn: String(turn) } }),
  'a peer has another chassis': () => withLastNode(cluster, { chassis: `-${String(turn)}` }),
  'a network added': () => withNetwork(cluster),
};

/** Runs before those that are measured: the code of an agent is warm. */
const WARMING = 10;
const MEASURED = 11;

for (const [name, change] of Object.entries(changes)) {
  const values = Array.from({ length: WARMING + MEASURED }, () => {
    turn += 1;
    planAndDifference({ ...cluster }, { ...done });
    const [changed, on] = [change(), { ...done }];
    return cpuOf(() => planAndDifference(changed, on));
  });
  const value = median(values.slice(WARMING));
  report({ name: `agent with whole networks, ${name}, median of ${MEASURED}`, size, value, unit: 'ms of CPU' });
}
