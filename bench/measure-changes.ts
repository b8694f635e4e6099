/** Measures planCluster after one change of a cluster that was planned before. The lists of each cluster are made before: only planning is measured. */
import { type ClusterSnapshot, defaultSettings, planCluster, type UplinkState } from '../src/domain/index.ts';
import { cpuOf, median, report } from './figure.ts';
import { largeCluster } from './large-cluster.ts';

const [nodes = 1000, uplinks = 10, networks = 100, selectedPercent = 100] = process.argv.slice(2).map(Number);
const size = { nodes, uplinks, networks, selectedPercent };
const settings = { ...defaultSettings, dynamicNetworks: true };

/** How often each change is made in a row, and how often that is measured. */
const REPETITIONS = 10;
const SERIES = 9;

/** A list with one other item; the others are the same, as a watch keeps them. */
function replaced<Item>(items: readonly Item[], index: number, change: (item: Item) => Item): readonly Item[] {
  const copy = [...items];
  const place = index % items.length;
  const item = items[place];
  if (item !== undefined) copy[place] = change(item);
  return copy;
}

const withStatus = (state: UplinkState, status: Partial<NonNullable<UplinkState['status']>>): UplinkState =>
  state.status === undefined ? state : { ...state, status: { ...state.status, ...status } };

/** By name, the change with a number, which decides about the object. */
const changes: Readonly<Record<string, (cluster: ClusterSnapshot, number: number) => ClusterSnapshot>> = {
  'nothing changed': (cluster) => ({ ...cluster }),
  'a node relabelled': (cluster, number) => ({
    ...cluster,
    nodes: replaced(cluster.nodes, number * 37, (node) => ({
      ...node,
      metadata: { ...node.metadata, labels: { ...node.metadata.labels, 'example.org/turn': String(number) } },
    })),
  }),
  'a node leaves its uplinks': (cluster, number) => ({
    ...cluster,
    nodes: replaced(cluster.nodes, number * 41, (node) => ({ ...node, metadata: { ...node.metadata, labels: {} } })),
  }),
  'a state has another address': (cluster, number) => ({
    ...cluster,
    uplinkStates: replaced(cluster.uplinkStates, number * 43, (state) =>
      withStatus(state, { ipAddresses: [`192.0.2.${String(number % 250)}/24`] }),
    ),
  }),
  'a state turns ready or not': (cluster, number) => ({
    ...cluster,
    uplinkStates: replaced(cluster.uplinkStates, number * 47, (state) =>
      withStatus(state, {
        conditions: [
          number % 2 === 0
            ? { type: 'Ready', status: 'False', reason: 'BridgeNotFound' }
            : { type: 'Ready', status: 'True', reason: 'Ready' },
        ],
      }),
    ),
  }),
  'a network added': (cluster, number) => ({
    ...cluster,
    clusterUserDefinedNetworks: [
      ...cluster.clusterUserDefinedNetworks,
      ...cluster.clusterUserDefinedNetworks.slice(0, 1).map((network) => ({
        ...network,
        metadata: { ...network.metadata, name: `added-${String(number)}` },
      })),
    ],
  }),
  'a pod added': (cluster, number) => ({
    ...cluster,
    pods: [
      ...cluster.pods,
      ...cluster.pods
        .slice(0, 1)
        .map((pod) => ({ ...pod, metadata: { ...pod.metadata, name: `added-${String(number)}` } })),
    ],
  }),
};

let cluster = largeCluster(size);
const measured = { ...size, states: cluster.uplinkStates.length, pods: cluster.pods.length };
const cold = cpuOf(() => planCluster(cluster, settings));
report({ name: 'planCluster before changes, cold', size: measured, value: cold, unit: 'ms of CPU' });
let number = 0;
for (const [name, change] of Object.entries(changes)) {
  const series = Array.from({ length: SERIES }, () => {
    const clusters = Array.from({ length: REPETITIONS }, () => {
      number += 1;
      cluster = change(cluster, number);
      return cluster;
    });
    return cpuOf(() => {
      for (const each of clusters) planCluster(each, settings);
    });
  });
  const value = Number((median(series) / REPETITIONS).toPrecision(3));
  report({ name: `planCluster, ${name}, median of ${String(SERIES)}`, size: measured, value, unit: 'ms of CPU' });
  report({
    name: `planCluster, ${name}, of a cold plan`,
    size: measured,
    value: Number((value / cold).toPrecision(3)),
    unit: 'ratio',
  });
}

/** All states of an uplink, which are not ready at first, turn ready one after the other. */
function rollOut(): number {
  const ofUplink = ({ status }: UplinkState) => status?.uplinkName === cluster.uplinks[0]?.metadata.name;
  const turned = (state: UplinkState, isReady: boolean) =>
    withStatus(state, {
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', reason: isReady ? 'Ready' : 'BridgeNotFound' }],
    });
  let rolled: ClusterSnapshot = {
    ...cluster,
    uplinkStates: cluster.uplinkStates.map((state) => (ofUplink(state) ? turned(state, false) : state)),
  };
  planCluster(rolled, settings);
  return cpuOf(() => {
    for (const [index, state] of rolled.uplinkStates.entries()) {
      if (!ofUplink(state)) continue;
      rolled = { ...rolled, uplinkStates: replaced(rolled.uplinkStates, index, (each) => turned(each, true)) };
      planCluster(rolled, settings);
    }
  });
}

report({ name: 'planCluster, roll-out of an uplink', size: measured, value: rollOut(), unit: 'ms of CPU' });
