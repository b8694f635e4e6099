import { lazyByKey } from '../../domain/basics/incremental/lazy.ts';
import { viewCluster } from '../../domain/plan/view/cluster-view.ts';
import { networkOfServices } from '../../domain/plan/view/network-of-services.ts';
import { nodeIndex } from '../../domain/selection/indexes.ts';
import { type NodePlace, placeOf } from '../../domain/services/endpoint-choice.ts';
import type { ServiceSurroundings } from '../../domain/services/services-on-node.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import type { NodeSettings } from '../../domain/snapshot/settings.ts';
import { Changes } from '../../ports/changes.ts';

/** The kinds that networks of namespaces follow from. */
const relevantKinds = [
  'namespaces',
  'clusterUserDefinedNetworks',
  'userDefinedNetworks',
  'networkAttachmentDefinitions',
  'configMaps',
] as const satisfies readonly (keyof ClusterSnapshot)[];

/** The networks of namespaces in the last snapshot of the cluster, which stays valid while the API server is away. */
export class ServiceCluster {
  readonly #node: string;
  readonly #settings: NodeSettings;
  readonly #changes = new Changes();
  #snapshot: ClusterSnapshot | undefined;
  #surroundings: ServiceSurroundings | undefined;

  /** @param node the name of this node */
  constructor(node: string, settings: NodeSettings) {
    this.#node = node;
    this.#settings = settings;
  }

  /** Takes a snapshot, which replaces the previous one. */
  update(snapshot: ClusterSnapshot): void {
    const former = this.#snapshot;
    this.#snapshot = snapshot;
    const areNetworksSame =
      former !== undefined &&
      former.unreadable === snapshot.unreadable &&
      relevantKinds.every((kind) => snapshot[kind] === former[kind]);
    const place = this.#placeIn(snapshot);
    const before = this.#surroundings;
    if (areNetworksSame && before !== undefined && before.node.zone === place.zone) return;
    const networkOf = areNetworksSame && before !== undefined ? before.networkOf : this.#networksIn(snapshot);
    this.#surroundings = { node: place, masqueradeSubnets: this.#settings.masqueradeSubnets, networkOf };
    this.#changes.notify();
  }

  /** The node and its networks: the same object as long as nothing in it changes; undefined as long as nothing is known. */
  get surroundings(): ServiceSurroundings | undefined {
    return this.#surroundings;
  }

  onChange(listener: () => void): () => void {
    return this.#changes.listen(listener);
  }

  #placeIn({ nodes }: ClusterSnapshot): NodePlace {
    const node = nodeIndex(nodes).byName.get(this.#node);
    return node === undefined ? { name: this.#node } : placeOf(node);
  }

  #networksIn(snapshot: ClusterSnapshot): ServiceSurroundings['networkOf'] {
    const view = viewCluster(snapshot, this.#settings);
    // Each namespace once: it may have many Services.
    return lazyByKey((namespace: string) => networkOfServices(namespace, view));
  }
}
