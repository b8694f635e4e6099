import type { ClusterSnapshot } from '../domain/snapshot/cluster-snapshot.ts';
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

/** Knowledge that completes snapshots, and changes by itself. */
export interface Completion {
  readonly complete: (snapshot: ClusterSnapshot) => ClusterSnapshot;
  onChange(listener: () => void): void;
  /** Releases all resources. */
  close?(): void;
}

/** A store with completed snapshots. */
export function withCompleted(store: ResourceStore, completion: Completion): ResourceStore {
  return withReads(store, {
    read: async () => {
      const reading = await store.read();
      if (!reading.read) return reading;
      return { read: true, value: { ...reading.value, snapshot: completion.complete(reading.value.snapshot) } };
    },
    onChange: (listener) => {
      store.onChange(listener);
      completion.onChange(listener);
    },
    close: async () => {
      completion.close?.();
      await store.close();
    },
  });
}
