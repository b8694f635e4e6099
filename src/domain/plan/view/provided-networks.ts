/**
 * Which networks of a cluster ovn-uplinks provides, in which namespaces they should be, and what exists there.
 */
import { clusterNetwork, namespacedNetwork, type Network, type NetworkSettings } from '../../network/network.ts';
import { unsupportedPart } from '../../network/unsupported.ts';
import type { Namespace } from '../../api/namespace.ts';
import type { NetworkAttachmentDefinition } from '../../api/network-attachment-definition.ts';
import type { Pod } from '../../api/pod.ts';
import { POD_NETWORKS_ANNOTATION } from '../../basics/conventions.ts';
import { groupedByName } from '../../basics/incremental/grouped.ts';
import { lazyByKey } from '../../basics/incremental/lazy.ts';
import { lastByObject, lazyByObject, lazyByObjects } from '../../basics/incremental/by-identity.ts';
import { by, byName, distinct, sortedBy } from '../../basics/names/ordering.ts';
import { annotatedDefinitions } from '../../pods/pod-annotation.ts';
import { isOf } from '../../network/provision/namespace-attachment.ts';
import { activePodsByNamespace, namespaceIndex } from '../../selection/indexes.ts';
import { understandSelector } from '../../selection/label-selector.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { ClusterSettings, EgressSetting, ProvidedNetworks } from '../../snapshot/settings.ts';

const networksOf = lazyByKey((providedNetworks: ProvidedNetworks) =>
  lazyByKey((egress: EgressSetting) =>
    lazyByObjects(
      (
        clusterWide: ClusterSnapshot['clusterUserDefinedNetworks'],
        namespaced: ClusterSnapshot['userDefinedNetworks'],
      ): readonly Network[] =>
        [
          ...clusterWide.map((object) => clusterNetwork(object, { providedNetworks, egress })),
          ...namespaced.map((object) => namespacedNetwork(object, { providedNetworks, egress })),
        ].sort(by(({ key }) => key)),
    ),
  ),
);

/** The part of a cluster that has networks. */
type Networks = Pick<ClusterSnapshot, 'clusterUserDefinedNetworks' | 'userDefinedNetworks'>;

/** All networks, by key. */
export function networksIn(
  { clusterUserDefinedNetworks, userDefinedNetworks }: Networks,
  { providedNetworks, egress }: NetworkSettings,
): readonly Network[] {
  return networksOf(providedNetworks)(egress)(clusterUserDefinedNetworks, userDefinedNetworks);
}

const providedAmong = lazyByObject((networks: readonly Network[]) =>
  networks.filter(({ providedBy }) => providedBy === 'us').toSorted(by(({ networkName }) => networkName)),
);

/** The networks that ovn-uplinks has to provide, by their names in OVN, also those that this version does not support. */
export function providedIn(cluster: Networks, settings: ClusterSettings): readonly Network[] {
  return providedAmong(networksIn(cluster, settings));
}

const nameOf = ({ metadata }: NetworkAttachmentDefinition) => metadata.name;

const definitionsByNamespace = groupedByName(
  ({ metadata }: NetworkAttachmentDefinition) => metadata.namespace ?? 'default',
);

/** The NetworkAttachmentDefinitions in a namespace, by name: of several that are in the way the first is named. */
export function definitionsIn(namespace: string, { networkAttachmentDefinitions }: ClusterSnapshot) {
  return sortedBy(definitionsByNamespace(networkAttachmentDefinitions).get(namespace) ?? [], nameOf);
}

/** Names of the pods in a namespace that use its networks, in order. */
export function podsIn(namespace: string, { pods }: ClusterSnapshot): readonly string[] {
  return (activePodsByNamespace(pods).get(namespace) ?? []).map(({ metadata }) => metadata.name).sort(byName);
}

const definitionsByName = groupedByName(nameOf);

/** The NetworkAttachmentDefinitions of a network, by namespace. */
export function definitionsOf(
  network: Network,
  { networkAttachmentDefinitions }: Pick<ClusterSnapshot, 'networkAttachmentDefinitions'>,
): readonly NetworkAttachmentDefinition[] {
  const ofName = definitionsByName(networkAttachmentDefinitions).get(network.metadata.name) ?? [];
  return sortedBy(
    ofName.filter((definition) => isOf(network, definition)),
    ({ metadata }) => metadata.namespace ?? '',
  );
}

/** The NetworkAttachmentDefinitions by which a pod has addresses. Parsed once for each version of the pod. */
const definitionsOfPod = lazyByObject(({ metadata }: Pod) =>
  annotatedDefinitions(metadata.annotations?.[POD_NETWORKS_ANNOTATION]),
);

/** Names of the pods in a namespace that use its networks and have no addresses in one of them, in order. Agents alone write which they have. */
export function podsOutside(network: Network, namespace: string, { pods }: ClusterSnapshot): readonly string[] {
  return (activePodsByNamespace(pods).get(namespace) ?? [])
    .filter((pod) => !definitionsOfPod(pod).includes(`${namespace}/${network.metadata.name}`))
    .map(({ metadata }) => metadata.name)
    .sort(byName);
}

/** The last number of pods that have addresses by each NetworkAttachmentDefinition: only namespaces whose pods have changed are counted again. */
const lastCounts = lastByObject<number>();

/** The number of pods that have addresses in a network, without those that have ended. */
export function attachedPodsOf(network: Network, snapshot: ClusterSnapshot): number {
  return definitionsOf(network, snapshot).reduce((sum, definition) => {
    const { namespace = 'default', name } = definition.metadata;
    const pods = activePodsByNamespace(snapshot.pods).get(namespace) ?? [];
    const isAttached = (pod: Pod) => definitionsOfPod(pod).includes(`${namespace}/${name}`);
    return sum + lastCounts(definition, pods, () => pods.filter(isAttached).length);
  }, 0);
}

/** Whether something may be created in a namespace. */
const isStaying = ({ metadata }: Namespace) => metadata.deletionTimestamp === undefined;

/** The part of a cluster that tells in which namespaces its networks are. */
type NetworksInNamespaces = Pick<ClusterSnapshot, 'namespaces' | 'networkAttachmentDefinitions'>;

/**
 * The namespaces that a network should be in: none if it is being deleted, and none that is. If its selector is not understood, those that have it
 * already: an unknown operator must not take a network away.
 */
export function namespacesFor(network: Network, snapshot: NetworksInNamespaces): readonly Namespace[] {
  const { metadata, namespaceSelector } = network;
  if (metadata.deletionTimestamp !== undefined || unsupportedPart(network) !== undefined) return [];
  const index = namespaceIndex(snapshot.namespaces);
  const namespaces = index.byName;
  if (network.kind === 'UserDefinedNetwork')
    return [namespaces.get(metadata.namespace ?? 'default') ?? []].flat().filter(isStaying);
  const selector = understandSelector(namespaceSelector);
  if (selector.understood) return index.selectedBy(selector).filter(isStaying);
  return definitionsOf(network, snapshot)
    .flatMap((definition) => namespaces.get(definition.metadata.namespace ?? '') ?? [])
    .filter(isStaying);
}

/** Names of the namespaces whose pods use a network that ovn-uplinks provides: it stays in a namespace until the last pod there has ended. */
export function namespacesWith(network: Network, snapshot: NetworksInNamespaces): readonly string[] {
  return distinct([
    ...namespacesFor(network, snapshot).map(({ metadata }) => metadata.name),
    ...definitionsOf(network, snapshot).map(({ metadata }) => metadata.namespace ?? 'default'),
  ]);
}
