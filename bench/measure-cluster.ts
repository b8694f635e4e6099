/** Measures planCluster at one size, in a process of its own so that it is cold and its memory is its own. Prints figures as JSON. */
import { defaultSettings, planCluster } from '../src/domain/index.ts';
import { cpuOf, type Figure, median, peakMemory } from './figure.ts';
import { largeCluster } from './large-cluster.ts';

const [nodes = 100, uplinks = 100, networks = 1000, selectedPercent = 16] = process.argv.slice(2).map(Number);
const size = { nodes, uplinks, networks, selectedPercent };
const cluster = largeCluster(size);
const settings = { ...defaultSettings, dynamicNetworks: true };

const measured = { ...size, states: cluster.uplinkStates.length, pods: cluster.pods.length };
const inputMemory = peakMemory();
const cold = cpuOf(() => planCluster(cluster, settings));
const coldMemory = peakMemory();
const warm = median([1, 2, 3, 4, 5].map(() => cpuOf(() => planCluster(cluster, settings))));
const figures: readonly Figure[] = [
  { name: 'planCluster, cold', size: measured, value: cold, unit: 'ms of CPU' },
  { name: 'planCluster, warm, median of 5', size: measured, value: warm, unit: 'ms of CPU' },
  { name: 'peak memory of the input', size: measured, value: inputMemory, unit: 'MiB' },
  { name: 'peak memory of input and planCluster', size: measured, value: coldMemory, unit: 'MiB' },
];
process.stdout.write(JSON.stringify(figures));
