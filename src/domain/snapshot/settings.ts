import { DEFAULT_MASQUERADE_SUBNETS, DEFAULT_NETWORK_MTU, DEFAULT_SERVICE_CIDRS } from '../conventions.ts';

/** How OVN-Kubernetes' gateway routers reach the outside; uplinks need `shared`. */
export type GatewayMode = 'shared' | 'local';

/** What the cluster's decisions depend on besides objects. */
export interface ClusterSettings {
  readonly gatewayMode: GatewayMode;
  /** Whether a network is active only on nodes that run one of its pods. */
  readonly dynamicNetworks: boolean;
}

/** What a node's decisions depend on besides objects and the node itself. */
export interface NodeSettings extends ClusterSettings {
  /** The default gateway bridge; absent: what the node's gateway annotation names, else br-ex. */
  readonly defaultBridge?: string;
  /** OVN-Kubernetes' legacy egress gateway bridge, where there is one. */
  readonly egressGatewayBridge?: string;
  /** Subnets of OVN-Kubernetes' own host addresses, CIDR. */
  readonly masqueradeSubnets: readonly string[];
  /** Subnets of the cluster's services, CIDR. */
  readonly serviceCidrs: readonly string[];
  /** MTU in bytes of a network that has none of its own. */
  readonly defaultNetworkMtu: number;
  /**
   * Whether the gateway routers of networks are programmed in OVN, and the flows, port settings and FDB entries of their bridges in Open vSwitch; if
   * not, only the host's half of a network is: VRF, routes, rules, neighbours and the bridge mapping.
   */
  readonly ovn: boolean;
}

/** OVN-Kubernetes' own defaults. */
export const defaultSettings: NodeSettings = {
  gatewayMode: 'shared',
  dynamicNetworks: false,
  masqueradeSubnets: DEFAULT_MASQUERADE_SUBNETS,
  serviceCidrs: DEFAULT_SERVICE_CIDRS,
  defaultNetworkMtu: DEFAULT_NETWORK_MTU,
  ovn: true,
};
