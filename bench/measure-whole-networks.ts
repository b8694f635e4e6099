/** Measures the agent of one node of a cluster with whole networks: plan and difference when everything is done, and after one change of the cluster. */
import { CHASSIS_ID_ANNOTATION, ID_CLAIMS_NAME, NODE_REPORT_ANNOTATION } from '../src/domain/basics/conventions.ts';
import { foreseen } from '../src/domain/diff/foresee.ts';
import {
  type ClusterSnapshot,
  type ClusterUserDefinedNetwork,
  defaultSettings,
  diffNode,
  emptyCluster,
  type Node,
  type NodeSnapshot,
  planNode,
} from '../src/domain/index.ts';
import { nodeReportName, reportData } from '../src/domain/network/allocation/node-report.ts';
import { completeNode } from '../src/testing/index.ts';
import { cpuOf, median, peakMemory, report } from './figure.ts';

const [nodes = 100, networks = 100] = process.argv.slice(2).map(Number);
const size = { nodes, networks };
const settings = { ...defaultSettings, providedNetworks: 'all' } as const;

/** Ids of nodes begin with this one. */
const FIRST_NODE_ID = 2;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const nodeName = (index: number) => `node-${String(index)}`;
const tenant = (index: number) => `tenant-${String(index)}`;

function node(
  index: number,
  { chassis = '', labels = {} }: { readonly chassis?: string; readonly labels?: Readonly<Record<string, string>> } = {},
): Node {
  const name = nodeName(index);
  const annotations = {
    [CHASSIS_ID_ANNOTATION]: `chassis-${String(index)}${chassis}`,
    [NODE_REPORT_ANNOTATION]: nodeReportName(name),
  };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, uid: name, labels, annotations } };
}

function network(index: number): ClusterUserDefinedNetwork {
  const name = tenant(index);
  return {
    apiVersion: 'k8s.ovn.org/v1',
    kind: 'ClusterUserDefinedNetwork',
    metadata: { name, uid: name },
    spec: {
      namespaceSelector: { matchLabels: { tenant: name } },
      network: { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr: '11.0.0.0/8', hostSubnet: 24 }] } },
    },
  };
}

// One more network than there are has an id: it is added later.
const networkIds = numbers(networks + 1).map((index) => index + 1);
const configMap = (name: string, data: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: settings.namespace, name },
  data,
});
const claims = [
  ...networkIds.map((id) => [`network-${String(id)}`, `cluster_udn_${tenant(id - 1)} ${tenant(id - 1)}`] as const),
  ...numbers(nodes).map(
    (index) => [`node-${String(index + FIRST_NODE_ID)}`, `${nodeName(index)} ${nodeName(index)}`] as const,
  ),
];
const own = nodeName(0);
const cluster: ClusterSnapshot = {
  ...emptyCluster,
  nodes: numbers(nodes).map((index) => node(index)),
  clusterUserDefinedNetworks: numbers(networks).map(network),
  configMaps: [
    configMap(ID_CLAIMS_NAME, Object.fromEntries(claims)),
    configMap(nodeReportName(own), reportData({ name: own, uid: own }, networkIds, [])),
  ],
};

const found = completeNode({
  nodeName: own,
  isNorthboundRead: true,
  bridges: [{ name: 'br-int' }],
  switchExternalIds: { 'ovn-is-interconn': 'true' },
});

const planAndDifference = (of: ClusterSnapshot, on: NodeSnapshot) => diffNode(planNode(of, on, settings), on);

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
const rows = planNode(cluster, done, settings).dataplane.desired.length;
if (rows < nodes * networks)
  throw new Error(`expected rows of each network for each node, found ${String(rows)} in all`);
report({
  name: 'memory of an agent with whole networks, without its input',
  size,
  value: peakMemory() - before,
  unit: 'MiB',
});

let turn = 0;
const withLast = (changed: Node): ClusterSnapshot => ({ ...cluster, nodes: [...cluster.nodes.slice(0, -1), changed] });
const changes: Readonly<Record<string, () => ClusterSnapshot>> = {
  'nothing changed': () => ({ ...cluster }),
  'a peer relabelled': () => withLast(node(nodes - 1, { labels: { turn: String(turn) } })),
  'a peer has another chassis': () => withLast(node(nodes - 1, { chassis: `-${String(turn)}` })),
  'a network added': () => ({
    ...cluster,
    clusterUserDefinedNetworks: [...cluster.clusterUserDefinedNetworks, network(networks)],
  }),
};
for (const [name, change] of Object.entries(changes)) {
  const value = median(
    numbers(7).map(() => {
      turn += 1;
      const [changed, on] = [change(), { ...done }];
      return cpuOf(() => planAndDifference(changed, on));
    }),
  );
  report({ name: `agent with whole networks, ${name}, median of 7`, size, value, unit: 'ms of CPU' });
}
