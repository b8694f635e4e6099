import type { PodIdentity } from '../../domain/pods/cni/environment.ts';
import type { Pod } from '../../domain/api/pod.ts';
import { POD_NETWORKS_ANNOTATION } from '../../domain/basics/conventions.ts';
import { lazyByKey } from '../../domain/basics/incremental/lazy.ts';
import { isSameList } from '../../domain/basics/incremental/list-changes.ts';
import type { Network } from '../../domain/network/network.ts';
import type { ObjectWarning } from '../../domain/api/object-warning.ts';
import { claimedNodeId, podFactsIn } from '../../domain/plan/view/pod-facts.ts';
import { providedIn } from '../../domain/plan/view/provided-networks.ts';
import { claimedId } from '../../domain/plan/view/stored-claims.ts';
import type { AnnotatedPod } from '../../domain/pods/address-records.ts';
import { openPortWarning } from '../../domain/pods/open-port-warning.ts';
import { annotatedAddresses } from '../../domain/pods/pod-annotation.ts';
import type { PodFacts } from '../../domain/pods/pod-attachment.ts';
import type { PodKey } from '../../domain/pods/pod-key.ts';
import { networkOfPods } from '../../domain/pods/pod-network.ts';
import { activePodsByNode, namespaceIndex, nodeIndex } from '../../domain/selection/indexes.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import type { NodeSettings } from '../../domain/snapshot/settings.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { Changes } from '../../ports/changes.ts';
import type { PodAnnotations } from '../../ports/cluster/pod-annotations.ts';
import type { PodCluster } from '../../ports/pods/pod-cluster.ts';

function keyOf({ metadata: { namespace = 'default', name, uid = '' } }: Pod): PodKey {
  return { namespace, name, uid };
}

/** The kinds that attachments follow from, beside the pods of the node: those of others are known where networks are dynamic. */
const relevantKinds = [
  'namespaces',
  'nodes',
  'clusterUserDefinedNetworks',
  'userDefinedNetworks',
] as const satisfies readonly (keyof ClusterSnapshot)[];

/** The pods in the last snapshot of the cluster, which stays valid while the API server is away. */
export class SnapshotCluster implements PodCluster {
  readonly #node: string;
  readonly #settings: NodeSettings;
  readonly #annotations: PodAnnotations;
  readonly #changes = new Changes();
  #snapshot: ClusterSnapshot | undefined;

  /** @param node the name of this node */
  constructor(node: string, settings: NodeSettings, annotations: PodAnnotations) {
    this.#node = node;
    this.#settings = settings;
    this.#annotations = annotations;
  }

  /** Takes a snapshot, which replaces the previous one. */
  update(snapshot: ClusterSnapshot): void {
    const former = this.#snapshot;
    this.#snapshot = snapshot;
    const isChanged =
      former === undefined ||
      relevantKinds.some((kind) => snapshot[kind] !== former[kind]) ||
      this.#nodeId(snapshot) !== this.#nodeId(former) ||
      !isSameList(this.#ownPods(snapshot), this.#ownPods(former));
    if (isChanged) this.#changes.notify();
  }

  facts(pod: PodIdentity): PodFacts {
    const snapshot = this.#snapshot;
    return snapshot === undefined
      ? { pod: undefined, namespace: undefined, node: undefined, nodeId: undefined, networks: [] }
      : podFactsIn(snapshot, pod, this.#node, this.#settings);
  }

  #nodeId(snapshot: ClusterSnapshot): number | undefined {
    const node = nodeIndex(snapshot.nodes).byName.get(this.#node);
    return claimedNodeId(this.#node, node, snapshot, this.#settings);
  }

  networkId(networkName: string): number | undefined {
    const snapshot = this.#snapshot;
    if (snapshot === undefined) return undefined;
    const { metadata } =
      providedIn(snapshot, this.#settings).find((network) => network.networkName === networkName) ?? {};
    return metadata && claimedId('network', { name: networkName, uid: metadata.uid ?? '' }, snapshot, this.#settings);
  }

  pods(): readonly PodKey[] | undefined {
    return this.#snapshot && this.#ownPods(this.#snapshot).map(keyOf);
  }

  annotated(networkName: string): readonly AnnotatedPod[] {
    const snapshot = this.#snapshot;
    if (snapshot === undefined) return [];
    const networkIn = this.#networksOfNamespaces(snapshot);
    return this.#ownPods(snapshot).flatMap((pod) => {
      const text = pod.metadata.annotations?.[POD_NETWORKS_ANNOTATION];
      if (text === undefined) return [];
      const key = keyOf(pod);
      const network = networkIn(key.namespace);
      if (network?.networkName !== networkName) return [];
      const addresses = annotatedAddresses(text, `${key.namespace}/${network.metadata.name}`);
      return addresses === undefined ? [] : [{ pod: key, addresses, createdAt: pod.metadata.creationTimestamp ?? '' }];
    });
  }

  /** Warnings about pods of this node that are in a network. */
  warnings(): readonly ObjectWarning[] {
    const snapshot = this.#snapshot;
    if (snapshot === undefined) return [];
    const networkIn = this.#networksOfNamespaces(snapshot);
    return this.#ownPods(snapshot).flatMap((pod) => {
      // Few pods have one, and finding a network takes longer.
      const warning = openPortWarning(pod);
      return warning !== undefined && networkIn(warning.namespace) !== undefined ? [warning] : [];
    });
  }

  onChange(listener: () => void): () => void {
    return this.#changes.listen(listener);
  }

  async annotate(pod: PodKey, change: (text: string | undefined) => string): Promise<ApplyResult> {
    const known = this.facts(pod).pod;
    const text = known?.metadata.annotations?.[POD_NETWORKS_ANNOTATION];
    // A repair looks at all pods, and must not ask the API server for each.
    if (known?.metadata.uid === pod.uid && text !== undefined && change(text) === text) return { done: true };
    return await this.#annotations.annotate(pod, change);
  }

  /** The network of the pods of a namespace, by its name. */
  #networksOfNamespaces(snapshot: ClusterSnapshot): (namespace: string) => Network | undefined {
    const networks = providedIn(snapshot, this.#settings);
    const namespaces = namespaceIndex(snapshot.namespaces).byName;
    // Each namespace once: a network may have many pods, and a cluster many networks.
    return lazyByKey((name: string) => {
      const namespace = namespaces.get(name);
      const found = namespace && networkOfPods(namespace, networks);
      return found?.kind === 'found' ? found.network : undefined;
    });
  }

  #ownPods({ pods }: ClusterSnapshot): readonly Pod[] {
    return activePodsByNode(pods).get(this.#node) ?? [];
  }
}
