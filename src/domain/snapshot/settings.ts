import {
  DEFAULT_DNS_SERVICE,
  DEFAULT_MASQUERADE_SUBNETS,
  DEFAULT_NETWORK_MTU,
  DEFAULT_SERVICE_CIDRS,
} from '../basics/conventions.ts';

/** How OVN-Kubernetes' gateway routers reach the outside; uplinks need `shared`. */
export type GatewayMode = 'shared' | 'local';

/** Which networks ovn-uplinks provides, not only their uplinks: none, those with uplinks, or all (docs/design/networks.md). */
export type ProvidedNetworks = 'none' | 'with-uplinks' | 'all';

/** The way out of networks that ovn-uplinks provides and that name no uplink: none, by the node, or by an Uplink (docs/design/node-egress.md). */
export type EgressSetting = 'none' | 'node' | `uplink=${string}`;

const BY_UPLINK = 'uplink=';

/** The Uplink that networks leave by which name none; undefined where they leave by none. */
export function egressUplink(egress: EgressSetting): string | undefined {
  return egress.startsWith(BY_UPLINK) ? egress.slice(BY_UPLINK.length) : undefined;
}

/** A Service by its name. */
export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
}

/** A Service of the default network that pods of all provided networks may reach. */
export interface AllowedService extends ServiceName {
  /** The only port that they reach; absent for all. */
  readonly port?: number;
}

/** The name of a Service as `kube-system/kube-dns`. */
export function textOfService({ namespace, name }: ServiceName): string {
  return `${namespace}/${name}`;
}

/** Settings for decisions about the cluster. */
export interface ClusterSettings {
  readonly gatewayMode: GatewayMode;
  /** Whether a network is active only on nodes that run one of its pods. */
  readonly dynamicNetworks: boolean;
  readonly providedNetworks: ProvidedNetworks;
  readonly egress: EgressSetting;
  /** Namespace of the objects of ovn-uplinks itself, such as the claims of ids. */
  readonly namespace: string;
  /** Subnets of OVN-Kubernetes' own host addresses, CIDR. */
  readonly masqueradeSubnets: readonly string[];
  /** Subnets of the cluster's services, CIDR. */
  readonly serviceCidrs: readonly string[];
  /** Subnets of the pods of the default network, CIDR, where Nodes do not have them. */
  readonly clusterCidrs: readonly string[];
  /** The Service of the cluster’s DNS. */
  readonly dnsService: ServiceName;
  /** Addresses of DNS that are no Service’s, such as those of NodeLocal DNSCache. */
  readonly dnsAddresses: readonly string[];
  /** Services that pods of provided networks reach by the default network, beside DNS and the Kubernetes API. */
  readonly defaultServices: readonly AllowedService[];
  /** Subnets of addresses outside of the cluster that authors of Services in networks may ask for, CIDR. */
  readonly externalIps: readonly string[];
  /** MTU in bytes of a network that has none of its own. */
  readonly defaultNetworkMtu: number;
}

/** Settings for decisions about a node. */
export interface NodeSettings extends ClusterSettings {
  /** The default gateway bridge; absent: the one in the node's gateway annotation, else br-ex. */
  readonly defaultBridge?: string;
  /** OVN-Kubernetes' legacy egress gateway bridge, if any. */
  readonly egressGatewayBridge?: string;
  /** Destinations that pods may reach by the node although others like them are denied, CIDR. */
  readonly egressAllow: readonly string[];
  /** Devices that pods may leave by, beside those of the default routes of the node. */
  readonly egressDevices: readonly string[];
  /**
   * Whether flows, port settings and FDB entries of bridges in Open vSwitch are programmed, and the gateway routers of networks in OVN. Otherwise
   * only VRF, routes, rules, neighbours and the bridge mapping of a network are.
   */
  readonly ovn: boolean;
}

/** OVN-Kubernetes' defaults. */
export const defaultSettings: NodeSettings = {
  gatewayMode: 'shared',
  dynamicNetworks: false,
  providedNetworks: 'none',
  egress: 'none',
  namespace: 'ovn-uplinks',
  masqueradeSubnets: DEFAULT_MASQUERADE_SUBNETS,
  serviceCidrs: DEFAULT_SERVICE_CIDRS,
  clusterCidrs: [],
  dnsService: DEFAULT_DNS_SERVICE,
  dnsAddresses: [],
  defaultServices: [],
  externalIps: [],
  defaultNetworkMtu: DEFAULT_NETWORK_MTU,
  egressAllow: [],
  egressDevices: [],
  ovn: true,
};
