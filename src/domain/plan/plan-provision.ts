/**
 * Plans what the networks that ovn-uplinks provides need in the cluster: ids, NetworkAttachmentDefinitions, finalizers, conditions.
 */
import { joinAddress, joinSubnet } from '../allocation/addresses.ts';
import { podSubnetsOfNode } from '../allocation/pod-subnets.ts';
import type { Condition } from '../api/condition.ts';
import type { NetworkAttachmentDefinition } from '../api/network-attachment-definition.ts';
import { internalIpsOf, type Node } from '../api/node.ts';
import { DEFAULT_NETWORK, DEFAULT_NETWORK_JOIN_SUBNETS, NETWORK_FINALIZER, TRANSIT_SUBNETS } from '../conventions.ts';
import { groupBy } from '../grouping.ts';
import { familyOf } from '../ip-address.ts';
import { lazyByObject, lazyByObjects } from '../lazy.ts';
import { by, byName } from '../ordering.ts';
import {
  attachmentDefinition,
  type DesiredAttachmentDefinition,
  isStoredDefinition,
} from '../provision/attachment-definition.ts';
import { attachmentFailure, isOwn } from '../provision/namespace-attachment.ts';
import { objectOf, type TenantNetwork } from '../provision/tenant-network.ts';
import { unsupportedPart } from '../provision/unsupported-network.ts';
import { firstUsedTwice, type SubnetIndex, subnetIndex, type UsedSubnet, withUse } from '../provision/used-subnets.ts';
import { understandSelector } from '../selection/label-selector.ts';
import { nodeIdOf, podSubnetsOf } from '../selection/node-network.ts';
import type { ClusterSnapshot } from '../snapshot/cluster-snapshot.ts';
import type { ClusterSettings } from '../snapshot/settings.ts';
import { finalizersOf } from '../status/finalizers.ts';
import { networkAllocationCondition } from '../status/network-allocation.ts';
import { networkCreatedCondition, type RemainingNamespace } from '../status/network-created.ts';
import type { ClusterView } from './cluster-view.ts';
import { type ClusterIds, clusterIds } from './network-ids.ts';
import {
  definitionsIn,
  definitionsOf,
  isProvided,
  namespacesFor,
  podsIn,
  tenantNetworks,
} from './provided-networks.ts';

/** The plan of one network that ovn-uplinks provides. */
export interface ProvidedNetworkPlan {
  readonly kind: TenantNetwork['kind'];
  /** Absent for a ClusterUserDefinedNetwork. */
  readonly namespace?: string;
  readonly name: string;
  /** Its id; absent until it can be used. */
  readonly networkId?: number;
  /** All finalizers that it should have, including those of others. */
  readonly finalizers: readonly string[];
  /** Names of the namespaces that have it, in order. */
  readonly activeNamespaces: readonly string[];
  readonly conditions: readonly Condition[];
}

/** A NetworkAttachmentDefinition to delete. */
export interface ObsoleteDefinition {
  readonly namespace: string;
  readonly name: string;
}

/** Everything that was decided for the networks that ovn-uplinks provides. */
export interface ProvisionPlan {
  /** By object. */
  readonly networks: readonly ProvidedNetworkPlan[];
  /** The NetworkAttachmentDefinitions to create or to change, by namespace and name. */
  readonly definitions: readonly DesiredAttachmentDefinition[];
  /** Those to delete, by namespace and name. */
  readonly obsoleteDefinitions: readonly ObsoleteDefinition[];
  /** The ids to write to Nodes, by name. */
  readonly nodeIds: readonly { readonly node: string; readonly id: number }[];
  /** The data of the ConfigMap with the claims of ids, if it has to change. Ids can be used once it is stored. */
  readonly claims?: Readonly<Record<string, string>>;
}

const keyOf = ({ namespace = '', name }: { readonly namespace?: string | undefined; readonly name: string }) =>
  `${namespace}/${name}`;

/** The input for the plan of one network. */
interface Provision {
  readonly view: ClusterView;
  readonly ids: ClusterIds;
  /** The networks that are to be in each namespace, by its name. */
  readonly byNamespace: ReadonlyMap<string, readonly TenantNetwork[]>;
  /** Subnets of the cluster other than those of networks. */
  readonly used: SubnetIndex;
  readonly usedByUplinks: (uplinks: readonly string[]) => readonly UsedSubnet[];
}

/** The id of a network, once it can be used. */
function servingId({ networkName }: TenantNetwork, { networks }: ClusterIds): number | undefined {
  const decision = networks.get(networkName);
  return decision?.kind === 'claimed' ? decision.id : undefined;
}

/** Where a network is, where it is missing and why, and where it is still in use. */
function whereabouts(network: TenantNetwork, { view, byNamespace }: Provision) {
  const { snapshot } = view;
  const selected = namespacesFor(network, snapshot);
  const namespaces = selected.map((namespace) => {
    const { name } = namespace.metadata;
    const failure = attachmentFailure({
      network,
      namespace,
      definitions: definitionsIn(name, snapshot),
      networks: byNamespace.get(name) ?? [],
      pods: podsIn(name, snapshot),
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

/** The nodes with an id, the highest first, and the names of the others, in order. */
const nodesById = lazyByObject((nodes: ClusterSnapshot['nodes']) => {
  const all = nodes.map((node) => ({ node, id: nodeIdOf(node) }));
  return {
    withId: all
      .flatMap(({ node, id }) => (id === undefined ? [] : [{ node, id }]))
      .sort((left, right) => right.id - left.id),
    withoutId: all.flatMap(({ node, id }) => (id === undefined ? [node.metadata.name] : [])).sort(byName),
  };
});

function allocationOf({ networkName, subnets, joinSubnets }: TenantNetwork, { view, ids }: Provision): Condition {
  const { nodes } = view.snapshot;
  const { withId, withoutId } = nodesById(nodes);
  const families = ([4, 6] as const).filter((family) => subnets.some(({ cidr }) => familyOf(cidr) === family));
  // If a subnet has something for an id, it has for all lower ones: not every node is looked at for every network.
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
    id: ids.networks.get(networkName),
    nodes: nodes.length,
    nodesWithoutId: withoutId,
    nodesWithoutSubnets: namesOf(withoutSubnets.filter((node) => podSubnetsOf(node, networkName).length === 0)),
    nodesWithoutJoinAddress: namesOf(withoutJoinAddress),
  });
}

/** The plan of one network and of its NetworkAttachmentDefinitions. */
function planNetwork(network: TenantNetwork, provision: Provision) {
  const { view, ids, used, usedByUplinks } = provision;
  const { snapshot } = view;
  const { kind, metadata, namespaceSelector } = network;
  const { namespaces, left } = whereabouts(network, provision);
  const unsupported = unsupportedPart(network);
  const usedTwice = firstUsedTwice(network, usedByUplinks(network.uplinks), used);
  const selector = namespaceSelector && understandSelector(namespaceSelector);
  const networkId = servingId(network, ids);
  const isPossible = unsupported === undefined && usedTwice === undefined && networkId !== undefined;
  const existing = definitionsOf(network, snapshot);
  const desired = isPossible
    ? namespaces.flatMap(({ namespace, failure }) =>
        failure === undefined ? [attachmentDefinition(network, namespace, networkId)] : [],
      )
    : [];
  const inUse = left.map((definition) => usedPods(definition, snapshot)).filter(({ pods }) => pods.length > 0);
  const remaining = new Set(inUse.map(({ namespace }) => namespace));
  const active = [
    ...desired.map((each) => each.metadata.namespace),
    ...existing.map((each) => each.metadata.namespace ?? ''),
  ];
  const isNeeded = metadata.deletionTimestamp === undefined ? unsupported === undefined : existing.length > 0;
  const conditions = [
    networkCreatedCondition({
      isBeingDeleted: metadata.deletionTimestamp !== undefined,
      unsupported,
      usedTwice,
      unclearSelector: selector?.understood === false ? selector.problem : undefined,
      isAllocated: networkId !== undefined,
      namespaces,
      remaining: inUse,
    }),
    allocationOf(network, provision),
  ];
  const plan: ProvidedNetworkPlan = {
    kind,
    ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
    name: metadata.name,
    ...(networkId !== undefined && { networkId }),
    finalizers: finalizersOf(metadata, NETWORK_FINALIZER, isNeeded),
    activeNamespaces: [...new Set(active)].sort(byName),
    conditions: conditions.map((condition) => ({
      ...condition,
      ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
    })),
  };
  const stored = new Map(existing.map((definition) => [definition.metadata.namespace, definition]));
  return {
    plan,
    definitions: desired.filter((each) => {
      const found = stored.get(each.metadata.namespace);
      // One that another program deletes is created again once it is gone.
      return (
        found === undefined || (found.metadata.deletionTimestamp === undefined && !isStoredDefinition(each, found))
      );
    }),
    obsolete: existing.filter(({ metadata: { namespace = 'default', deletionTimestamp } }) => {
      const isLeft = left.some((definition) => definition.metadata.namespace === namespace);
      const isDeleted = deletionTimestamp !== undefined && podsIn(namespace, snapshot).length === 0;
      return (isLeft && !remaining.has(namespace)) || isDeleted;
    }),
  };
}

/** Managed NetworkAttachmentDefinitions whose network no longer exists, and which nothing uses. */
function orphans(
  { snapshot }: ClusterView,
  networks: readonly TenantNetwork[],
): readonly NetworkAttachmentDefinition[] {
  const uids = new Set(networks.map(({ metadata }) => metadata.uid ?? ''));
  return snapshot.networkAttachmentDefinitions.filter(
    (definition) =>
      isOwn(definition) &&
      (definition.metadata.ownerReferences ?? []).every(({ uid }) => !uids.has(uid)) &&
      podsIn(definition.metadata.namespace ?? 'default', snapshot).length === 0,
  );
}

const usedByNodes = lazyByObject((nodes: ClusterSnapshot['nodes']): readonly UsedSubnet[] =>
  nodes.flatMap((node) => {
    const { name } = node.metadata;
    const addresses = internalIpsOf(node).map((address) => `${address}/${familyOf(address) === 4 ? 32 : 128}`);
    return [
      ...withUse('default-network', [...(node.spec?.podCIDRs ?? []), ...podSubnetsOf(node, DEFAULT_NETWORK)], name),
      ...withUse('node', addresses, name),
    ];
  }),
);

/** The subnets of the cluster other than those of networks and uplinks. */
const usedSubnets = lazyByObjects((nodes: ClusterSnapshot['nodes'], settings: ClusterSettings) =>
  subnetIndex([
    ...withUse('transit', TRANSIT_SUBNETS),
    ...withUse('default-network-join', DEFAULT_NETWORK_JOIN_SUBNETS),
    ...withUse('masquerade', settings.masqueradeSubnets),
    ...withUse('services', settings.serviceCidrs),
    ...usedByNodes(nodes),
  ]),
);

function usedByUplinksIn({ uplinkStates }: ClusterSnapshot) {
  const byUplink = groupBy(uplinkStates, ({ status }) => status?.uplinkName ?? '');
  return (uplinks: readonly string[]): readonly UsedSubnet[] =>
    uplinks.flatMap((of) =>
      (byUplink.get(of) ?? []).flatMap(({ status }) => withUse('uplink', status?.ipAddresses ?? [], of)),
    );
}

/** Plans the networks that ovn-uplinks provides; undefined if it provides none. */
export function planProvision(view: ClusterView, settings: ClusterSettings): ProvisionPlan | undefined {
  const { snapshot } = view;
  if (settings.providedNetworks === 'none') return undefined;
  const all = tenantNetworks(snapshot.clusterUserDefinedNetworks, snapshot.userDefinedNetworks);
  const networks = all.filter((network) => isProvided(network, settings.providedNetworks));
  const ids = clusterIds(view);
  const pairs = networks.flatMap((network) =>
    namespacesFor(network, snapshot).map(({ metadata: { name } }) => ({ name, network })),
  );
  const provision: Provision = {
    view,
    ids,
    byNamespace: new Map(
      [...groupBy(pairs, ({ name }) => name)].map(([name, found]) => [name, found.map(({ network }) => network)]),
    ),
    used: usedSubnets(snapshot.nodes, settings),
    usedByUplinks: usedByUplinksIn(snapshot),
  };
  const planned = networks.map((network) => planNetwork(network, provision));
  // While a network cannot be read, the owner of its NetworkAttachmentDefinitions is unknown.
  const isKnown =
    view.unreadable('clusterUserDefinedNetworks').size + view.unreadable('userDefinedNetworks').size === 0;
  const obsolete = [...planned.flatMap((each) => each.obsolete), ...(isKnown ? orphans(view, all) : [])];
  return {
    networks: planned.map(({ plan }) => plan).sort(by((plan) => objectOf({ kind: plan.kind, metadata: plan }))),
    definitions: planned.flatMap((each) => each.definitions).sort(by(({ metadata }) => keyOf(metadata))),
    obsoleteDefinitions: obsolete
      .map(({ metadata: { namespace = 'default', name } }) => ({ namespace, name }))
      .sort(by(keyOf)),
    nodeIds: [...ids.nodes]
      .flatMap(([node, decision]) => (decision.kind === 'claimed' ? [{ node, id: decision.id }] : []))
      .filter(({ node }) => {
        const object = view.nodes.byName.get(node);
        return object !== undefined && nodeIdOf(object) === undefined;
      })
      .sort(by(({ node }) => node)),
    ...(ids.data && { claims: ids.data }),
  };
}
