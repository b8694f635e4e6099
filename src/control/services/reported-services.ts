import type { ServedNetwork } from '../../domain/snapshot/served-network.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import { Changes } from '../../ports/changes.ts';
import type { ResourceStore } from '../../ports/cluster/resource-store.ts';
import { withCompleted } from '../with-reads.ts';

/** How the Services of networks are served on this node; undefined before it is known. */
export class ServedNetworksSource {
  readonly #changes = new Changes();
  #networks: readonly ServedNetwork[] | undefined;

  get networks(): readonly ServedNetwork[] | undefined {
    return this.#networks;
  }

  set(networks: readonly ServedNetwork[]): void {
    this.#networks = networks;
    this.#changes.notify();
  }

  onChange(listener: () => void): () => void {
    return this.#changes.listen(listener);
  }
}

/** A store whose snapshots say how Services are served on this node: its loop reports it. */
export function withServedNetworks(store: ResourceStore, source: ServedNetworksSource): ResourceStore {
  let last: { readonly from: ClusterSnapshot; readonly to: ClusterSnapshot } | undefined;
  const completed = (from: ClusterSnapshot): ClusterSnapshot => {
    const { networks: servedNetworks } = source;
    if (servedNetworks === undefined) return from;
    if (last?.from === from && last.to.servedNetworks === servedNetworks) return last.to;
    last = { from, to: { ...from, servedNetworks } };
    return last.to;
  };
  return withCompleted(store, { complete: completed, onChange: (listener) => source.onChange(listener) });
}
