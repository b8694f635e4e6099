import { emptyCluster } from '../domain/snapshot/cluster-snapshot.ts';
import type { ApplyResult } from '../ports/apply-result.ts';
import type { ClusterReading } from '../ports/cluster/cluster-source.ts';
import type { Reading } from '../ports/input-problem.ts';
import type { ResourceStore } from '../ports/cluster/resource-store.ts';

const refused: ApplyResult = { done: false, error: 'there is no cluster' };

/** A cluster with one node and nothing else: the agent removes all its configuration from that node. */
export class NoResources implements ResourceStore {
  readonly #reading: Reading<ClusterReading>;

  constructor(nodeName: string) {
    const snapshot = { ...emptyCluster, nodes: [{ apiVersion: 'v1', kind: 'Node', metadata: { name: nodeName } }] };
    this.#reading = { read: true, value: { snapshot, origins: new Map(), warnings: [] } };
  }

  read(): Promise<Reading<ClusterReading>> {
    return Promise.resolve(this.#reading);
  }

  onChange(): void {
    // Nothing ever changes.
  }

  write(): Promise<ApplyResult> {
    return Promise.resolve(refused);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
