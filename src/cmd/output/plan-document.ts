/**
 * A plan as a deterministic JSON document.
 */
import { keyOfNetworkName, nameOfNetwork } from '../../domain/network/key.ts';
import {
  apiVersionOf,
  type ClusterSnapshot,
  kinds,
  semanticsOf,
  type NetworkOnNode,
  type NodePlan,
  type NodeSnapshot,
  type PlannedOperation,
  type Preview,
  type UplinkState,
} from '../../domain/index.ts';
import { portNumbers, withKnownNumbers } from '../../adapters/ovs-ofctl-wrapper/port-numbers.ts';
import {
  ID_CLAIMS_NAME,
  NETWORK_ID_ANNOTATION,
  NODE_ID_ANNOTATION,
  SERVICE_PROXY,
  SERVICE_PROXY_LABEL,
} from '../../domain/basics/conventions.ts';
import { by, withSortedKeys } from '../../domain/basics/names/ordering.ts';
import type { ClusterPlan } from '../../domain/plan/cluster/cluster-plan.ts';
import type { ProvidedNetworkPlan } from '../../domain/plan/cluster/provided-network-plan.ts';
import { networkMessage } from '../../domain/plan/node-status.ts';
import type { LogicalNetworkOnNode } from '../../domain/plan/parts/part.ts';
import { egressSentence } from '../../domain/status/sentences/egress-sentence.ts';
import { logicalNetworkSentence } from '../../domain/status/sentences/logical-network-sentence.ts';
import { flowKey } from '../../domain/datapath/openflow/flow-entry.ts';
import type { PacketCounts } from './flow-text.ts';
import { inFlowOrder, plannedFlows, plannedRows } from '../../domain/explanation/preview/planned-datapath.ts';
import type { Bridge } from '../../domain/snapshot/node-snapshot.ts';
import type { NorthboundRow } from '../../domain/datapath/northbound/row.ts';

function networkRow(row: NetworkOnNode, plan: NodePlan) {
  return {
    name: row.network,
    key: row.key,
    uplink: row.uplink,
    bridge: row.bridge ?? null,
    vlan: row.vlan ?? null,
    vrf: row.vrf ?? null,
    held: row.held,
    ready: row.failure === undefined,
    reason: row.failure?.reason ?? 'Ready',
    message: networkMessage(row, plan),
  };
}

/** A network that ovn-uplinks provides, apart from its uplink. */
function logicalNetworkRow({
  object,
  networkName,
  networkId,
  podSubnets,
  failure,
  exit,
  egressFailure,
}: LogicalNetworkOnNode) {
  return {
    object,
    key: object,
    networkName,
    networkId: networkId ?? null,
    podSubnets,
    ready: failure === undefined && egressFailure === undefined,
    message: failure === undefined ? '' : logicalNetworkSentence(failure),
    ...(exit && { exit }),
    ...(egressFailure && { egressMessage: egressSentence(egressFailure) }),
  };
}

function operationRow({ operation, command }: PlannedOperation) {
  const networks = operation.networks.map(nameOfNetwork);
  const semantics = semanticsOf(operation);
  return {
    network: networks.length === 1 ? networks[0] : null,
    networks,
    keys: operation.networks,
    kind: semantics.name,
    summary: semantics.summary(operation),
    disruption: semantics.disruption(operation),
    command: command === undefined ? null : [command.program, ...command.arguments],
    ...(command?.first !== undefined && { first: [command.program, ...command.first] }),
    ...(command?.input !== undefined && { input: command.input }),
  };
}

/** A state without its times. */
function timeless({ apiVersion, kind, metadata, status }: UplinkState) {
  const { name, labels, annotations, ownerReferences } = metadata;
  return {
    apiVersion,
    kind,
    metadata: withSortedKeys({ name, labels, annotations, ownerReferences }),
    ...(status && {
      status: withSortedKeys({
        ...status,
        conditions: [...(status.conditions ?? [])]
          .map(({ type, status: value, reason, message = '' }) => ({ type, status: value, reason, message }))
          .sort(by(({ type }) => type)),
        ...(status.networks && { networks: [...status.networks].sort(by(({ name: network }) => network)) }),
      }),
    }),
  };
}

/** The resulting states: of planned nodes as written, of other nodes as stored, without deleted ones. */
function stateObjects(after: ClusterSnapshot, deletions: readonly string[]) {
  const deleted = new Set(deletions);
  return after.uplinkStates
    .filter(({ metadata }) => !deleted.has(metadata.name))
    .sort(by(({ metadata }) => metadata.name))
    .map(timeless);
}

/**
 * The managed flows of each bridge as ovs-ofctl(8) takes them: ports that have numbers by number, others by name. In the order of tables, priorities
 * (highest first) and matches.
 *
 * @param packets that each flow has matched; absent to leave them out
 */
export function flowRows(plan: NodePlan, bridges: readonly Bridge[], packets?: PacketCounts) {
  return Object.fromEntries(
    [...plannedFlows(plan)].map(([bridge, flows]) => {
      const found = bridges.find(({ name }) => name === bridge);
      const numbered = (text: string) => (found === undefined ? text : withKnownNumbers(text, portNumbers(found)));
      const rows = flows.map(({ flow, networks, why }) => ({
        networks,
        table: flow.table,
        priority: flow.priority,
        match: numbered(flow.match),
        actions: numbered(flow.actions),
        why,
        ...(packets && { packets: packets.get(bridge)?.get(flowKey(flow)) ?? null }),
      }));
      return [bridge, rows.sort(inFlowOrder)];
    }),
  );
}

/** A managed row, with its network, if it is of one. */
function northboundRow({ network = '', table, name, columns }: NorthboundRow) {
  const key = keyOfNetworkName(network);
  return { network: key === undefined ? null : nameOfNetwork(key), key: key ?? null, table, name, columns };
}

function providedMetadata({ networkId, finalizers }: ProvidedNetworkPlan) {
  return {
    ...(networkId !== undefined && { annotations: { [NETWORK_ID_ANNOTATION]: String(networkId) } }),
    finalizers,
  };
}

/** Writes for networks that ovn-uplinks provides, beside the ClusterUserDefinedNetworks. */
function providedObjects({ provision, networks: onUplinks }: ClusterPlan): readonly object[] {
  if (provision === undefined) return [];
  const ofUplinks = (network: ProvidedNetworkPlan) =>
    onUplinks.find(({ namespace, name }) => namespace === network.namespace && name === network.name)?.condition ?? [];
  const { networks, nodeIds, definitions, claims, services } = provision;
  return [
    ...networks
      .filter(({ kind }) => kind === kinds.userDefinedNetworks.kind)
      .map((network) => ({
        apiVersion: apiVersionOf(kinds.userDefinedNetworks),
        kind: network.kind,
        metadata: { namespace: network.namespace, name: network.name, ...providedMetadata(network) },
        status: {
          conditions: [...network.conditions, ofUplinks(network)].flat().sort(by(({ type }) => type)),
          attachedPods: network.attachedPods,
        },
      })),
    ...definitions,
    ...nodeIds.map(({ node, id }) => ({
      apiVersion: apiVersionOf(kinds.nodes),
      kind: kinds.nodes.kind,
      metadata: { name: node, annotations: { [NODE_ID_ANNOTATION]: String(id) } },
    })),
    ...services.unlabelled.map(({ namespace, name }) => ({
      apiVersion: apiVersionOf(kinds.services),
      kind: kinds.services.kind,
      metadata: { namespace, name, labels: { [SERVICE_PROXY_LABEL]: SERVICE_PROXY } },
    })),
    ...services.mirrors,
    ...services.names,
    ...(claims === undefined
      ? []
      : [
          {
            apiVersion: apiVersionOf(kinds.configMaps),
            kind: kinds.configMaps.kind,
            metadata: { namespace: claims.namespace, name: ID_CLAIMS_NAME },
            data: claims.data,
          },
        ]),
  ];
}

/**
 * The document.
 *
 * @param snapshots of the nodes that were planned
 */
export function planDocument(
  { nodes, operations, after, cluster }: Preview,
  snapshots: readonly NodeSnapshot[],
  warnings: readonly string[],
) {
  const bridges = new Map(snapshots.map((snapshot) => [snapshot.nodeName, snapshot.bridges]));
  const uplinkUids = new Map(after.uplinks.map(({ metadata }) => [metadata.name, metadata.uid]));
  const networkUids = new Map(after.clusterUserDefinedNetworks.map(({ metadata }) => [metadata.name, metadata.uid]));
  const ofClusterNetworks = cluster.networks.filter(({ namespace }) => namespace === undefined);
  return {
    objects: [
      ...ofClusterNetworks.map(({ name, condition }) => {
        const provided = cluster.provision?.networks.find(
          (network) => network.kind === kinds.clusterUserDefinedNetworks.kind && network.name === name,
        );
        return {
          apiVersion: apiVersionOf(kinds.clusterUserDefinedNetworks),
          kind: kinds.clusterUserDefinedNetworks.kind,
          metadata: { name, uid: networkUids.get(name), ...(provided && providedMetadata(provided)) },
          status: {
            conditions: [condition, ...(provided?.conditions ?? [])].sort(by(({ type }) => type)),
            ...(provided && { activeNamespaces: provided.activeNamespaces, attachedPods: provided.attachedPods }),
          },
        };
      }),
      ...cluster.uplinks.map(({ name, finalizers, condition }) => ({
        apiVersion: apiVersionOf(kinds.uplinks),
        kind: kinds.uplinks.kind,
        metadata: { name, uid: uplinkUids.get(name), finalizers },
        status: { conditions: [condition] },
      })),
      ...stateObjects(after, cluster.deletions),
      ...providedObjects(cluster),
    ],
    nodes: Object.fromEntries(
      nodes.map((plan) => [
        plan.nodeName,
        {
          networks: plan.networks.map((row) => networkRow(row, plan)),
          ...(plan.zones && { zones: plan.zones.map(logicalNetworkRow) }),
          operations: (operations.get(plan.nodeName) ?? []).map(operationRow),
          flows: flowRows(plan, bridges.get(plan.nodeName) ?? []),
          northbound: plannedRows(plan).map(northboundRow),
        },
      ]),
    ),
    deletions: [
      ...cluster.deletions.map((name) => ({
        apiVersion: apiVersionOf(kinds.uplinkStates),
        kind: kinds.uplinkStates.kind,
        name,
      })),
      ...(cluster.provision?.obsoleteDefinitions ?? []).map(({ namespace, name }) => ({
        apiVersion: apiVersionOf(kinds.networkAttachmentDefinitions),
        kind: kinds.networkAttachmentDefinitions.kind,
        namespace,
        name,
      })),
      ...[
        ...(cluster.provision?.services.obsoleteMirrors ?? []),
        ...(cluster.provision?.services.obsoleteNames ?? []),
      ].map(({ namespace, name }) => ({
        apiVersion: apiVersionOf(kinds.endpointSlices),
        kind: kinds.endpointSlices.kind,
        namespace,
        name,
      })),
    ],
    warnings,
  };
}
