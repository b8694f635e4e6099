import type { ResourceStore } from '../ports/cluster/resource-store.ts';

/** A store with other reads and the same writes. */
export function withReads(
  store: ResourceStore,
  reads: Pick<ResourceStore, 'read' | 'onChange' | 'close'>,
): ResourceStore {
  return {
    ...reads,
    write: (write) => store.write(write),
  };
}
