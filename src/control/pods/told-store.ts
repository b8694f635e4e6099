import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import type { ResourceStore } from '../../ports/resource-store.ts';
import { withReads } from '../with-reads.ts';

/**
 * A store whose snapshots somebody else gets too, at once when something changes: a loop that is busy with an operation reads it seconds later, and pods
 * wait for their objects.
 */
export function toldStore(store: ResourceStore, take: (snapshot: ClusterSnapshot) => void): ResourceStore {
  const read: ResourceStore['read'] = async () => {
    const reading = await store.read();
    if (reading.read) take(reading.value.snapshot);
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
