/**
 * Plans what one network needs in the cluster that ovn-uplinks provides: its NetworkAttachmentDefinitions, finalizer and conditions.
 */
import type { Network } from '../../network/network.ts';
import { unsupportedPart } from '../../network/unsupported.ts';
import { joinAddress, joinSubnet } from '../../network/allocation/addresses.ts';
import { podSubnetsOfNode } from '../../network/allocation/pod-subnets.ts';
import type { IdDecision } from '../../network/allocation/claim-ids.ts';
import type { Condition } from '../../api/condition.ts';
import type { NetworkAttachmentDefinition } from '../../api/network-attachment-definition.ts';
import type { Node } from '../../api/node.ts';
import { NETWORK_FINALIZER } from '../../basics/conventions.ts';
import { usableSubnets } from '../../dataplane/logical-network/node-addresses.ts';
import { familyOf } from '../../basics/addresses/ip-address.ts';
import { lazyByObjects } from '../../basics/incremental/by-identity.ts';
import { byName } from '../../basics/names/ordering.ts';
import {
  attachmentDefinition,
  type DesiredAttachmentDefinition,
} from '../../network/provision/attachment-definition.ts';
import { attachmentFailure } from '../../network/provision/namespace-attachment.ts';
import {
  firstUsedTwice,
  type SubnetIndex,
  type UsedSubnet,
  type UsedTwice,
} from '../../network/provision/used-subnets.ts';
import { isStored } from '../../objects/differences.ts';
import { definitionWrite } from '../../objects/writes.ts';
import { understandSelector } from '../../selection/label-selector.ts';
import { nodeIdOf, podSubnetsOf } from '../../selection/node-network.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { ClusterSettings } from '../../snapshot/settings.ts';
import { finalizersOf } from '../../status/finalizers.ts';
import { networkAllocationCondition } from '../../status/network-allocation.ts';
import { type KeptDefinition, networkCreatedCondition, type RemainingNamespace } from '../../status/network-created.ts';
import { networkReadyCondition } from '../../status/network-ready.ts';
import { servicesReadyCondition } from '../../status/services-ready.ts';
import type { ClusterIds } from '../view/network-ids.ts';
import { nodeIdDisputes } from '../view/node-id-disputes.ts';
import {
  attachedPodsOf,
  definitionsIn,
  definitionsOf,
  namespacesFor,
  podsIn,
  podsOutside,
} from '../view/provided-networks.ts';
import type { ServicesOfNetwork } from './joins/served-services.ts';
import {
  type ActiveNodes,
  narrowNodes,
  type NodeReports,
  notReadyNodes,
  notServingNodes,
  unlockedNodes,
} from './reported-readiness.ts';
import { sharedNamespacesOf } from '../view/shared-namespaces.ts';

/** The plan of one network that ovn-uplinks provides. */
export interface ProvidedNetworkPlan {
  readonly kind: Network['kind'];
  /** Absent for a ClusterUserDefinedNetwork. */
  readonly namespace?: string;
  readonly name: string;
  /** Absent where objects have none, as in files. */
  readonly uid?: string;
  /** Its id; absent until it can be used. */
  readonly networkId?: number;
  /** All finalizers that it should have, including those of others. */
  readonly finalizers: readonly string[];
  /** Names of the namespaces that have it, in order. */
  readonly activeNamespaces: readonly string[];
  /** Number of pods that have addresses in it. */
  readonly attachedPods: number;
  readonly conditions: readonly Condition[];
}

/** The input for the plan of one network. */
export interface Provision {
  readonly snapshot: ClusterSnapshot;
  readonly settings: ClusterSettings;
  readonly ids: ClusterIds;
  /** The networks that a namespace should have. */
  readonly networksFor: (namespace: string) => readonly Network[];
  readonly activeNodes: (network: Network) => ActiveNodes;
  readonly reports: NodeReports;
  readonly servicesOf: (network: Network) => ServicesOfNetwork;
  /** Subnets of the cluster other than those of networks. */
  readonly used: SubnetIndex;
  readonly usedByUplinks: (uplinks: readonly string[]) => readonly UsedSubnet[];
}

/** The decision about the id of a network. One that this version does not provide may have an id of another implementation. */
function idOf(network: Network, { networks }: ClusterIds): IdDecision | undefined {
  return unsupportedPart(network) === undefined ? networks.get(network.networkName) : undefined;
}

/** The id of a network, once it can be used. */
export function servingId(network: Network, ids: ClusterIds): number | undefined {
  const decision = idOf(network, ids);
  return decision?.kind === 'claimed' ? decision.id : undefined;
}

/** Where a network is, where it is missing and why, and where it is still in use. */
function whereabouts(network: Network, { snapshot, networksFor }: Provision) {
  const selected = namespacesFor(network, snapshot);
  const namespaces = selected.map((namespace) => {
    const { name } = namespace.metadata;
    const failure = attachmentFailure({
      network,
      namespace,
      definitions: definitionsIn(name, snapshot),
      networks: networksFor(name),
      pods: podsOutside(network, name, snapshot),
    });
    return { namespace: name, ...(failure && { failure }) };
  });
  const names = new Set(selected.map(({ metadata }) => metadata.name));
  const left = definitionsOf(network, snapshot).filter(({ metadata }) => !names.has(metadata.namespace ?? 'default'));
  return { namespaces, left };
}

function usedPods({ metadata }: NetworkAttachmentDefinition, snapshot: ClusterSnapshot): RemainingNamespace {
  const namespace = metadata.namespace ?? 'default';
  return { namespace, pods: podsIn(namespace, snapshot) };
}

/** A NetworkAttachmentDefinition that is being deleted and that other programs keep; empty for others. */
function keptByOthers({ metadata }: NetworkAttachmentDefinition): readonly KeptDefinition[] {
  const { namespace = 'default', name, deletionTimestamp, finalizers = [] } = metadata;
  const isKept = deletionTimestamp !== undefined && !finalizers.includes(NETWORK_FINALIZER);
  return isKept ? [{ namespace, name, finalizers }] : [];
}

/** The nodes with an id, the highest first, the names of the others, in order, and those whose annotation has an id that is not theirs. */
const nodesById = lazyByObjects((nodes: ClusterSnapshot['nodes'], decisions: ClusterIds['nodes']) => {
  const all = nodes.map((node) => ({ node, id: nodeIdOf(node) }));
  return {
    withId: all
      .flatMap(({ node, id }) => (id === undefined ? [] : [{ node, id }]))
      .sort((left, right) => right.id - left.id),
    withoutId: all.flatMap(({ node, id }) => (id === undefined ? [node.metadata.name] : [])).sort(byName),
    disputes: nodeIdDisputes(nodes, decisions),
  };
});

function allocationOf(network: Network, { snapshot: { nodes }, ids }: Provision): Condition {
  const { networkName, subnets, joinSubnets } = network;
  const { withId, withoutId, disputes } = nodesById(nodes, ids.nodes);
  const families = ([4, 6] as const).filter((family) => subnets.some(({ cidr }) => familyOf(cidr) === family));
  const isAllocated = (node: Node) => usableSubnets({ subnets }, podSubnetsOf(node, networkName)).length > 0;
  // If a subnet has something for an id, it has for all lower ones: not every node is checked for every network.
  const lacking = (has: (id: number) => boolean) => {
    const end = withId.findIndex(({ id }) => has(id));
    return withId.slice(0, end === -1 ? undefined : end).map(({ node }) => node);
  };
  const namesOf = (found: readonly Node[]) => found.map(({ metadata }) => metadata.name).sort(byName);
  const withoutSubnets = lacking((id) => podSubnetsOfNode(subnets, id) !== undefined);
  const withoutJoinAddress = lacking((id) =>
    families.every((family) => joinAddress(joinSubnet(joinSubnets, family), id) !== undefined),
  );
  return networkAllocationCondition({
    id: idOf(network, ids),
    nodes: nodes.length,
    nodesWithoutId: withoutId,
    disputes,
    nodesWithoutSubnets: namesOf(withoutSubnets.filter((node) => !isAllocated(node))),
    nodesWithoutJoinAddress: namesOf(withoutJoinAddress),
  });
}

const noNodes: ActiveNodes = { count: 0, has: () => false };

function readinessOf(
  network: Network,
  { networkId, usedTwice }: { readonly networkId: number | undefined; readonly usedTwice: UsedTwice | undefined },
  { settings, activeNodes: activeNodesOf, reports }: Provision,
): Condition {
  const activeNodes = networkId === undefined ? noNodes : activeNodesOf(network);
  const mtu = network.mtu ?? settings.defaultNetworkMtu;
  return networkReadyCondition({
    unsupported: unsupportedPart(network),
    usedTwice,
    isAllocated: networkId !== undefined,
    activeNodes: activeNodes.count,
    notReady:
      networkId === undefined
        ? { count: 0, reasons: [], first: [], explained: [] }
        : notReadyNodes(networkId, activeNodes, reports),
    unlocked: unlockedNodes(activeNodes, reports),
    mtu,
    narrow: narrowNodes(mtu, activeNodes, reports),
    exit: network.exit,
  });
}

/** Condition ServicesReady of a network that has Services. */
function servicesConditionOf(
  network: Network,
  networkId: number | undefined,
  { activeNodes: activeNodesOf, reports, servicesOf }: Provision,
): readonly Condition[] {
  const { count, problems } = servicesOf(network);
  if (networkId === undefined || count === 0) return [];
  const activeNodes = activeNodesOf(network);
  const condition = servicesReadyCondition({
    services: count,
    problems,
    activeNodes: activeNodes.count,
    notServing: notServingNodes(networkId, activeNodes, reports),
  });
  return condition === undefined ? [] : [condition];
}

/** The NetworkAttachmentDefinitions that are not stored as desired. */
function pendingDefinitions(
  desired: readonly DesiredAttachmentDefinition[],
  existing: readonly NetworkAttachmentDefinition[],
): readonly DesiredAttachmentDefinition[] {
  const stored = new Map(existing.map((definition) => [definition.metadata.namespace, definition]));
  return desired.filter((each) => {
    const found = stored.get(each.metadata.namespace);
    // One that another program deletes is created again once it is gone.
    return (
      found === undefined || (found.metadata.deletionTimestamp === undefined && !isStored(definitionWrite(each), found))
    );
  });
}

/** The plan of one network, and of its NetworkAttachmentDefinitions. */
export interface PlannedProvision {
  readonly plan: ProvidedNetworkPlan;
  /** Those to create or to change. */
  readonly definitions: readonly DesiredAttachmentDefinition[];
  /** Those to delete. */
  readonly obsolete: readonly NetworkAttachmentDefinition[];
}

/** Plans one network and its NetworkAttachmentDefinitions. */
export function planProvidedNetwork(network: Network, provision: Provision): PlannedProvision {
  const { snapshot, settings, ids, used, usedByUplinks } = provision;
  const { kind, metadata, namespaceSelector } = network;
  const { namespaces, left } = whereabouts(network, provision);
  const unsupported = unsupportedPart(network);
  const usedTwice = firstUsedTwice(network, usedByUplinks(network.uplinks), used);
  const selector = namespaceSelector && understandSelector(namespaceSelector);
  const networkId = servingId(network, ids);
  const isPossible = unsupported === undefined && usedTwice === undefined && networkId !== undefined;
  const existing = definitionsOf(network, snapshot);
  const uids = new Map(existing.map(({ metadata: { namespace, uid } }) => [namespace, uid]));
  const desired = isPossible
    ? namespaces.flatMap(({ namespace, failure }) =>
        failure === undefined ? [attachmentDefinition(network, namespace, networkId, uids.get(namespace))] : [],
      )
    : [];
  const inUse = left.map((definition) => usedPods(definition, snapshot)).filter(({ pods }) => pods.length > 0);
  const remaining = new Set(inUse.map(({ namespace }) => namespace));
  const pending = pendingDefinitions(desired, existing);
  const isNeeded = metadata.deletionTimestamp === undefined || existing.length > 0;
  const conditions = [
    networkCreatedCondition({
      isBeingDeleted: metadata.deletionTimestamp !== undefined,
      unsupported,
      usedTwice,
      unclearSelector: selector?.understood === false ? selector.problem : undefined,
      isAllocated: networkId !== undefined,
      namespaces: namespaces.map((each) => ({
        ...each,
        ...(pending.some(({ metadata: { namespace } }) => namespace === each.namespace) && {
          failure: { reason: 'AttachmentDefinitionPending', name: metadata.name } as const,
        }),
      })),
      shared: sharedNamespacesOf(network, snapshot, settings),
      remaining: inUse,
      kept: existing.flatMap(keptByOthers),
    }),
    allocationOf(network, provision),
    readinessOf(network, { networkId, usedTwice }, provision),
    ...servicesConditionOf(network, networkId, provision),
  ];
  const plan: ProvidedNetworkPlan = {
    kind,
    ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
    name: metadata.name,
    ...(metadata.uid !== undefined && { uid: metadata.uid }),
    ...(networkId !== undefined && { networkId }),
    // One of a network that this version does not provide is another implementation's.
    finalizers:
      unsupported === undefined ? finalizersOf(metadata, NETWORK_FINALIZER, isNeeded) : (metadata.finalizers ?? []),
    activeNamespaces: existing.map((each) => each.metadata.namespace ?? 'default').sort(byName),
    attachedPods: attachedPodsOf(network, snapshot),
    conditions: conditions.map((condition) => ({
      ...condition,
      ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
    })),
  };
  return {
    plan,
    definitions: pending,
    obsolete: existing.filter(({ metadata: { namespace = 'default', deletionTimestamp, finalizers = [] } }) => {
      const isDeleted = deletionTimestamp !== undefined;
      // What keeps it then is another program's.
      if (isDeleted && !finalizers.includes(NETWORK_FINALIZER)) return false;
      const isLeft = left.some((definition) => definition.metadata.namespace === namespace);
      return (isLeft && !remaining.has(namespace)) || (isDeleted && podsIn(namespace, snapshot).length === 0);
    }),
  };
}
