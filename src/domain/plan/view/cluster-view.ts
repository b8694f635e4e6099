/**
 * A cluster's objects by key: an uplink, a network, a node.
 *
 * Each index is built when it is first used, and kept for the lists that it is built from: snapshots that share a list share its indexes. So a list
 * must not be changed once it is part of a snapshot.
 */
import { clusterNetworkKey, namespacedNetworkKey, type NetworkKey } from '../../network/key.ts';
import { clusterNetwork, namespacedNetwork, type Network } from '../../network/network.ts';
import type { FrrConfiguration } from '../../api/frr-configuration.ts';
import type { NetworkAttachmentDefinition } from '../../api/network-attachment-definition.ts';
import type { KindKey } from '../../api/kinds.ts';
import { internalIpsOf, type Node } from '../../api/node.ts';
import type { RouteAdvertisements } from '../../api/route-advertisements.ts';
import type { Uplink } from '../../api/uplink.ts';
import type { UplinkState } from '../../api/uplink-state.ts';
import {
  CLUSTER_NETWORK_NAME_PREFIX,
  NETWORK_ID_ANNOTATION,
  NETWORK_NAME_ANNOTATION,
} from '../../basics/conventions.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { familyOf } from '../../basics/addresses/ip-address.ts';
import { lazyByObject, lazyByObjectAndKey, lazyByObjects } from '../../basics/incremental/by-identity.ts';
import { sameItems, sameList } from '../../basics/incremental/same-if-equal.ts';
import { lazyByKey } from '../../basics/incremental/lazy.ts';
import { by, byName, distinct } from '../../basics/names/ordering.ts';
import { type Advertisement, advertisementsByNetwork } from '../../routing-domain/advertisement.ts';
import { activeNodesByNamespace, namespacesOf } from '../../selection/active-nodes.ts';
import { namespaceIndex, nodeIndex, nodeNames } from '../../selection/indexes.ts';
import { type LabelIndex, labelIndex } from '../../selection/label-index.ts';
import { nodeIdOf } from '../../selection/node-network.ts';
import { type UplinkTable, uplinkTable } from '../../selection/node-config.ts';
import type { ClusterSnapshot, UnreadableObject } from '../../snapshot/cluster-snapshot.ts';
import { withServiceCidrs } from './service-cidrs.ts';
import { type ClusterSettings, egressUplink } from '../../snapshot/settings.ts';
import { belongsTo, uplinkStateName } from '../../status/state-identity.ts';
import { namespacesWith } from './provided-networks.ts';
import { claimedId } from './stored-claims.ts';

/** A network that may have an id, by its name in OVN. */
type IdentifiedNetwork = Pick<Network, 'networkName'> & { readonly metadata: { readonly uid?: string } };

/** A cluster, by key. */
export interface ClusterView {
  readonly snapshot: ClusterSnapshot;
  /** With all subnets of its Services. */
  readonly settings: ClusterSettings;
  readonly nodes: LabelIndex<Node>;
  /** The addresses by which the cluster reaches its nodes, in order. */
  readonly nodeAddresses: Readonly<Record<4 | 6, readonly string[]>>;
  /** Every network of a ClusterUserDefinedNetwork, and those of UserDefinedNetworks that have uplinks, by name order. */
  readonly networks: readonly Network[];
  /** The networks that cannot be read and may have uplinks. */
  readonly unreadableOnUplinks: readonly NetworkKey[];
  /** Every Uplink's name, in order. */
  readonly uplinkNames: readonly string[];
  /** An Uplink's table; absent if the Uplink does not exist. */
  table(uplink: string): UplinkTable | undefined;
  /** The networks that refer to an Uplink, by name order. */
  networksOn(uplink: string): readonly Network[];
  /** Names of the nodes on which a network is active, in order. */
  activeNodes(network: Network): readonly string[];
  /** Names of the namespaces whose pods use a network: one that ovn-uplinks provides stays in a namespace until the last pod there has ended. */
  namespaces(network: Network): readonly string[];
  /** Whether a network is active on one node. */
  isActive(network: Network, node: string): boolean;
  /** A network's id, as claimed if ovn-uplinks provides networks, and otherwise as allocated by another program; undefined without one. */
  networkId(network: IdentifiedNetwork): number | undefined;
  /** The id that is claimed for a node. */
  nodeId(node: Node): number | undefined;
  /** A network's id, by its name in OVN. */
  networkIdByName(networkName: string): number | undefined;
  /** The advertisements that select a network. */
  advertisements(network: Network): readonly Advertisement[];
  /** The state of an uplink on a node; undefined if there is none, or its name is taken by another identity. */
  state(uplink: string, node: string): UplinkState | undefined;
  /** Whether the name of an uplink's state on a node is taken by a state of another identity. */
  isStateNameTaken(uplink: string, node: string): boolean;
  /** The objects of a kind that exist and cannot be read, as `name` or `namespace/name`. */
  unreadable(kind: KindKey): ReadonlySet<string>;
  /** Names in OVN of the networks that exist and cannot be read. */
  readonly unreadableNetworks: ReadonlySet<string>;
}

/** Number of nodes of which values are cached: more than a cluster has. */
export const CACHED_NODES = 10_000;

/** A network id from an annotation; undefined if it is invalid. */
export function parseNetworkId(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : undefined;
}

interface NetworkAttachments {
  readonly id: number | undefined;
  readonly namespaces: readonly string[];
}

type Networks = readonly Network[];
type Definitions = readonly NetworkAttachmentDefinition[];

/** The addresses of all nodes, in order: the same list as the last one if it has the same addresses. */
const allNodeAddresses = sameItems((nodes: readonly Node[]) => distinct(nodes.flatMap(internalIpsOf)));

const nodeAddresses = lazyByObject((all: readonly string[]) => {
  const ofFamily = (family: 4 | 6) => all.filter((address) => familyOf(address) === family);
  return { 4: ofFamily(4), 6: ofFamily(6) };
});
const networkIndex = lazyByObject((networks: Networks) => labelIndex(networks, ({ labels }) => labels));
const configurationIndex = lazyByObject((configurations: readonly FrrConfiguration[]) => labelIndex(configurations));
const statesByName = lazyByObject(
  (states: readonly UplinkState[]) => new Map(states.map((state) => [state.metadata.name, state])),
);
const tablesByName = lazyByObject(
  (uplinks: readonly Uplink[]) => new Map(uplinks.map((uplink) => [uplink.metadata.name, uplinkTable(uplink)])),
);

const noneUnreadable: readonly UnreadableObject[] = [];
const unreadableByKind = lazyByObjectAndKey(
  (objects: readonly UnreadableObject[], kind: KindKey): ReadonlySet<string> => {
    const names = objects.filter((object) => object.kind === kind).map(({ namespace, name }) => keyIn(namespace, name));
    return new Set(names.sort(byName));
  },
);

function keyIn(namespace: string | undefined, name: string): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

const networksByUplink = lazyByObject((networks: Networks) => {
  const pairs = networkIndex(networks).all.flatMap((network) =>
    distinct(network.uplinks).map((uplink) => ({ uplink, network })),
  );
  return groupBy(pairs, ({ uplink }) => uplink);
});

const attachmentsByNetworkName = lazyByObject((definitions: Definitions): ReadonlyMap<string, NetworkAttachments> => {
  const attachments = new Map<string, NetworkAttachments>();
  for (const { metadata } of [...definitions].sort(by((nad) => nad.metadata.namespace ?? ''))) {
    const network = metadata.annotations?.[NETWORK_NAME_ANNOTATION];
    if (network === undefined) continue;
    const { id, namespaces } = attachments.get(network) ?? { id: undefined, namespaces: [] };
    const found = parseNetworkId(metadata.annotations?.[NETWORK_ID_ANNOTATION]);
    attachments.set(network, {
      // If ids differ, which OVN-Kubernetes corrects, the lowest is a stable choice.
      id: id === undefined || found === undefined ? (id ?? found) : Math.min(id, found),
      namespaces: [...namespaces, metadata.namespace ?? 'default'],
    });
  }
  return attachments;
});

const namespacesByNetwork = lazyByObjects((namespaces: ClusterSnapshot['namespaces'], definitions: Definitions) =>
  lazyByObject((network: Network) => {
    if (network.providedBy === 'us')
      return namespacesWith(network, { namespaces, networkAttachmentDefinitions: definitions });
    const attached = attachmentsByNetworkName(definitions).get(network.networkName)?.namespaces ?? [];
    return namespacesOf(network, namespaceIndex(namespaces), attached);
  }),
);

const advertisementsOf = lazyByObjects((networks: Networks, configurations: readonly FrrConfiguration[]) =>
  lazyByObject((routeAdvertisements: readonly RouteAdvertisements[]) =>
    advertisementsByNetwork(routeAdvertisements, networkIndex(networks), configurationIndex(configurations)),
  ),
);

/** The networks of ClusterUserDefinedNetworks: the same list for the same objects and settings. */
const clusterNetworks = lazyByObjects(
  (objects: ClusterSnapshot['clusterUserDefinedNetworks'], settings: ClusterSettings): Networks =>
    objects.map((object) => clusterNetwork(object, settings)),
);

/** The networks of UserDefinedNetworks that have uplinks: the same list as long as they are the same. */
const namespacedOnUplinks = lazyByObject((settings: ClusterSettings) =>
  sameItems((objects: ClusterSnapshot['userDefinedNetworks']): Networks =>
    objects.map((object) => namespacedNetwork(object, settings)).filter(({ uplinks }) => uplinks.length > 0),
  ),
);

const together = lazyByObjects((clusterWide: Networks, namespaced: Networks): Networks => [
  ...clusterWide,
  ...namespaced,
]);

const noAdvertisements: readonly Advertisement[] = [];

/** The nodes that a network is active on where that depends on pods: the same list as the last one if it has the same nodes. */
const sameActive = sameList<string>();

const viewOf = lazyByObjects((snapshot: ClusterSnapshot, settings: ClusterSettings): ClusterView => {
  const { uplinks, uplinkStates, clusterUserDefinedNetworks, userDefinedNetworks, nodes, namespaces } = snapshot;
  const {
    networkAttachmentDefinitions,
    routeAdvertisements,
    frrConfigurations,
    unreadable = noneUnreadable,
  } = snapshot;
  const clusterWide = clusterNetworks(clusterUserDefinedNetworks, settings);
  const hasUplinkForAll = egressUplink(settings.egress) !== undefined;
  const namespaced = hasUplinkForAll ? namespacedOnUplinks(settings)(userDefinedNetworks) : [];
  const networks = namespaced.length === 0 ? clusterWide : together(clusterWide, namespaced);
  const namespacesOfNetwork = namespacesByNetwork(namespaces, networkAttachmentDefinitions);
  const activeNamespaces = lazyByKey((network: Network) =>
    namespacesOfNetwork(network).flatMap((namespace) => activeNodesByNamespace(snapshot).get(namespace) ?? []),
  );
  const namesOf = (kind: KindKey) => unreadableByKind(unreadable, kind);
  const stateNamed = (uplink: string, node: string) => statesByName(uplinkStates).get(uplinkStateName(uplink, node));
  return {
    snapshot,
    settings,
    get nodes() {
      return nodeIndex(nodes);
    },
    get nodeAddresses() {
      return nodeAddresses(allNodeAddresses(nodes));
    },
    get networks() {
      return networkIndex(networks).all;
    },
    get unreadableOnUplinks() {
      const namespacedPaths = hasUplinkForAll ? namesOf('userDefinedNetworks') : [];
      return [
        ...[...namesOf('clusterUserDefinedNetworks')].map(clusterNetworkKey),
        ...[...namespacedPaths].map(namespacedNetworkKey),
      ];
    },
    get uplinkNames() {
      return [...tablesByName(uplinks).keys()].sort(byName);
    },
    table: (uplink) => tablesByName(uplinks).get(uplink),
    namespaces: namespacesOfNetwork,
    networksOn: (uplink) => (networksByUplink(networks).get(uplink) ?? []).map(({ network }) => network),
    activeNodes: (network) => {
      if (!settings.dynamicNetworks) return nodeNames(nodes);
      const active = new Set<string>();
      for (const ofNamespace of activeNamespaces(network)) for (const node of ofNamespace) active.add(node);
      return sameActive(network, [...active].filter((node) => nodeIndex(nodes).byName.has(node)).sort(byName));
    },
    isActive: (network, node) =>
      nodeIndex(nodes).byName.has(node) &&
      (!settings.dynamicNetworks || activeNamespaces(network).some((ofNamespace) => ofNamespace.has(node))),
    networkId: (network) =>
      settings.providedNetworks === 'none'
        ? attachmentsByNetworkName(networkAttachmentDefinitions).get(network.networkName)?.id
        : claimedId('network', { ...network.metadata, name: network.networkName }, snapshot, settings),
    nodeId: (node) =>
      settings.providedNetworks === 'none'
        ? nodeIdOf(node)
        : claimedId('node', { name: node.metadata.name, uid: node.metadata.uid ?? '' }, snapshot, settings),
    networkIdByName: (name) => attachmentsByNetworkName(networkAttachmentDefinitions).get(name)?.id,
    // They select no others.
    advertisements: ({ kind, metadata: { name } }) =>
      kind === 'UserDefinedNetwork'
        ? noAdvertisements
        : (advertisementsOf(clusterWide, frrConfigurations)(routeAdvertisements).get(name) ?? noAdvertisements),
    state: (uplink, node) => {
      const state = stateNamed(uplink, node);
      return state !== undefined && belongsTo(state, { uplink, node }) ? state : undefined;
    },
    isStateNameTaken: (uplink, node) => {
      const state = stateNamed(uplink, node);
      return state !== undefined && !belongsTo(state, { uplink, node });
    },
    unreadable: namesOf,
    get unreadableNetworks() {
      return new Set([
        ...[...namesOf('clusterUserDefinedNetworks')].map((name) => CLUSTER_NETWORK_NAME_PREFIX + name),
        ...[...namesOf('userDefinedNetworks')].map((name) => name.replace('/', '_')),
      ]);
    },
  };
});

/** Views a cluster by key. The same snapshot and settings give the same view; indexes are built on first use. */
export function viewCluster(snapshot: ClusterSnapshot, settings: ClusterSettings): ClusterView {
  return viewOf(snapshot, withServiceCidrs(settings, snapshot));
}
