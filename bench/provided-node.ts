/** A node of a cluster with networks that ovn-uplinks provides on all nodes, before anything is programmed. */
import { CHASSIS_ID_ANNOTATION, ID_CLAIMS_NAME, NODE_REPORT_ANNOTATION } from '../src/domain/basics/conventions.ts';
import {
  type ClusterSnapshot,
  type ClusterUserDefinedNetwork,
  defaultSettings,
  emptyCluster,
  type Node,
  type NodeSnapshot,
} from '../src/domain/index.ts';
import { nodeReportName, reportData } from '../src/domain/network/allocation/node-report.ts';
import { completeNode } from '../src/testing/index.ts';

export const providingSettings = { ...defaultSettings, providedNetworks: 'all' } as const;

/** Ids of nodes begin with this one. */
const FIRST_NODE_ID = 2;

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const nodeName = (index: number) => `node-${String(index)}`;
const tenant = (index: number) => `tenant-${String(index)}`;

/** A Node by its index. @param chassis what the name of its chassis ends with */
export function nodeAt(
  index: number,
  { chassis = '', labels = {} }: { readonly chassis?: string; readonly labels?: Readonly<Record<string, string>> } = {},
): Node {
  const name = nodeName(index);
  const annotations = {
    [CHASSIS_ID_ANNOTATION]: `chassis-${String(index)}${chassis}`,
    [NODE_REPORT_ANNOTATION]: nodeReportName(name),
  };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, uid: name, labels, annotations } };
}

/** The cluster with another object for its last node. */
export function withLastNode(cluster: ClusterSnapshot, other: Parameters<typeof nodeAt>[1]): ClusterSnapshot {
  return { ...cluster, nodes: [...cluster.nodes.slice(0, -1), nodeAt(cluster.nodes.length - 1, other)] };
}

function networkAt(index: number): ClusterUserDefinedNetwork {
  const name = tenant(index);
  return {
    apiVersion: 'k8s.ovn.org/v1',
    kind: 'ClusterUserDefinedNetwork',
    metadata: { name, uid: name },
    spec: {
      namespaceSelector: { matchLabels: { tenant: name } },
      network: { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr: '11.0.0.0/8', hostSubnet: 24 }] } },
    },
  };
}

/** The cluster with one more network. */
export function withNetwork(cluster: ClusterSnapshot): ClusterSnapshot {
  const { clusterUserDefinedNetworks: networks } = cluster;
  return { ...cluster, clusterUserDefinedNetworks: [...networks, networkAt(networks.length)] };
}

const configMap = (name: string, data: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: providingSettings.namespace, name },
  data,
});

/** A cluster with some nodes and networks, and its first node. One more network than there are has an id. */
export function providedNode(
  nodes: number,
  networks: number,
): { readonly cluster: ClusterSnapshot; readonly node: NodeSnapshot } {
  const networkIds = numbers(networks + 1).map((index) => index + 1);
  const claims = [
    ...networkIds.map((id) => [`network-${String(id)}`, `cluster_udn_${tenant(id - 1)} ${tenant(id - 1)}`] as const),
    ...numbers(nodes).map(
      (index) => [`node-${String(index + FIRST_NODE_ID)}`, `${nodeName(index)} ${nodeName(index)}`] as const,
    ),
  ];
  const own = nodeName(0);
  const cluster: ClusterSnapshot = {
    ...emptyCluster,
    nodes: numbers(nodes).map((index) => nodeAt(index)),
    clusterUserDefinedNetworks: numbers(networks).map(networkAt),
    configMaps: [
      configMap(ID_CLAIMS_NAME, Object.fromEntries(claims)),
      configMap(nodeReportName(own), reportData({ name: own, uid: own }, networkIds, [])),
    ],
  };
  const node = completeNode({
    nodeName: own,
    isNorthboundRead: true,
    bridges: [{ name: 'br-int' }],
    switchExternalIds: { 'ovn-is-interconn': 'true' },
  });
  return { cluster, node };
}
