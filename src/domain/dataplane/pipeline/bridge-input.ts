/**
 * The input of the flows of an uplink bridge.
 */
import type { AddressFamily } from '../../basics/addresses/ip-address.ts';
import type { NetworkKey } from '../../network/key.ts';

/** A value for each address family that has one. */
export type PerFamily<Value> = { readonly [Family in 4 | 6]?: Value };

/** A network on an uplink of the bridge. */
export interface NetworkInput {
  readonly network: NetworkKey;
  readonly networkId: number;
  /** The patch port to the integration bridge: its number, or its name while it has none. */
  readonly patchPort: string;
  /** The addresses to which its gateway router translates the sources of packets. */
  readonly masqueradeAddresses: PerFamily<string>;
  /** Subnets of its pods on this node, CIDR, that are advertised to the outside: their pods keep their addresses. */
  readonly advertisedSubnets: PerFamily<readonly string[]>;
}

/** An address outside of a network at which its Services are reached from the wire. */
export interface ExposedAddress {
  readonly family: AddressFamily;
  readonly address: string;
  /** Whether it is for Services alone. Otherwise it is the uplink's, which the host has too. */
  readonly isOfService: boolean;
}

/** A port of a Service at such an address. */
export interface ExposedPort extends ExposedAddress {
  readonly protocol: 'tcp' | 'udp' | 'sctp';
  readonly port: number;
  /** Subnets that packets may come from, CIDR, none of which is part of another one; absent for all. */
  readonly sources?: readonly string[];
}

/** A neighbour on the link of an uplink, with its MAC address. */
export interface NeighbourInput {
  readonly address: string;
  readonly macAddress: string;
  /** Whether it is one of the uplink's default gateways. */
  readonly isGateway: boolean;
}

/** An uplink on the bridge. */
export interface UplinkInput {
  readonly uplink: string;
  /** The host interface's port: a number, `LOCAL`, or a name while it has no number. */
  readonly hostPort: string;
  /** The host interface's MAC address, which the gateway routers have too. */
  readonly macAddress: string;
  /** Access VLAN of the host interface's port; absent where it has none. */
  readonly vlan?: number;
  /** First of its four conntrack zones. */
  readonly firstZone: number;
  /** The address of each family that egress leaves with. */
  readonly addresses: PerFamily<string>;
  readonly neighbours: readonly NeighbourInput[];
  readonly networks: readonly NetworkInput[];
}

/** A bridge, with the uplinks on it. */
export interface BridgeInput {
  readonly bridge: string;
  /** The physical port: its number, or its name while it has none. */
  readonly physicalPort: string;
  /** Masquerade subnets of the cluster, CIDR. */
  readonly masqueradeSubnets: PerFamily<string>;
  /** Subnets of the cluster's services, CIDR, none of which is part of another one. */
  readonly serviceSubnets: PerFamily<readonly string[]>;
  /** Addresses of all uplinks on the bridge, which are reached without leaving the node. */
  readonly uplinkAddresses: PerFamily<readonly string[]>;
  /** Addresses where tunnels of the node end. */
  readonly encapsulationAddresses: PerFamily<readonly string[]>;
  readonly uplinks: readonly UplinkInput[];
}
