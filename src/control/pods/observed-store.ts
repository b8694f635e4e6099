import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import type { ResourceStore } from '../../ports/cluster/resource-store.ts';
import { withReads } from '../with-reads.ts';

/**
 * A store with an observer that gets its snapshots too, immediately after each change: a loop that is busy with an operation reads it seconds later, and
 * pods wait for their objects.
 */
export function observedStore(store: ResourceStore, observe: (snapshot: ClusterSnapshot) => void): ResourceStore {
  const read: ResourceStore['read'] = async () => {
    const reading = await store.read();
    if (reading.read) observe(reading.value.snapshot);
    return reading;
  };
  return withReads(store, {
    read,
    onChange: (listener) => {
      store.onChange(() => {
        listener();
        void read();
      });
    },
    close: () => store.close(),
  });
}
