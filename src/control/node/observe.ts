import { byName } from '../../domain/ordering.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import type { InputProblem, Reading } from '../../ports/input-problem.ts';
import type { Observation } from '../observation.ts';
import type { NodePorts } from './ports.ts';

/** How many names of others are told to whoever has got a name wrong. */
const MOST_NAMES = 5;

/** That the cluster does not have the node. Of a node with a wrong name nothing has a reason to be there, and all of it would be taken off. */
function missingNode({ nodes }: ClusterSnapshot, nodeName: string): InputProblem | undefined {
  const names = nodes.map(({ metadata }) => metadata.name);
  if (names.includes(nodeName)) return undefined;
  const first = names.toSorted(byName).slice(0, MOST_NAMES);
  // Not how many: what is said would change, and be said again, with each node that comes or goes.
  const others = [...first, ...(names.length > first.length ? ['…'] : [])];
  return {
    origin: { kind: 'object', object: `Node/${nodeName}` },
    message: `is not there, so nothing is changed on this node; the Nodes are: ${others.join(', ') || 'none'}; expected one by the name of this node (--node)`,
  };
}

/**
 * Reads everything that a plan is made from: the node after the cluster, so that whoever prepares a node before he says what he wants of it is
 * not taken for one who has not prepared it. Never rejects; the problems are those of all that could not be read, and that the cluster does not
 * have the node.
 */
export async function observe(ports: NodePorts, nodeName: string): Promise<Reading<Observation>> {
  const cluster = await ports.resourceStore.read();
  const [kernel, host, switchDatabase] = await Promise.all([
    ports.kernelSettings.read(),
    ports.hostNetwork.read(),
    ports.switchDatabase.read(),
  ]);
  const ledger = await ports.ledgerStore.read(kernel.read ? kernel.value.bootId : undefined);
  if (!kernel.read || !host.read || !switchDatabase.read || !cluster.read || !ledger.read) {
    const problems = [kernel, host, switchDatabase, cluster, ledger].flatMap((part) =>
      part.read ? [] : part.problems,
    );
    return { read: false, problems };
  }
  const problem = missingNode(cluster.value.snapshot, nodeName);
  if (problem !== undefined) return { read: false, problems: [problem] };
  return {
    read: true,
    value: {
      cluster: cluster.value.snapshot,
      warnings: cluster.value.warnings,
      node: { nodeName, ...host.value, ...switchDatabase.value, ...kernel.value, ledger: ledger.value },
    },
  };
}
