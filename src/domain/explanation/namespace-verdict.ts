/**
 * Which primary network does a namespace have, of those that ovn-uplinks provides? From the decisions of the cluster's plan.
 */
import { keyOfNetwork } from '../network/key.ts';
import type { Network } from '../network/network.ts';
import type { Namespace } from '../api/namespace.ts';
import { lazyByObject } from '../basics/incremental/by-identity.ts';
import type { ClusterView } from '../plan/view/cluster-view.ts';
import { planCluster } from '../plan/cluster/plan-cluster.ts';
import { definitionsIn, podsOutside, networksIn } from '../plan/view/provided-networks.ts';
import { primaryNetworksFor } from '../pods/pod-network.ts';
import { attachmentFailure, isOf } from '../network/provision/namespace-attachment.ts';
import { attachmentFailureText } from '../status/network-created.ts';
import type { NetworkCreatedReason } from '../status/provision-reasons.ts';

/** Why a namespace does not have a network. */
export interface NamespaceFailure {
  readonly reason: NetworkCreatedReason | 'NoNetwork' | 'NamespaceTerminating' | 'NotProvided';
  readonly message: string;
}

/** A network that selects the namespace, or is in it. */
export interface NetworkInNamespace {
  readonly network: Network;
  readonly selects: boolean;
  /** Whether its NetworkAttachmentDefinition is there. */
  readonly isThere: boolean;
  /** Its id; absent until it can be used. */
  readonly networkId?: number;
  /** Absent if the namespace has the network, or gets it. */
  readonly failure?: NamespaceFailure;
}

/** The primary network of a namespace. */
export interface NamespaceVerdict {
  /** As `Kind/name` or `Kind/namespace/name`; absent if no network selects the namespace. */
  readonly network?: string;
  /** Absent if the namespace has the network, or gets it. */
  readonly failure?: NamespaceFailure;
}

/** The verdict on a namespace, and the networks that it follows from. */
export interface JudgedNamespace {
  readonly verdict: NamespaceVerdict;
  /** By object. */
  readonly networks: readonly NetworkInNamespace[];
}

/** The reasons that keep a network from all namespaces. */
const reasonsEverywhere: ReadonlySet<string> = new Set<NetworkCreatedReason>([
  'NetworkUnsupported',
  'SubnetsOverlap',
  'NetworkNotAllocated',
  'NetworkInUse',
]);

const plannedNetworks = lazyByObject(
  (view: ClusterView) =>
    new Map(
      planCluster(view.snapshot, view.settings).provision?.networks.map((plan) => [
        keyOfNetwork({ ...plan, metadata: plan }),
        plan,
      ]),
    ),
);

/** The obstacle between a network and the namespace, as far as the network itself is concerned. */
function failureOfNetwork(network: Network, view: ClusterView): NamespaceFailure | undefined {
  if (network.providedBy !== 'us') {
    return {
      reason: 'NotProvided',
      message: `another implementation provides it (--networks ${view.settings.providedNetworks})`,
    };
  }
  const conditions = plannedNetworks(view).get(network.key)?.conditions ?? [];
  const created = conditions.find(({ type }) => type === 'NetworkCreated');
  if (created === undefined || !reasonsEverywhere.has(created.reason)) return undefined;
  return { reason: created.reason as NetworkCreatedReason, message: created.message };
}

function failureInNamespace(
  network: Network,
  namespace: Namespace,
  networks: readonly Network[],
  { snapshot }: ClusterView,
): NamespaceFailure | undefined {
  const { name, deletionTimestamp } = namespace.metadata;
  if (deletionTimestamp !== undefined) {
    return { reason: 'NamespaceTerminating', message: 'it is being deleted, and nothing can be created in it' };
  }
  const failure = attachmentFailure({
    network,
    namespace,
    definitions: definitionsIn(name, snapshot),
    networks,
    pods: podsOutside(network, name, snapshot),
  });
  return failure && { reason: failure.reason, message: attachmentFailureText(failure) };
}

const notSelected: NamespaceFailure = {
  reason: 'NoNetwork',
  message: 'it no longer selects the namespace, and stays until the last pod there has ended',
};

/** Judges a namespace. */
export function judgeNamespace(namespace: Namespace, view: ClusterView): JudgedNamespace {
  const { snapshot, settings } = view;
  const { name } = namespace.metadata;
  const isThere = (network: Network) =>
    definitionsIn(name, snapshot).some(
      (definition) => definition.metadata.name === network.metadata.name && isOf(network, definition),
    );
  const all = networksIn(snapshot, settings);
  const selecting = new Set(primaryNetworksFor(namespace, all));
  const concerned = all.filter((network) => selecting.has(network) || isThere(network));
  const competing = concerned.filter((network) => network.providedBy === 'us');
  const networks = concerned.map((network): NetworkInNamespace => {
    const selects = selecting.has(network);
    const failure = selects
      ? (failureOfNetwork(network, view) ?? failureInNamespace(network, namespace, competing, view))
      : notSelected;
    const networkId = plannedNetworks(view).get(network.key)?.networkId;
    return {
      network,
      selects,
      isThere: isThere(network),
      ...(networkId !== undefined && { networkId }),
      ...(failure && { failure }),
    };
  });
  const primary =
    networks.find(({ failure }) => failure === undefined) ??
    networks.find(({ selects, failure }) => selects && failure?.reason !== 'PrimaryNetworkExists') ??
    networks[0];
  if (primary === undefined) {
    return { verdict: { failure: { reason: 'NoNetwork', message: 'no primary network selects it' } }, networks };
  }
  const { network, failure } = primary;
  return { verdict: { network: network.key, ...(failure && { failure }) }, networks };
}

/** A verdict in a few words. */
export function namespaceVerdictText({ network, failure }: NamespaceVerdict): string {
  if (failure === undefined) return `primary network ${network ?? ''}`;
  return `no primary network: ${failure.reason}`;
}
