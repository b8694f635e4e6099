/** Measures planNode at one size, in a process of its own. Prints figures as JSON. */
import { defaultSettings, nodeStatus, planNode } from '../src/domain/index.ts';
import { cpuOf, type Figure, median, peakMemory } from './figure.ts';
import { largeNode } from './large-node.ts';

const [networks = 1] = process.argv.slice(2).map(Number);
const { cluster, node } = largeNode(networks);
const plan = () => nodeStatus(planNode(cluster, node, defaultSettings));

const cold = cpuOf(plan);
const warm = median(Array.from({ length: 15 }, () => cpuOf(plan)));
const figures: readonly Figure[] = [
  { name: 'planNode and nodeStatus, cold', size: { networks }, value: cold, unit: 'ms of CPU' },
  { name: 'planNode and nodeStatus, warm, median of 15', size: { networks }, value: warm, unit: 'ms of CPU' },
  { name: 'peak memory', size: { networks }, value: peakMemory(), unit: 'MiB' },
];
process.stdout.write(JSON.stringify(figures));
