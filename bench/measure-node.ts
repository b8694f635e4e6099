/** Measures planNode and diffNode at one size, in a process of its own. Prints figures as JSON. */
import { defaultSettings, diffNode, nodeStatus, type NodeSnapshot, planNode } from '../src/domain/index.ts';
import { foreseen } from '../src/domain/diff/foresee.ts';
import { cpuOf, type Figure, median, peakMemory } from './figure.ts';
import { largeNode } from './large-node.ts';

const [networks = 1] = process.argv.slice(2).map(Number);
const { cluster, node } = largeNode(networks);
const size = { networks };

const plan = () => nodeStatus(planNode(cluster, node, defaultSettings));
const operationsFor = (snapshot: NodeSnapshot) => diffNode(planNode(cluster, snapshot, defaultSettings), snapshot);

const cold = cpuOf(plan);
const warm = median(Array.from({ length: 15 }, () => cpuOf(plan)));
const firstDifference = cpuOf(() => operationsFor(node));
const everything = median(Array.from({ length: 15 }, () => cpuOf(() => operationsFor(node))));
const operations = operationsFor(node);
const programmed = foreseen(operations, node);
const nothing = median(Array.from({ length: 15 }, () => cpuOf(() => operationsFor(programmed))));
const left = operationsFor(programmed).length;
const others = operations.filter(({ networks: names }) => !names.includes('tenant-0'));
const oneNew = foreseen(others, node);
const one = median(Array.from({ length: 15 }, () => cpuOf(() => operationsFor(oneNew))));
const figures: readonly Figure[] = [
  { name: 'planNode and nodeStatus, cold', size, value: cold, unit: 'ms of CPU' },
  { name: 'planNode and nodeStatus, warm, median of 15', size, value: warm, unit: 'ms of CPU' },
  { name: 'planNode and diffNode of a node with nothing done, first', size, value: firstDifference, unit: 'ms of CPU' },
  {
    name: 'planNode and diffNode of a node with nothing done, median of 15',
    size,
    value: everything,
    unit: 'ms of CPU',
  },
  { name: 'operations of a node with nothing done', size, value: operations.length, unit: 'operations' },
  {
    name: 'planNode and diffNode of a node with everything done, median of 15',
    size,
    value: nothing,
    unit: 'ms of CPU',
  },
  { name: 'operations of a node with everything done', size, value: left, unit: 'operations' },
  {
    name: 'planNode and diffNode of a node with all but one network done, median of 15',
    size,
    value: one,
    unit: 'ms of CPU',
  },
  {
    name: 'operations of a node with all but one network done',
    size,
    value: operationsFor(oneNew).length,
    unit: 'operations',
  },
  { name: 'peak memory', size, value: peakMemory(), unit: 'MiB' },
];
process.stdout.write(JSON.stringify(figures));
