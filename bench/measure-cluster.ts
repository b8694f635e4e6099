/** Measures planCluster at one size, in a process of its own so that it is cold and its memory is its own. */
import { defaultSettings, planCluster } from '../src/domain/index.ts';
import { cpuOf, median, peakMemory, report } from './figure.ts';
import { largeCluster } from './large-cluster.ts';

const [nodes = 100, uplinks = 100, networks = 1000, selectedPercent = 16] = process.argv.slice(2).map(Number);
const size = { nodes, uplinks, networks, selectedPercent };
const cluster = largeCluster(size);
const settings = { ...defaultSettings, dynamicNetworks: true };

const measured = { ...size, states: cluster.uplinkStates.length, pods: cluster.pods.length };
report({ name: 'peak memory of the input', size: measured, value: peakMemory(), unit: 'MiB' });
const cold = cpuOf(() => planCluster(cluster, settings));
report({ name: 'planCluster, cold', size: measured, value: cold, unit: 'ms of CPU' });
report({ name: 'peak memory of input and planCluster', size: measured, value: peakMemory(), unit: 'MiB' });
const warm = median([1, 2, 3, 4, 5].map(() => cpuOf(() => planCluster(cluster, settings))));
report({ name: 'planCluster, warm, median of 5', size: measured, value: warm, unit: 'ms of CPU' });
