/** The input for the gateway router and the flows of a network: its own addresses follow from its id and that of the node, the rest comes from the uplink. */
import type { NetworkKey } from '../network/key.ts';
import {
  clusterRouterAddress,
  gatewayRouterMasqueradeAddress,
  joinAddress,
  joinSubnet,
  managementPortAddress,
  podRouterAddress,
  subnetOfFamily,
} from '../network/allocation/addresses.ts';
import { MASQUERADE_OFFSETS, TRANSIT_SUBNETS } from '../basics/conventions.ts';
import { addressAt, familyOf, withoutLength } from '../basics/addresses/ip-address.ts';
import { portWord } from '../datapath/openflow/port-word.ts';
import { patchPortName } from '../snapshot/patch-ports.ts';
import type { GatewayRouterFamily, GatewayRouterInput } from './gateway-router/gateway-router-input.ts';
import { gatewayRouterNames, type Inside } from '../network/names/gateway-router.ts';
import type { NetworkInput, PerFamily, UplinkInput } from './pipeline/bridge-input.ts';

/** An uplink as input for flows and gateway routers. */
export interface DatapathUplink {
  readonly uplink: string;
  readonly bridge: string;
  /** The interface of the bridge's port that leads to the host: the uplink's interface on the host, or its representor. */
  readonly hostPort: string;
  /** The interface of the bridge's physical port. */
  readonly physicalPort: string;
  readonly macAddress: string;
  /** Access VLAN; absent where it has none. */
  readonly vlan?: number;
  /** CIDR, at most one a family. */
  readonly ipAddresses: readonly string[];
  readonly defaultGateways: readonly string[];
}

/** A network on the node as input for flows and its gateway router. */
export interface DatapathNetwork {
  readonly network: NetworkKey;
  readonly networkName: string;
  readonly networkId: number;
  readonly families: readonly (4 | 6)[];
  /** CIDR. */
  readonly clusterSubnets: readonly string[];
  /** CIDR; empty for OVN-Kubernetes' defaults. */
  readonly joinSubnets: readonly string[];
  /** MTU in bytes of its pods. */
  readonly mtu: number;
  /** Whether RouteAdvertisements advertise its pods on the node. */
  readonly isAdvertised: boolean;
  /** Absent while the Node has none. */
  readonly nodeId: number | undefined;
  /** The part between its gateway router and its pods. */
  readonly inside: Inside;
  /** Subnets of its pods on the node, CIDR: of a Layer2 network, those of all its pods. */
  readonly podSubnets: readonly string[];
  readonly node: string;
  /** The node's chassis. */
  readonly chassis: string;
  /** Masquerade subnets of the cluster, CIDR. */
  readonly masqueradeSubnets: readonly string[];
  /** Addresses of the cluster's nodes. */
  readonly clusterNodeAddresses: PerFamily<readonly string[]>;
  /** Addresses of the uplinks in its routing domain on the node. */
  readonly domainAddresses: readonly string[];
}

/** Why the datapath of a network is unknown: a missing annotation of the Node: its id, or the subnets of the network's pods on it. */
export interface UnknownDatapath {
  readonly annotation: 'node-id' | 'node-subnets';
}

/** The datapath of a network on the node: input for its gateway router and its flows. */
export interface NetworkDatapath {
  readonly router: GatewayRouterInput;
  readonly uplink: Omit<UplinkInput, 'firstZone' | 'neighbours' | 'networks'>;
  /** Default gateways of the uplink. */
  readonly gateways: readonly string[];
  readonly network: NetworkInput;
  /** The interface of the bridge's port to the host. */
  readonly hostInterface: string;
  /** The physical port, as flows name it. */
  readonly physicalPort: string;
}

function ofFamily(addresses: readonly string[], family: 4 | 6): readonly string[] {
  return addresses.filter((address) => familyOf(address) === family);
}

/** The address to which the gateway router translates, with the prefix length of the masquerade subnet. */
function masqueradeAddress({ networkId, masqueradeSubnets }: DatapathNetwork, family: 4 | 6): string | undefined {
  return gatewayRouterMasqueradeAddress(subnetOfFamily(masqueradeSubnets, family), networkId);
}

type Between = NonNullable<GatewayRouterFamily['between']>;

/** The addresses of a gateway router and of the router between it and the pods, by which they route to each other. */
function betweenRouters(
  { inside }: DatapathNetwork,
  nodeId: number,
  family: 4 | 6,
  clusterRouter: string,
  ownAddress: string,
): Between | undefined {
  switch (inside) {
    case 'join-switch':
      return { routerPort: clusterRouter, gatewayRouter: ownAddress };
    case 'transit-router': {
      // Two addresses for each node.
      const subnet = subnetOfFamily(TRANSIT_SUBNETS, family) ?? '';
      const [router, gatewayRouter] = [2 * nodeId, 2 * nodeId + 1].map((offset) => addressAt(subnet, offset));
      const length = family === 4 ? 31 : 127;
      return router === undefined || gatewayRouter === undefined
        ? undefined
        : { routerPort: `${router}/${length}`, gatewayRouter: `${gatewayRouter}/${length}` };
    }
    case 'switch':
      return undefined;
  }
}

/** The addresses, beside that in the join subnet, of the port of a gateway router to the network, CIDR. */
function insideAddresses({ inside }: DatapathNetwork, podSubnet: string, between: Between | undefined) {
  switch (inside) {
    case 'join-switch':
      return [];
    case 'transit-router':
      return between === undefined ? [] : [between.gatewayRouter];
    case 'switch': {
      const address = podRouterAddress(podSubnet);
      return address === undefined ? [] : [address];
    }
  }
}

function routerFamily(
  input: DatapathNetwork,
  { ipAddresses, defaultGateways }: DatapathUplink,
  nodeId: number,
  family: 4 | 6,
): GatewayRouterFamily | undefined {
  const masqueradeSubnet = subnetOfFamily(input.masqueradeSubnets, family) ?? '';
  const subnetBetween = joinSubnet(input.joinSubnets, family);
  const podSubnet = subnetOfFamily(input.podSubnets, family) ?? '';
  const uplinkAddresses = ofFamily(ipAddresses, family);
  const masquerade = masqueradeAddress(input, family);
  const ownAddress = joinAddress(subnetBetween, nodeId);
  const clusterRouter = clusterRouterAddress(subnetBetween);
  const managementAddress = managementPortAddress(podSubnet);
  if (
    uplinkAddresses.length === 0 ||
    masquerade === undefined ||
    ownAddress === undefined ||
    clusterRouter === undefined ||
    managementAddress === undefined
  ) {
    return undefined;
  }
  const between = betweenRouters(input, nodeId, family, clusterRouter, ownAddress);
  const { host, dummyNextHop } = MASQUERADE_OFFSETS;
  const own = new Set(uplinkAddresses.map(withoutLength));
  return {
    uplinkAddresses,
    otherUplinkAddresses: ofFamily(input.domainAddresses, family).filter((address) => !own.has(address)),
    gateways: ofFamily(defaultGateways, family),
    masqueradeAddress: masquerade,
    hostAddresses: [host, dummyNextHop].flatMap((offset) => addressAt(masqueradeSubnet, offset) ?? []),
    joinAddress: ownAddress,
    insideAddresses: insideAddresses(input, podSubnet, between),
    ...(between && { between }),
    clusterSubnets: ofFamily(input.clusterSubnets, family),
    nodeSubnets: ofFamily(input.podSubnets, family),
    managementAddress: withoutLength(managementAddress),
    clusterNodeAddresses: input.clusterNodeAddresses[family] ?? [],
  };
}

function perFamily<Value>(families: readonly (4 | 6)[], make: (family: 4 | 6) => Value | undefined): PerFamily<Value> {
  return Object.fromEntries(
    families.flatMap((family) => {
      const value = make(family);
      return value === undefined ? [] : [[family, value]];
    }),
  );
}

/** The port to the host, as flows name it. */
function hostPortWord({ hostPort, bridge }: DatapathUplink): string {
  return hostPort === bridge ? 'LOCAL' : portWord(hostPort);
}

/** The datapath of a network on a node, or why it is unknown. */
export function networkDatapath(input: DatapathNetwork, uplink: DatapathUplink): NetworkDatapath | UnknownDatapath {
  const { network, networkName, networkId, families, nodeId, podSubnets, isAdvertised } = input;
  if (nodeId === undefined) return { annotation: 'node-id' };
  if (families.length === 0 || families.some((family) => ofFamily(podSubnets, family).length === 0)) {
    return { annotation: 'node-subnets' };
  }
  const { bridge, macAddress, vlan } = uplink;
  const tag = vlan === undefined ? {} : { vlan };
  const router: GatewayRouterInput = {
    networkName,
    node: input.node,
    nodeId,
    inside: input.inside,
    chassis: input.chassis,
    bridge,
    macAddress,
    ...tag,
    mtu: input.mtu,
    isAdvertised,
    families: perFamily(families, (family) => routerFamily(input, uplink, nodeId, family)),
  };
  const { localnetPort } = gatewayRouterNames(networkName, input.node, bridge);
  return {
    router,
    uplink: {
      uplink: uplink.uplink,
      hostPort: hostPortWord(uplink),
      macAddress,
      ...tag,
      addresses: perFamily([4, 6], (family) => ofFamily(uplink.ipAddresses, family).map(withoutLength)[0]),
    },
    gateways: uplink.defaultGateways,
    network: {
      network,
      networkId,
      patchPort: portWord(patchPortName(localnetPort)),
      masqueradeAddresses: perFamily(families, (family) => {
        const address = masqueradeAddress(input, family);
        return address === undefined ? undefined : withoutLength(address);
      }),
      advertisedSubnets: perFamily(families, (family) => (isAdvertised ? ofFamily(podSubnets, family) : undefined)),
    },
    hostInterface: uplink.hostPort,
    physicalPort: portWord(uplink.physicalPort),
  };
}
