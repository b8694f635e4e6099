/**
 * A cluster's objects, found by the keys that decisions ask for: an uplink, a network, a node.
 *
 * Each index is made when it is first asked for, and each is a function of the lists that it is made of and nothing else.
 */
import type { ClusterUserDefinedNetwork } from '../api/cluster-user-defined-network.ts';
import type { Node } from '../api/node.ts';
import type { UplinkState } from '../api/uplink-state.ts';
import { NETWORK_ID_ANNOTATION, NETWORK_NAME_ANNOTATION } from '../conventions.ts';
import { groupBy } from '../grouping.ts';
import { lazy, lazyByKey } from '../lazy.ts';
import { by, byName, distinct } from '../ordering.ts';
import { type Advertisement, advertisementsByNetwork } from '../routing-domain/advertisement.ts';
import { namespacesOf, nodesByNamespace } from '../selection/active-nodes.ts';
import { type LabelIndex, labelIndex } from '../selection/label-index.ts';
import { labelsOfNetwork, networkNameOf, uplinksOf } from '../selection/network.ts';
import { type NodeSelection, selectNodes, type UplinkTable, uplinkTable } from '../selection/node-config.ts';
import type { ClusterSnapshot } from '../snapshot/cluster-snapshot.ts';
import type { ClusterSettings } from '../snapshot/settings.ts';
import { belongsTo, uplinkStateName } from '../status/state-identity.ts';

/** A cluster, by key. */
export interface ClusterView {
  readonly snapshot: ClusterSnapshot;
  readonly settings: ClusterSettings;
  readonly nodes: LabelIndex<Node>;
  /** Every network, by name order. */
  readonly networks: readonly ClusterUserDefinedNetwork[];
  /** Every Uplink's name, in order. */
  readonly uplinkNames: readonly string[];
  /** An Uplink's table; absent where there is no such Uplink. */
  table(uplink: string): UplinkTable | undefined;
  /** What an Uplink says about each node that it selects. */
  selections(uplink: string): ReadonlyMap<string, NodeSelection>;
  /** The networks that refer to an Uplink, by name order. */
  networksOn(uplink: string): readonly ClusterUserDefinedNetwork[];
  /** Names of the nodes on which a network is active, in order. */
  activeNodes(network: ClusterUserDefinedNetwork): readonly string[];
  /** Names of the namespaces that a network is in. */
  namespaces(network: ClusterUserDefinedNetwork): readonly string[];
  /** Whether a network is active on one node. */
  isActive(network: ClusterUserDefinedNetwork, node: string): boolean;
  /** A network's id; absent while there is none, or none that is a positive whole number. */
  networkId(network: ClusterUserDefinedNetwork): number | undefined;
  /** The advertisements that select a network. */
  advertisements(network: ClusterUserDefinedNetwork): readonly Advertisement[];
  /** The state of an uplink on a node; absent where there is none, or one of other identity under its name. */
  state(uplink: string, node: string): UplinkState | undefined;
  /** Whether a state of other identity bears the name of an uplink's state on a node. */
  isStateNameTaken(uplink: string, node: string): boolean;
}

/** A network id as an annotation spells it; absent where it is none. */
export function parseNetworkId(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : undefined;
}

interface Attachment {
  readonly id: number | undefined;
  readonly namespaces: readonly string[];
}

function attachmentsByNetworkName({ networkAttachmentDefinitions }: ClusterSnapshot): ReadonlyMap<string, Attachment> {
  const attachments = new Map<string, Attachment>();
  for (const { metadata } of [...networkAttachmentDefinitions].sort(by((nad) => nad.metadata.namespace ?? ''))) {
    const network = metadata.annotations?.[NETWORK_NAME_ANNOTATION];
    if (network === undefined) continue;
    const { id, namespaces } = attachments.get(network) ?? { id: undefined, namespaces: [] };
    const found = parseNetworkId(metadata.annotations?.[NETWORK_ID_ANNOTATION]);
    attachments.set(network, {
      // While ids differ, which OVN-Kubernetes never lets happen for long, the lowest is as good as any and always the same.
      id: id === undefined || found === undefined ? (id ?? found) : Math.min(id, found),
      namespaces: [...namespaces, metadata.namespace ?? 'default'],
    });
  }
  return attachments;
}

/** Looks at a cluster by key. Costs nothing until something is asked for. */
export function viewCluster(snapshot: ClusterSnapshot, settings: ClusterSettings): ClusterView {
  const nodes = lazy(() => labelIndex(snapshot.nodes));
  const networks = lazy(() => labelIndex(snapshot.clusterUserDefinedNetworks, labelsOfNetwork));
  const namespaces = lazy(() => labelIndex(snapshot.namespaces));
  const tables = lazy(() => new Map(snapshot.uplinks.map((uplink) => [uplink.metadata.name, uplinkTable(uplink)])));
  const attachments = lazy(() => attachmentsByNetworkName(snapshot));
  const podNodes = lazy(() => nodesByNamespace(snapshot.pods));
  const states = lazy(() => new Map(snapshot.uplinkStates.map((state) => [state.metadata.name, state])));
  const allNodes = lazy(() => nodes().all.map(({ metadata }) => metadata.name));
  const advertisements = lazy(() =>
    advertisementsByNetwork(snapshot.routeAdvertisements, networks(), labelIndex(snapshot.frrConfigurations)),
  );
  const networksByUplink = lazy(() => {
    const pairs = networks().all.flatMap((network) =>
      distinct(uplinksOf(network)).map((uplink) => ({ uplink, network })),
    );
    return groupBy(pairs, ({ uplink }) => uplink);
  });
  const attachmentOf = (network: ClusterUserDefinedNetwork) => attachments().get(networkNameOf(network));
  const namespacesOfNetwork = (network: ClusterUserDefinedNetwork) =>
    namespacesOf(network, namespaces(), attachmentOf(network)?.namespaces ?? []);
  const activeNamespaces = lazyByKey((network: ClusterUserDefinedNetwork) =>
    namespacesOfNetwork(network).flatMap((namespace) => podNodes().get(namespace) ?? []),
  );
  const selections = lazyByKey((uplink: string): ReadonlyMap<string, NodeSelection> => {
    const table = tables().get(uplink);
    return table === undefined ? new Map() : selectNodes(table, nodes());
  });
  return {
    snapshot,
    settings,
    get nodes() {
      return nodes();
    },
    get networks() {
      return networks().all;
    },
    get uplinkNames() {
      return [...tables().keys()].sort(byName);
    },
    table: (uplink) => tables().get(uplink),
    selections,
    namespaces: namespacesOfNetwork,
    networksOn: (uplink) => (networksByUplink().get(uplink) ?? []).map(({ network }) => network),
    activeNodes: (network) => {
      if (!settings.dynamicNetworks) return allNodes();
      const active = new Set<string>();
      for (const ofNamespace of activeNamespaces(network)) for (const node of ofNamespace) active.add(node);
      return [...active].filter((node) => nodes().byName.has(node)).sort(byName);
    },
    isActive: (network, node) =>
      nodes().byName.has(node) &&
      (!settings.dynamicNetworks || activeNamespaces(network).some((ofNamespace) => ofNamespace.has(node))),
    networkId: (network) => attachmentOf(network)?.id,
    advertisements: (network) => advertisements().get(network.metadata.name) ?? [],
    state: (uplink, node) => {
      const state = states().get(uplinkStateName(uplink, node));
      return state !== undefined && belongsTo(state, { uplink, node }) ? state : undefined;
    },
    isStateNameTaken: (uplink, node) => {
      const state = states().get(uplinkStateName(uplink, node));
      return state !== undefined && !belongsTo(state, { uplink, node });
    },
  };
}
