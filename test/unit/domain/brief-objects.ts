/**
 * Objects of the API in a few words: everything that is as usual is left out.
 */
import { clusterNetwork, type Network } from '../../../src/domain/network/network.ts';
import type {
  ClusterSnapshot,
  ClusterUserDefinedNetwork,
  FrrConfiguration,
  Namespace,
  NetworkAttachmentDefinition,
  Node,
  NodeConfig,
  Pod,
  RouteAdvertisements,
  Uplink,
  UplinkState,
} from '../../../src/domain/index.ts';
import type { ServiceCidr } from '../../../src/domain/api/service-cidr.ts';
import { emptyCluster } from '../../../src/domain/index.ts';
import { uplinkStateName } from '../../../src/domain/status/state-identity.ts';

type Metadata = Partial<Node['metadata']>;

/** A node, by default without labels. */
export function node(name: string, metadata: Metadata = {}): Node {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, ...metadata } };
}

/** An item of `nodeConfigs`, by default for every node. */
export function nodeConfig(hostInterfaceName: string, nodeSelector: NodeConfig['nodeSelector'] = {}): NodeConfig {
  return { type: 'OVSBridge', nodeSelector, hostInterfaceName };
}

/** A selector of one label. */
export function labelled(key: string, value: string): NodeConfig['nodeSelector'] {
  return { matchLabels: { [key]: value } };
}

/** A selector that a schema allows and nothing can be matched against. */
export const unclearSelector: NodeConfig['nodeSelector'] = { matchExpressions: [{ key: 'rack', operator: 'Near' }] };

/** An Uplink; its table may be given as the one interface on every node. */
export function uplink(name: string, configs: string | readonly NodeConfig[], metadata: Metadata = {}): Uplink {
  const nodeConfigs = typeof configs === 'string' ? [nodeConfig(configs)] : configs;
  return { apiVersion: 'k8s.ovn.org/v1alpha1', kind: 'Uplink', metadata: { name, ...metadata }, spec: { nodeConfigs } };
}

/** Unusual properties of a network. */
export interface NetworkBrief {
  readonly uplinks?: readonly string[] | undefined;
  readonly network?: Partial<ClusterUserDefinedNetwork['spec']['network']>;
  readonly namespaceSelector?: ClusterUserDefinedNetwork['spec']['namespaceSelector'];
  readonly metadata?: Metadata;
}

/** A primary Layer3 network on uplink `blue`, in the namespace of its name. */
export function network(name: string, brief: NetworkBrief = {}): ClusterUserDefinedNetwork {
  const uplinks = 'uplinks' in brief ? brief.uplinks : ['blue'];
  return {
    apiVersion: 'k8s.ovn.org/v1',
    kind: 'ClusterUserDefinedNetwork',
    metadata: { name, ...brief.metadata },
    spec: {
      namespaceSelector: brief.namespaceSelector ?? labelled('tenant', name),
      network: { topology: 'Layer3', layer3: { role: 'Primary' }, ...brief.network },
      ...(uplinks && { uplinks }),
    },
  };
}

/** A ClusterUserDefinedNetwork as `network` makes it, read as a network, which another implementation provides. */
export function readNetwork(name: string, brief?: NetworkBrief): Network {
  return clusterNetwork(network(name, brief), { providedNetworks: 'none', egress: 'none' });
}

/** A namespace, by default of the tenant of its name. */
export function namespace(name: string, labels: Readonly<Record<string, string>> = { tenant: name }): Namespace {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

/** A running pod. */
export function pod(name: string, namespaceName: string, nodeName: string, brief: Partial<Pod> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: namespaceName },
    spec: { nodeName },
    status: { phase: 'Running' },
    ...brief,
  };
}

/** OVN-Kubernetes' record of a network in the namespace of its name. */
export function attachment(
  networkName: string,
  id: string | undefined,
  namespaceName = networkName,
): NetworkAttachmentDefinition {
  return {
    apiVersion: 'k8s.cni.cncf.io/v1',
    kind: 'NetworkAttachmentDefinition',
    metadata: {
      name: networkName,
      namespace: namespaceName,
      annotations: {
        'k8s.ovn.org/network-name': `cluster_udn_${networkName}`,
        ...(id !== undefined && { 'k8s.ovn.org/network-id': id }),
      },
    },
  };
}

/** A ServiceCIDR. */
export function serviceCidr(name: string, ...cidrs: readonly string[]): ServiceCidr {
  return { apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR', metadata: { name }, spec: { cidrs } };
}

/** RouteAdvertisements of every network on every node, with every FRRConfiguration, in a network's own VRF. */
export function routeAdvertisements(
  name: string,
  spec: Partial<RouteAdvertisements['spec']> = {},
  status?: RouteAdvertisements['status'],
): RouteAdvertisements {
  return {
    apiVersion: 'k8s.ovn.org/v1',
    kind: 'RouteAdvertisements',
    metadata: { name },
    spec: {
      targetVRF: 'auto',
      advertisements: ['PodNetwork'],
      nodeSelector: {},
      frrConfigurationSelector: {},
      networkSelectors: [
        {
          networkSelectionType: 'ClusterUserDefinedNetworks',
          clusterUserDefinedNetworkSelector: { networkSelector: {} },
        },
      ],
      ...spec,
    },
    ...(status && { status }),
  };
}

/** `networkSelectors` of networks by name. */
export function ofNetworks(...names: readonly string[]): NonNullable<RouteAdvertisements['spec']['networkSelectors']> {
  return names.map((name) => ({
    networkSelectionType: 'ClusterUserDefinedNetworks',
    clusterUserDefinedNetworkSelector: { networkSelector: labelled('k8s.ovn.org/metadata.name', name) },
  }));
}

/** An FRRConfiguration of every node. */
export function frrConfiguration(
  name: string,
  spec: FrrConfiguration['spec'] = { nodeSelector: {} },
  metadata: Metadata = {},
): FrrConfiguration {
  return {
    apiVersion: 'frrk8s.metallb.io/v1beta1',
    kind: 'FRRConfiguration',
    metadata: { name, namespace: 'frr', ...metadata },
    spec,
  };
}

/** The state of an uplink on a node: ready on `br-blue`, unless something else is said. */
export function uplinkState(
  uplinkName: string,
  nodeName: string,
  status: Partial<NonNullable<UplinkState['status']>> = {},
): UplinkState {
  return {
    apiVersion: 'k8s.ovn.org/v1alpha1',
    kind: 'UplinkState',
    metadata: { name: uplinkStateName(uplinkName, nodeName) },
    status: {
      uplinkName,
      nodeName,
      type: 'OVSBridge',
      hostInterfaceName: 'br-blue',
      ovsBridge: { name: 'br-blue' },
      macAddress: '02:00:00:00:00:01',
      ipAddresses: ['192.0.2.6/24'],
      conditions: [{ type: 'Ready', status: 'True', reason: 'Ready' }],
      ...status,
    },
  };
}

/** A status in which condition Ready is False. */
export function notReady(reason: string, message = ''): Partial<NonNullable<UplinkState['status']>> {
  return { conditions: [{ type: 'Ready', status: 'False', reason, message }] };
}

/** A cluster that holds the given objects and no others. */
export function cluster(objects: Partial<ClusterSnapshot> = {}): ClusterSnapshot {
  return { ...emptyCluster, ...objects };
}
