import type { Reading } from '../../ports/input-problem.ts';
import type { Observation } from '../observation.ts';
import type { NodePorts } from './ports.ts';

/**
 * Reads everything that a plan is made from: the node after the cluster, so that whoever prepares a node before he says what he wants of it is
 * not taken for one who has not prepared it. Never rejects; the problems are those of all that could not be read.
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
  return {
    read: true,
    value: {
      cluster: cluster.value.snapshot,
      warnings: cluster.value.warnings,
      node: { nodeName, ...host.value, ...switchDatabase.value, ...kernel.value, ledger: ledger.value },
    },
  };
}
