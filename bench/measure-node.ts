/**
 * Measures planNode and diffNode at one size, in a process of its own.
 *
 * The code is warm, as in an agent, and the snapshots are not: what is cached for a snapshot is computed again in every run.
 */
import { clusterNetworkKey } from '../src/domain/network/key.ts';
import { defaultSettings, diffNode, type NodeSnapshot, type Operation, planNode } from '../src/domain/index.ts';
import { foreseen } from '../src/domain/diff/foresee.ts';
import { collectGarbage, cpuOf, median, peakMemory, report } from './figure.ts';
import { largeNode, type Layout } from './large-node.ts';

const numberOfRuns = 15;

const networks = Number(process.argv[2] ?? 1);

function measure(layout: Layout): void {
  const { cluster, node } = largeNode(networks, layout);
  const operationsFor = (snapshot: NodeSnapshot): readonly Operation[] => {
    const fresh = structuredClone({ cluster, snapshot });
    return diffNode(planNode(fresh.cluster, fresh.snapshot, defaultSettings), fresh.snapshot);
  };
  const cpuOfRun = (snapshot: NodeSnapshot): number => {
    const fresh = structuredClone({ cluster, snapshot });
    collectGarbage();
    return cpuOf(() => diffNode(planNode(fresh.cluster, fresh.snapshot, defaultSettings), fresh.snapshot));
  };
  const cold = cpuOfRun(node);
  const operations = operationsFor(node);
  const states = {
    'nothing done': node,
    'all but one network done': foreseen(
      operations.filter((operation) => !operation.networks.includes(clusterNetworkKey('tenant-0'))),
      node,
    ),
    'everything done': foreseen(operations, node),
  };
  report({ name: `${layout}, nothing done, first run`, size: { networks }, value: cold, unit: 'ms of CPU' });
  for (const [state, snapshot] of Object.entries(states)) {
    const runs = Array.from({ length: numberOfRuns }, () => cpuOfRun(snapshot));
    const size = { networks, operations: operationsFor(snapshot).length };
    report({
      name: `${layout}, ${state}, median of ${numberOfRuns}`,
      size,
      value: median(runs),
      unit: 'ms of CPU',
    });
  }
}

measure('own VRFs');
measure('default domain');
report({ name: 'peak memory', size: { networks }, value: peakMemory(), unit: 'MiB' });
