/**
 * On which nodes are networks active? Everywhere, unless networks are dynamic: then where a pod of one of their namespaces runs. Pods are counted by
 * namespace and node, so that only the first one there and the last one change anything.
 */
import type { Pod } from '../../../api/pod.ts';
import { listChanges } from '../../../basics/incremental/list-changes.ts';
import type { NetworkKey } from '../../../network/key.ts';
import type { Network } from '../../../network/network.ts';
import { activates } from '../../../selection/active-nodes.ts';
import type { ClusterSnapshot, FormerActivity } from '../../../snapshot/cluster-snapshot.ts';
import type { ClusterView } from '../../view/cluster-view.ts';
import { addTo, CountedPairs, PairSet, removeFrom } from '../../../basics/names/pairs.ts';

const none: ReadonlySet<string> = new Set();
const noFormer: readonly FormerActivity[] = [];

/** The networks whose activity is followed, and those of them that came, went or are other objects. */
export interface FollowedNetworks {
  readonly all: ReadonlyMap<NetworkKey, Network>;
  readonly changed: ReadonlySet<NetworkKey>;
}

/** The nodes on which pods keep networks of their namespaces active, once for each pod, by namespace. */
function nodesOf(pods: readonly Pod[], activity: readonly FormerActivity[]): ReadonlyMap<string, readonly string[]> {
  const nodes = new Map<string, string[]>();
  const add = (namespace: string, node: string) => {
    const known = nodes.get(namespace);
    if (known === undefined) nodes.set(namespace, [node]);
    else known.push(node);
  };
  for (const pod of pods) if (activates(pod)) add(pod.metadata.namespace ?? 'default', pod.spec.nodeName ?? '');
  for (const { namespace, node } of activity) add(namespace, node);
  return nodes;
}

/** The activity of networks on nodes. */
export class Activity {
  readonly #isDynamic: boolean;
  #nodes: ReadonlySet<string> = new Set();
  /** The networks of the snapshot before. All of a new one is decided, wherever it is active. */
  readonly #known = new Set<NetworkKey>();
  /** Number of reasons why networks of a namespace are active on a node: its pods, and former ones. */
  readonly #inNamespaces = new CountedPairs();
  /** Namespaces of each network. */
  readonly #namespaces = new Map<NetworkKey, ReadonlySet<string>>();
  readonly #networksIn = new Map<string, Set<NetworkKey>>();
  /** Number of namespaces by which a network is active on a node, whether or not the node exists. */
  readonly #active = new CountedPairs<NetworkKey>();
  /** Number of existing nodes on which a network is active. */
  readonly #totals = new Map<NetworkKey, number>();

  constructor(isDynamic: boolean) {
    this.#isDynamic = isDynamic;
  }

  isActive(network: NetworkKey, node: string): boolean {
    return this.#nodes.has(node) && (!this.#isDynamic || this.#active.has(network, node));
  }

  /** Number of nodes on which a network is active. */
  total(network: NetworkKey): number {
    return this.#isDynamic ? (this.#totals.get(network) ?? 0) : this.#nodes.size;
  }

  /** Names of the nodes on which a network is active, in any order. */
  nodes(network: NetworkKey): readonly string[] {
    if (!this.#isDynamic) return [...this.#nodes];
    return [...this.#active.of(network)].filter((node) => this.#nodes.has(node));
  }

  /**
   * Takes the differences of two snapshots over.
   *
   * @param nodes names of the nodes that came or went
   * @returns the networks, other than new ones, and nodes whose activity may have changed
   */
  take(
    former: ClusterSnapshot,
    view: ClusterView,
    networks: FollowedNetworks,
    nodes: ReadonlySet<string>,
  ): PairSet<NetworkKey> {
    const changed = new PairSet<NetworkKey>();
    this.#takeNodes(nodes, view, changed);
    if (this.#isDynamic) {
      this.#takePods(former, view.snapshot, changed);
      this.#takeNamespaces(former, view, networks, changed);
    }
    for (const key of networks.changed) {
      if (networks.all.has(key)) this.#known.add(key);
      else this.#forget(key);
    }
    return changed;
  }

  #takeNodes(names: ReadonlySet<string>, view: ClusterView, changed: PairSet<NetworkKey>): void {
    if (names.size === 0) return;
    const nodes = new Set(view.snapshot.nodes.map(({ metadata }) => metadata.name));
    this.#nodes = nodes;
    for (const network of this.#known) {
      const active = [...names].filter((node) => !this.#isDynamic || this.#active.has(network, node));
      const come = active.filter((node) => nodes.has(node)).length;
      this.#changeTotal(network, active, come - (active.length - come), changed);
    }
  }

  #takeNamespaces(
    former: ClusterSnapshot,
    view: ClusterView,
    networks: FollowedNetworks,
    changed: PairSet<NetworkKey>,
  ): void {
    const { namespaces, networkAttachmentDefinitions } = view.snapshot;
    const areSame =
      former.namespaces === namespaces && former.networkAttachmentDefinitions === networkAttachmentDefinitions;
    for (const key of areSame ? networks.changed : new Set([...networks.changed, ...networks.all.keys()])) {
      const network = networks.all.get(key);
      const before = this.#namespaces.get(key) ?? none;
      const after = network === undefined ? none : new Set(view.namespaces(network));
      const turned = this.#known.has(key) ? changed : undefined;
      for (const namespace of before) if (!after.has(namespace)) this.#leave(key, namespace, turned);
      for (const namespace of after) if (!before.has(namespace)) this.#join(key, namespace, turned);
      this.#namespaces.set(key, after);
    }
  }

  #forget(network: NetworkKey): void {
    this.#known.delete(network);
    this.#namespaces.delete(network);
    this.#active.deleteAll(network);
    this.#totals.delete(network);
  }

  #join(network: NetworkKey, namespace: string, changed: PairSet<NetworkKey> | undefined): void {
    addTo(this.#networksIn, namespace, network);
    this.#activate(network, this.#inNamespaces.of(namespace), 1, changed);
  }

  #leave(network: NetworkKey, namespace: string, changed: PairSet<NetworkKey> | undefined): void {
    removeFrom(this.#networksIn, namespace, network);
    this.#activate(network, this.#inNamespaces.of(namespace), -1, changed);
  }

  #activate(
    network: NetworkKey,
    nodes: Iterable<string>,
    change: 1 | -1,
    changed: PairSet<NetworkKey> | undefined,
  ): void {
    const turned = this.#active.count(network, nodes, change).filter((node) => this.#nodes.has(node));
    this.#changeTotal(network, turned, change * turned.length, changed);
  }

  /** @param change of the number of existing nodes on which the network is active */
  #changeTotal(
    network: NetworkKey,
    nodes: readonly string[],
    change: number,
    changed: PairSet<NetworkKey> | undefined,
  ): void {
    if (nodes.length === 0) return;
    this.#totals.set(network, (this.#totals.get(network) ?? 0) + change);
    changed?.addAll(network, nodes);
  }

  #takePods(former: ClusterSnapshot, next: ClusterSnapshot, changed: PairSet<NetworkKey>): void {
    const pods = listChanges(former.pods, next.pods);
    const activity = listChanges(former.formerActivity ?? noFormer, next.formerActivity ?? noFormer);
    this.#count(nodesOf(pods.added, activity.added), 1, changed);
    this.#count(nodesOf(pods.removed, activity.removed), -1, changed);
  }

  #count(nodes: ReadonlyMap<string, readonly string[]>, change: 1 | -1, changed: PairSet<NetworkKey>): void {
    for (const [namespace, ofNamespace] of nodes) {
      const turned = this.#inNamespaces.count(namespace, ofNamespace, change);
      if (turned.length === 0) continue;
      for (const network of this.#networksIn.get(namespace) ?? []) this.#activate(network, turned, change, changed);
    }
  }
}
