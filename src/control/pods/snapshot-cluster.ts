import type { PodIdentity } from '../../domain/cni/call.ts';
import type { Namespace } from '../../domain/api/namespace.ts';
import type { Node } from '../../domain/api/node.ts';
import type { Pod } from '../../domain/api/pod.ts';
import { POD_NETWORKS_ANNOTATION } from '../../domain/conventions.ts';
import { groupBy } from '../../domain/grouping.ts';
import { lazyByObject } from '../../domain/lazy.ts';
import { isProvided, tenantNetworks } from '../../domain/plan/provided-networks.ts';
import { claimedId } from '../../domain/plan/stored-claims.ts';
import type { AnnotatedPod } from '../../domain/pods/address-records.ts';
import { annotatedAddresses } from '../../domain/pods/pod-annotation.ts';
import type { PodFacts } from '../../domain/pods/pod-attachment.ts';
import type { PodKey } from '../../domain/pods/pod-key.ts';
import { networkOfPods } from '../../domain/pods/pod-network.ts';
import { activates } from '../../domain/selection/active-nodes.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import type { NodeSettings } from '../../domain/snapshot/settings.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { Changes } from '../../ports/changes.ts';
import type { PodAnnotations } from '../../ports/pod-annotations.ts';
import type { PodCluster } from '../../ports/pod-cluster.ts';

const podsByNamespace = lazyByObject((pods: readonly Pod[]) =>
  groupBy(pods, ({ metadata }) => metadata.namespace ?? 'default'),
);

const namespacesByName = lazyByObject(
  (namespaces: readonly Namespace[]) => new Map(namespaces.map((each) => [each.metadata.name, each])),
);

function keyOf({ metadata: { namespace = 'default', name, uid = '' } }: Pod): PodKey {
  return { namespace, name, uid };
}

/** The kinds that attachments follow from. */
const relevantKinds = [
  'pods',
  'namespaces',
  'nodes',
  'clusterUserDefinedNetworks',
  'userDefinedNetworks',
] as const satisfies readonly (keyof ClusterSnapshot)[];

/** What the last snapshot of the cluster says about pods: it stays valid while the API server is away. */
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
    const isChanged = relevantKinds.some((kind) => snapshot[kind] !== former?.[kind]);
    if (isChanged || former === undefined || this.#nodeId(snapshot) !== this.#nodeId(former)) this.#changes.notify();
  }

  facts({ namespace, name }: PodIdentity): PodFacts {
    const snapshot = this.#snapshot;
    if (snapshot === undefined)
      return { pod: undefined, namespace: undefined, node: undefined, nodeId: undefined, networks: [] };
    return {
      pod: podsByNamespace(snapshot.pods)
        .get(namespace)
        ?.find(({ metadata }) => metadata.name === name),
      namespace: namespacesByName(snapshot.namespaces).get(namespace),
      node: this.#ownNode(snapshot),
      nodeId: this.#nodeId(snapshot),
      networks: this.#networks(snapshot),
    };
  }

  #ownNode({ nodes }: ClusterSnapshot): Node | undefined {
    return nodes.find(({ metadata }) => metadata.name === this.#node);
  }

  #nodeId(snapshot: ClusterSnapshot): number | undefined {
    const node = this.#ownNode(snapshot);
    return node && claimedId('node', { name: this.#node, uid: node.metadata.uid ?? '' }, snapshot, this.#settings);
  }

  pods(): readonly PodKey[] | undefined {
    return this.#snapshot && this.#ownPods(this.#snapshot).map(keyOf);
  }

  annotated(networkName: string): readonly AnnotatedPod[] {
    const snapshot = this.#snapshot;
    if (snapshot === undefined) return [];
    const networks = this.#networks(snapshot);
    const namespaces = namespacesByName(snapshot.namespaces);
    return this.#ownPods(snapshot).flatMap((pod) => {
      const key = keyOf(pod);
      const namespace = namespaces.get(key.namespace);
      const found = namespace && networkOfPods(namespace, networks);
      if (found?.kind !== 'found' || found.network.networkName !== networkName) return [];
      const text = pod.metadata.annotations?.[POD_NETWORKS_ANNOTATION];
      const addresses = annotatedAddresses(text, `${key.namespace}/${found.network.metadata.name}`);
      return addresses === undefined ? [] : [{ pod: key, addresses, createdAt: pod.metadata.creationTimestamp ?? '' }];
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

  /** The networks that ovn-uplinks provides. */
  #networks({ clusterUserDefinedNetworks, userDefinedNetworks }: ClusterSnapshot) {
    const all = tenantNetworks(clusterUserDefinedNetworks, userDefinedNetworks);
    return all.filter((network) => isProvided(network, this.#settings.providedNetworks));
  }

  #ownPods({ pods }: ClusterSnapshot): readonly Pod[] {
    return pods.filter((pod) => pod.spec.nodeName === this.#node && activates(pod));
  }
}
