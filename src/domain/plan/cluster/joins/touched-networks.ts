/** Which networks do changes of namespaces, of what is in them, and of other networks touch? */
import { listChanges } from '../../../basics/incremental/list-changes.ts';
import { addTo, removeFrom } from '../../../basics/names/pairs.ts';
import type { NetworkKey } from '../../../network/key.ts';
import type { Network } from '../../../network/network.ts';
import { namespaceIndex } from '../../../selection/indexes.ts';
import { understandSelector } from '../../../selection/label-selector.ts';
import type { ClusterSnapshot } from '../../../snapshot/cluster-snapshot.ts';
import type { ClusterView } from '../../view/cluster-view.ts';
import type { FollowedNetworks } from './activity.ts';

interface Named {
  readonly metadata: { readonly namespace?: string; readonly name: string };
}

const none: ReadonlySet<string> = new Set();

/** The namespaces that a network may have something to do with: it selects them, or is in them. */
function namespacesOf(network: Network, view: ClusterView): ReadonlySet<string> {
  return new Set([...selectedBy(network, view), ...view.namespaces(network)]);
}

/** The namespaces that a network is meant for, even while it is deleted or cannot be provided: others cannot be there. */
function selectedBy({ kind, metadata, namespaceSelector }: Network, view: ClusterView): readonly string[] {
  if (kind === 'UserDefinedNetwork') return [metadata.namespace ?? 'default'];
  const selector = understandSelector(namespaceSelector);
  if (!selector.understood) return [];
  return namespaceIndex(view.snapshot.namespaces)
    .selectedBy(selector)
    .map((namespace) => namespace.metadata.name);
}

/** The networks by namespace. */
export class TouchedNetworks {
  readonly #namespaces = new Map<NetworkKey, ReadonlySet<string>>();
  readonly #networksIn = new Map<string, Set<NetworkKey>>();

  /** The networks that have something to do with a namespace. */
  in(namespace: string): Iterable<NetworkKey> {
    return this.#networksIn.get(namespace) ?? [];
  }

  /** The namespaces that a network has something to do with. */
  namespacesOf(network: NetworkKey): Iterable<string> {
    return this.#namespaces.get(network) ?? none;
  }

  /**
   * Takes the differences of two snapshots over.
   *
   * @returns the networks that have changed, and those that are or were in a touched namespace: one of a changed network, one that has changed itself, or one
   * in which a pod or a NetworkAttachmentDefinition has changed
   */
  take(former: ClusterSnapshot, view: ClusterView, networks: FollowedNetworks): ReadonlySet<NetworkKey> {
    const { snapshot } = view;
    const changedIn = (before: readonly Named[], after: readonly Named[]) => {
      const { removed, added } = listChanges(before, after);
      return [...removed, ...added].map(({ metadata }) => metadata.namespace ?? 'default');
    };
    const { removed, added } = listChanges(former.namespaces, snapshot.namespaces);
    const namespaces = new Set([
      ...[...removed, ...added].map(({ metadata }) => metadata.name),
      ...changedIn(former.pods, snapshot.pods),
      ...changedIn(former.networkAttachmentDefinitions, snapshot.networkAttachmentDefinitions),
    ]);
    const areSame =
      former.namespaces === snapshot.namespaces &&
      former.networkAttachmentDefinitions === snapshot.networkAttachmentDefinitions;
    const touched = new Set(networks.changed);
    const touch = () => {
      for (const name of namespaces) for (const key of this.#networksIn.get(name) ?? []) touched.add(key);
    };
    for (const key of networks.changed) for (const name of this.#namespaces.get(key) ?? none) namespaces.add(name);
    touch();
    for (const key of areSame ? networks.changed : [...networks.changed, ...networks.all.keys()])
      this.#place(key, networks.all.get(key), view);
    for (const key of networks.changed) for (const name of this.#namespaces.get(key) ?? none) namespaces.add(name);
    touch();
    return touched;
  }

  #place(key: NetworkKey, network: Network | undefined, view: ClusterView): void {
    const before = this.#namespaces.get(key) ?? none;
    const after = network === undefined ? none : namespacesOf(network, view);
    for (const name of before) if (!after.has(name)) removeFrom(this.#networksIn, name, key);
    for (const name of after) if (!before.has(name)) addTo(this.#networksIn, name, key);
    if (network === undefined) this.#namespaces.delete(key);
    else this.#namespaces.set(key, after);
  }
}
