import type { ClusterSnapshot, Node } from '../../../../src/domain/index.ts';
import type { NodePlace } from '../packets/packet-node.ts';
import { annotated, blue, clusterWith, common, red, type Tenant } from '../packets/tenant.ts';

/** A node of a cluster on a machine of its own. */
export interface ClusterNode extends NodePlace {
  readonly nodeId: number;
  readonly tenants: readonly Tenant[];
}

/** Two tenants, with the same addresses of each other on every node. */
const tenants = [blue, red];

/** The tenants with the addresses that they have on the second node, and with the bridges there. */
const tenantsOnWorkerB = tenants.map((tenant, index) => ({
  ...tenant,
  uplink: {
    ...tenant.uplink,
    macAddress: `02:00:00:00:0${index + 1}:07`,
    addresses: ['192.0.2.7', '2001:db8:b::7'],
    nodeSubnets: ['10.20.2.0/24', 'fd20:0:0:2::/64'],
  },
}));

export const workerA: ClusterNode = {
  name: 'worker-a',
  address: '198.51.100.10',
  nodeId: common.nodeId,
  tenants,
};

const workerB: ClusterNode = {
  name: 'worker-b',
  address: '198.51.100.11',
  nodeId: common.nodeId + 1,
  tenants: tenantsOnWorkerB,
};

/** The second node in another rack, where the first tenant's uplink is a VLAN on a bridge, and has another host interface. */
export const workerOfRackB: ClusterNode = {
  ...workerB,
  tenants: tenantsOnWorkerB.map((tenant) =>
    tenant.name === blue.name
      ? { ...tenant, uplink: { ...tenant.uplink, access: { bridge: 'br-blue', vlan: 10, hostInterface: 'pf1hpf' } } }
      : tenant,
  ),
};

/** A Node with what its kubelet and OVN-Kubernetes write on it. */
function nodeObject(
  { name, address, nodeId, tenants: ofNode }: ClusterNode,
  labels?: Readonly<Record<string, string>>,
): Node {
  const node: Node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, ...(labels && { labels }) },
    status: { addresses: [{ type: 'InternalIP', address }] },
  };
  return annotated(node, ofNode, nodeId);
}

const interfacesByRack = [
  { labels: { rack: 'rack-a' }, hostInterfaceName: 'pf0hpf' },
  { labels: { rack: 'rack-b' }, hostInterfaceName: 'pf1hpf' },
  { labels: { offload: 'false' }, hostInterfaceName: 'br-blue' },
].map(({ labels, hostInterfaceName }) => ({
  type: 'OVSBridge' as const,
  nodeSelector: { matchLabels: labels },
  hostInterfaceName,
}));

/** A cluster of both nodes with the networks of both tenants, each with an Uplink of all nodes and in a VRF of its own. */
export const cluster: ClusterSnapshot = {
  ...clusterWith(tenants),
  nodes: [workerA, workerB].map((node) => nodeObject(node)),
};

/** The cluster with nodes of different kinds, and the Uplink of OKEP-6019's example, which names another host interface for each (Uplink API). */
export const clusterOfRacks: ClusterSnapshot = {
  ...cluster,
  nodes: [nodeObject(workerA, { offload: 'false' }), nodeObject(workerOfRackB, { rack: 'rack-b' })],
  uplinks: cluster.uplinks.map((uplink) =>
    uplink.metadata.name === 'uplink-0'
      ? { ...uplink, metadata: { name: 'blue-underlay' }, spec: { nodeConfigs: interfacesByRack } }
      : uplink,
  ),
  clusterUserDefinedNetworks: cluster.clusterUserDefinedNetworks.map((network) =>
    network.metadata.name === blue.name
      ? { ...network, spec: { ...network.spec, uplinks: ['blue-underlay'] } }
      : network,
  ),
};
