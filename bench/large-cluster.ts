import { type ClusterSnapshot, emptyCluster, type Node } from '../src/domain/index.ts';
import { uplinkStateName } from '../src/domain/status/state-identity.ts';

/** How large a cluster is. */
export interface ClusterSize {
  readonly nodes: number;
  readonly uplinks: number;
  readonly networks: number;
  /** Of 100 nodes, how many each uplink selects. */
  readonly selectedPercent: number;
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const nodeName = (index: number) => `worker-${String(index).padStart(5, '0')}.example.org`;
const uplinkName = (index: number) => `uplink-${String(index).padStart(3, '0')}`;
const networkName = (index: number) => `tenant-${String(index).padStart(4, '0')}`;

function node(index: number, { uplinks, selectedPercent }: ClusterSize): Node {
  const selecting = numbers(uplinks).filter((uplink) => isSelected(index, uplink, selectedPercent));
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: nodeName(index),
      labels: {
        'kubernetes.io/hostname': nodeName(index),
        'kubernetes.io/os': 'linux',
        ...Object.fromEntries(selecting.map((uplink) => [`example.org/${uplinkName(uplink)}`, 'yes'])),
      },
    },
  };
}

/** Spreads the selected nodes of each uplink over the cluster, differently for each. */
function isSelected(nodeIndex: number, uplink: number, selectedPercent: number): boolean {
  return (nodeIndex * 7 + uplink * 13) % 100 < selectedPercent;
}

/**
 * A cluster with dynamic networks in which every network is active exactly where its uplink selects, and every selected node has reported.
 * One state in a thousand is not ready, so that messages are made.
 */
export function largeCluster(size: ClusterSize): ClusterSnapshot {
  const selected = numbers(size.uplinks).map((uplink) =>
    numbers(size.nodes).filter((index) => isSelected(index, uplink, size.selectedPercent)),
  );
  const uplinkOf = (network: number) => network % size.uplinks;
  const networksOn = numbers(size.uplinks).map((uplink) =>
    numbers(size.networks)
      .filter((network) => uplinkOf(network) === uplink)
      .map(networkName),
  );
  return {
    ...emptyCluster,
    uplinks: numbers(size.uplinks).map((uplink) => ({
      apiVersion: 'k8s.ovn.org/v1alpha1',
      kind: 'Uplink',
      metadata: { name: uplinkName(uplink), uid: `uid-${uplink}` },
      spec: {
        nodeConfigs: [
          {
            type: 'OVSBridge',
            nodeSelector: { matchLabels: { [`example.org/${uplinkName(uplink)}`]: 'yes' } },
            hostInterfaceName: `br-${uplink}`,
          },
        ],
      },
    })),
    uplinkStates: selected.flatMap((nodes, uplink) =>
      nodes.map((index) => {
        const ready = (index * 31 + uplink) % 1000 !== 0;
        return {
          apiVersion: 'k8s.ovn.org/v1alpha1',
          kind: 'UplinkState',
          metadata: { name: uplinkStateName(uplinkName(uplink), nodeName(index)) },
          status: {
            uplinkName: uplinkName(uplink),
            nodeName: nodeName(index),
            type: 'OVSBridge' as const,
            hostInterfaceName: `br-${uplink}`,
            ovsBridge: { name: `br-${uplink}` },
            macAddress: '02:00:00:00:00:01',
            ipAddresses: ['192.0.2.6/24'],
            conditions: [
              {
                type: 'Ready',
                status: ready ? ('True' as const) : ('False' as const),
                reason: ready ? 'Ready' : 'BridgeNotFound',
              },
            ],
            networks: (networksOn[uplink] ?? []).map((name) => ({ name, ready: 'True' as const, reason: 'Ready' })),
          },
        };
      }),
    ),
    clusterUserDefinedNetworks: numbers(size.networks).map((network) => ({
      apiVersion: 'k8s.ovn.org/v1',
      kind: 'ClusterUserDefinedNetwork',
      metadata: { name: networkName(network) },
      spec: {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': networkName(network) } },
        network: { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }] } },
        uplinks: [uplinkName(uplinkOf(network))],
      },
    })),
    nodes: numbers(size.nodes).map((index) => node(index, size)),
    namespaces: numbers(size.networks).map((network) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: networkName(network), labels: { 'kubernetes.io/metadata.name': networkName(network) } },
    })),
    pods: numbers(size.networks).flatMap((network) =>
      (selected[uplinkOf(network)] ?? []).map((index) => ({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `pod-${index}`, namespace: networkName(network) },
        spec: { nodeName: nodeName(index) },
        status: { phase: 'Running' },
      })),
    ),
    networkAttachmentDefinitions: numbers(size.networks).map((network) => ({
      apiVersion: 'k8s.cni.cncf.io/v1',
      kind: 'NetworkAttachmentDefinition',
      metadata: {
        name: networkName(network),
        namespace: networkName(network),
        annotations: {
          'k8s.ovn.org/network-name': `cluster_udn_${networkName(network)}`,
          'k8s.ovn.org/network-id': String(network + 1),
        },
      },
    })),
    routeAdvertisements: [],
    frrConfigurations: [],
  };
}
