import type { ClusterSnapshot, Node } from '../../../../src/domain/index.ts';
import { clusterOf } from '../clusters.ts';

/** An uplink of the node, with a wire to a provider. */
export interface LabUplink {
  /** Part of the name of its provider, and of bridge and wire unless it shares them. */
  readonly name: string;
  readonly macAddress: string;
  /**
   * A VLAN on a bridge that others use too: its host interface is an access port of the bridge, `host-NAME` unless that has another name. Without one it is
   * the bridge itself.
   */
  readonly access?: { readonly bridge: string; readonly vlan: number; readonly hostInterface?: string };
  /** Its addresses, one a family; absent where it has those of all others. */
  readonly addresses?: readonly string[];
  /** The addresses of its gateway, one a family; absent where it has those of all others. */
  readonly gateways?: readonly string[];
  /** The uplink in whose VLAN it is, with a gateway of its own there, and the addresses of that; absent where it has a wire or a VLAN of its own. */
  readonly beside?: { readonly uplink: LabUplink; readonly gateways: readonly string[] };
  /** The subnets of pods of the node, one a family; absent where they are those of all others. */
  readonly nodeSubnets?: readonly string[];
}

/** A tenant whose packets are observed: a network with a pod on the node. */
export interface Tenant {
  readonly name: string;
  readonly networkId: number;
  /** The VRF in which its pods are advertised; absent for the default routing domain, where they are not. */
  readonly targetVRF?: string;
  readonly uplink: LabUplink;
  /** The element between the gateway router and the pods of a Layer2 network, whose node has all its subnets; absent for Layer3. */
  readonly layer2?: 'transit-router' | 'switch';
}

/** The bridge of an uplink. */
export const bridgeOf = ({ name, access }: LabUplink) => access?.bridge ?? `br-${name}`;

/** The host interface of an uplink. */
export const hostInterfaceOf = (uplink: LabUplink) =>
  uplink.access === undefined ? bridgeOf(uplink) : (uplink.access.hostInterface ?? `host-${uplink.name}`);

/** The properties that all tenants share: they have the same addresses, so that only the bridge tells them apart. */
export const common = {
  nodeId: 2,
  clusterSubnets: ['10.20.0.0/16', 'fd20::/48'],
  nodeSubnets: ['10.20.1.0/24', 'fd20:0:0:1::/64'],
  joinSubnets: ['100.65.0.0/16', 'fd99::/64'],
  /** Addresses of the uplink. */
  uplink: ['192.0.2.6', '2001:db8:b::6'],
  /** Addresses of the provider's router on the link. */
  gateways: ['192.0.2.1', '2001:db8:b::1'],
  /** Addresses behind the provider's router. */
  outside: ['198.51.100.200', '2001:db8:ff::200'],
  /** Addresses of another node of the cluster, which is behind the provider's router too. */
  otherNode: ['198.51.100.11', '2001:db8:ff::11'],
  linkPrefixLengths: [24, 64],
  /** Of pods, in bytes. */
  mtu: 1400,
} as const;

/** Addresses of an uplink. */
export const addressesOf = ({ addresses = common.uplink }: LabUplink) => addresses;

/** Addresses of the gateway of an uplink. */
export const gatewaysOf = ({ beside, gateways = common.gateways }: LabUplink) => beside?.gateways ?? gateways;

/** The subnets of pods of the node that has an uplink. */
export const nodeSubnetsOf = ({ nodeSubnets = common.nodeSubnets }: LabUplink) => nodeSubnets;

/** Tenants with a VRF and an uplink each. */
export const [blue, red] = ['blue', 'red'].map((name, index): Tenant => ({
  name,
  networkId: index + 1,
  targetVRF: 'auto',
  uplink: { name, macAddress: `02:00:00:00:0${index + 1}:06` },
})) as [Tenant, Tenant];

const networkName = ({ name }: Tenant) => `cluster_udn_${name}`;

/** The Node with what OVN-Kubernetes writes on it. */
export function annotated(node: Node, tenants: readonly Tenant[], nodeId: number = common.nodeId): Node {
  const subnets = Object.fromEntries(tenants.map((tenant) => [networkName(tenant), nodeSubnetsOf(tenant.uplink)]));
  const annotations = {
    'k8s.ovn.org/node-id': String(nodeId),
    'k8s.ovn.org/node-chassis-id': node.metadata.name,
    'k8s.ovn.org/node-subnets': JSON.stringify(subnets),
  };
  return { ...node, metadata: { ...node.metadata, annotations } };
}

/** A node of the cluster that the lab does not have. */
const otherNode: Node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'worker-b' },
  status: { addresses: common.otherNode.map((address) => ({ type: 'InternalIP', address })) },
};

/** The uplinks of tenants. */
export function uplinksOf(tenants: readonly Tenant[]): readonly LabUplink[] {
  return [...new Set(tenants.map(({ uplink }) => uplink))];
}

/** A cluster with the networks of tenants. */
export function clusterWith(tenants: readonly Tenant[]): ClusterSnapshot {
  const networks = tenants.map(({ name, uplink, targetVRF, layer2 }) => ({
    name,
    topology: layer2 === undefined ? ('Layer3' as const) : ('Layer2' as const),
    device: hostInterfaceOf(uplink),
    subnets: common.clusterSubnets,
    ...(targetVRF !== undefined && { targetVRF }),
  }));
  const cluster = clusterOf(networks, { devices: uplinksOf(tenants).map(hostInterfaceOf) });
  return { ...cluster, nodes: [...cluster.nodes.map((node) => annotated(node, tenants)), otherNode] };
}
