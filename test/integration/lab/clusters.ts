import { type ClusterSnapshot, emptyCluster } from '../../../src/domain/index.ts';

/** The network of a tenant. */
export interface TenantNetwork {
  readonly name: string;
  /** The host interface that its uplink selects. */
  readonly device: string;
  /** The VRF in which it is advertised: `auto` for its own, absent for the default routing domain. */
  readonly targetVRF?: string;
  /** By default one subnet of each family. */
  readonly subnets?: readonly string[];
  /** By default Layer3. */
  readonly topology?: 'Layer2' | 'Layer3';
}

/** Further properties of a cluster. */
export interface ClusterOptions {
  /** Host interfaces with an uplink, whether a network uses it or not. */
  readonly devices: readonly string[];
  /** The names of networks in the order of their ids, whether they exist or not. */
  readonly names: readonly string[];
}

const ovn = 'k8s.ovn.org';

function network(
  { name, device, subnets = ['10.20.0.0/16', 'fd20::/48'], topology = 'Layer3' }: TenantNetwork,
  devices: readonly string[],
): ClusterSnapshot['clusterUserDefinedNetworks'][number] {
  return {
    apiVersion: `${ovn}/v1`,
    kind: 'ClusterUserDefinedNetwork',
    metadata: { name },
    spec: {
      namespaceSelector: { matchLabels: { tenant: name } },
      network:
        topology === 'Layer2'
          ? { topology, layer2: { role: 'Primary', subnets: [...subnets] } }
          : { topology, layer3: { role: 'Primary', subnets: subnets.map((cidr) => ({ cidr })) } },
      uplinks: [`uplink-${devices.indexOf(device)}`],
    },
  };
}

function advertisement(name: string, targetVRF: string): ClusterSnapshot['routeAdvertisements'][number] {
  const networkSelector = { matchLabels: { [`${ovn}/metadata.name`]: name } };
  return {
    apiVersion: `${ovn}/v1`,
    kind: 'RouteAdvertisements',
    metadata: { name },
    spec: {
      targetVRF,
      advertisements: ['PodNetwork'],
      nodeSelector: {},
      frrConfigurationSelector: {},
      networkSelectors: [
        {
          networkSelectionType: 'ClusterUserDefinedNetworks',
          clusterUserDefinedNetworkSelector: { networkSelector },
        },
      ],
    },
  };
}

/** A cluster with the node worker-a and some networks. */
export function clusterOf(networks: readonly TenantNetwork[], options: Partial<ClusterOptions> = {}): ClusterSnapshot {
  const { devices = networks.map(({ device }) => device), names = networks.map(({ name }) => name) } = options;
  return {
    ...emptyCluster,
    nodes: [
      {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'worker-a' },
        status: { addresses: [{ type: 'InternalIP', address: '198.51.100.10' }] },
      },
    ],
    uplinks: devices.map((hostInterfaceName, index) => ({
      apiVersion: `${ovn}/v1alpha1`,
      kind: 'Uplink',
      metadata: { name: `uplink-${index}` },
      spec: { nodeConfigs: [{ type: 'OVSBridge', nodeSelector: {}, hostInterfaceName }] },
    })),
    namespaces: names.map((name) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: { tenant: name } },
    })),
    networkAttachmentDefinitions: names.map((name, index) => ({
      apiVersion: 'k8s.cni.cncf.io/v1',
      kind: 'NetworkAttachmentDefinition',
      metadata: {
        name,
        namespace: name,
        annotations: { [`${ovn}/network-name`]: `cluster_udn_${name}`, [`${ovn}/network-id`]: String(index + 1) },
      },
    })),
    frrConfigurations: [
      {
        apiVersion: 'frrk8s.metallb.io/v1beta1',
        kind: 'FRRConfiguration',
        metadata: { name: 'frr', namespace: 'frr-k8s-system' },
        spec: { nodeSelector: {} },
      },
    ],
    clusterUserDefinedNetworks: networks.map((tenant) => network(tenant, devices)),
    routeAdvertisements: networks.flatMap(({ name, targetVRF }) =>
      targetVRF === undefined ? [] : [advertisement(name, targetVRF)],
    ),
  };
}
