/**
 * Measures planNode and diffNode with gateway routers and flows, for networks of the default routing domain on one bridge, in a process of its own.
 */
import { type ClusterSnapshot, defaultSettings, diffNode, type NodeSnapshot, planNode } from '../src/domain/index.ts';
import { foreseen } from '../src/domain/diff/foresee.ts';
import { cpuOf, median, report } from './figure.ts';
import { populatedNode } from './populated-node.ts';

/** Runs before those that are measured: the code of an agent is warm. */
const WARMING = 10;
const MEASURED = 11;
const GATEWAY = '203.0.113.1';

const [further = 0] = process.argv.slice(2).map(Number);
const { cluster, node } = await populatedNode(further);
const size = { networks: 2 + further };

function changes(snapshot: NodeSnapshot, objects: ClusterSnapshot = cluster) {
  return diffNode(planNode(objects, snapshot, defaultSettings), snapshot);
}

function converged(found: NodeSnapshot, objects: ClusterSnapshot = cluster): NodeSnapshot {
  let reached = found;
  for (let operations = changes(reached, objects); operations.length > 0; operations = changes(reached, objects))
    reached = foreseen(operations, reached);
  return reached;
}

/** The cluster before its last network was created. */
const before: ClusterSnapshot = {
  ...cluster,
  clusterUserDefinedNetworks: cluster.clusterUserDefinedNetworks.slice(0, -1),
  networkAttachmentDefinitions: cluster.networkAttachmentDefinitions.slice(0, -1),
};

/** A node whose first gateway has another MAC address in every run; all else is shared, as between two observations of an agent. */
function withNewMac(snapshot: NodeSnapshot, run: number): NodeSnapshot {
  const resolved = { macAddress: `02:00:00:00:99:${String(10 + run)}`, states: ['reachable', 'managed'] };
  const neighbours = snapshot.neighbours.map((each) => (each.address === GATEWAY ? { ...each, ...resolved } : each));
  return { ...snapshot, neighbours };
}

const done = converged(node);
const doneBefore = converged(node, before);

/** The node as it was before a plan of the cluster without its last network. */
function withoutLast(): NodeSnapshot {
  const snapshot = { ...doneBefore };
  changes(snapshot, before);
  return snapshot;
}

const cases: Readonly<Record<string, (run: number) => NodeSnapshot>> = {
  'nothing done': () => ({ ...node }),
  'everything done': () => ({ ...done }),
  'gateway with another MAC address': (run) => withNewMac(done, run),
  'one network added': withoutLast,
};
for (const [name, make] of Object.entries(cases)) {
  const runs = Array.from({ length: WARMING + MEASURED }, (_, run) => {
    const snapshot = make(run);
    return cpuOf(() => changes(snapshot));
  });
  const value = median(runs.slice(WARMING));
  report({ name: `flows, ${name}, median of ${MEASURED}`, size, value, unit: 'ms of CPU' });
}
