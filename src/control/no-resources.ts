import { emptyCluster } from '../domain/snapshot/cluster-snapshot.ts';
import type { CarriedOut } from '../ports/carried-out.ts';
import type { ClusterReading } from '../ports/cluster-source.ts';
import type { Reading } from '../ports/input-problem.ts';
import type { ResourceStore } from '../ports/resource-store.ts';

const nothing: Reading<ClusterReading> = {
  read: true,
  value: { snapshot: emptyCluster, origins: new Map(), warnings: [] },
};
const refused: CarriedOut = { done: false, error: 'there is no cluster' };

/** A cluster with nothing in it, for a node that everything of ours is taken off. */
export class NoResources implements ResourceStore {
  read(): Promise<Reading<ClusterReading>> {
    return Promise.resolve(nothing);
  }

  onChange(): void {
    // Nothing ever changes.
  }

  writeState(): Promise<CarriedOut> {
    return Promise.resolve(refused);
  }

  deleteState(): Promise<CarriedOut> {
    return Promise.resolve(refused);
  }

  writeStatus(): Promise<CarriedOut> {
    return Promise.resolve(refused);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
