import type { PerFamily } from '../pipeline/bridge-input.ts';
import type { Inside } from '../../network/names/gateway-router.ts';

/** The input of one address family. */
export interface GatewayRouterFamily {
  /** The uplink's addresses, CIDR. */
  readonly uplinkAddresses: readonly string[];
  /** Addresses of the other uplinks in the routing domain of the network, which the host has too. */
  readonly otherUplinkAddresses: readonly string[];
  /** Default gateways of the uplink. */
  readonly gateways: readonly string[];
  /** The address that the router translates to, with the prefix length of the masquerade subnet. */
  readonly masqueradeAddress: string;
  /** Masquerade addresses that do not have the MAC address of the uplink: the host's own, and the dummy next hop. */
  readonly hostAddresses: readonly string[];
  /** The gateway router's address in the join subnet, CIDR. */
  readonly joinAddress: string;
  /** Further addresses of its port to the network, CIDR. */
  readonly insideAddresses: readonly string[];
  /** The addresses of the router between it and the pods, and its own, by which they route to each other; absent where there is none. */
  readonly between?: {
    /** CIDR. */
    readonly routerPort: string;
    readonly gatewayRouter: string;
  };
  /** Subnets of the network, CIDR. */
  readonly clusterSubnets: readonly string[];
  /** Subnets of the pods that leave by this node, CIDR: those on it, or, where a network has no subnets of nodes, all. */
  readonly nodeSubnets: readonly string[];
  /** Address of the management port, by which pods reach the host. */
  readonly managementAddress: string;
  /** Addresses of the cluster's nodes. */
  readonly clusterNodeAddresses: readonly string[];
}

/** The input for the gateway router of a network on a node. */
export interface GatewayRouterInput {
  readonly networkName: string;
  readonly node: string;
  readonly nodeId: number;
  readonly inside: Inside;
  /** The node's chassis: the system-id of its Open vSwitch. */
  readonly chassis: string;
  readonly bridge: string;
  /** The host interface's MAC address. */
  readonly macAddress: string;
  /** Access VLAN of the host interface; absent where it has none. */
  readonly vlan?: number;
  /** MTU in bytes of its pods. */
  readonly mtu: number;
  /** Whether its pods are advertised, and keep their addresses. */
  readonly isAdvertised: boolean;
  readonly families: PerFamily<GatewayRouterFamily>;
}
