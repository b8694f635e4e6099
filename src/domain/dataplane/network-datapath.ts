/**
 * What the gateway router and the flows of a network are made from: the network's own addresses follow from its id and the node's, the rest is the
 * uplink's.
 */
import {
  CLUSTER_ROUTER_OFFSET,
  DEFAULT_JOIN_SUBNETS,
  MANAGEMENT_PORT_OFFSET,
  MASQUERADE_OFFSETS,
  NETWORK_MASQUERADE_BASE,
} from '../conventions.ts';
import { addressAt, familyOf, prefixLengthOf } from '../ip-address.ts';
import { portWord } from '../openflow/port-word.ts';
import { patchPortName } from '../snapshot/patch-ports.ts';
import type { GatewayRouterFamily, GatewayRouterInput } from './gateway-router/gateway-router-rows.ts';
import { gatewayRouterNames } from './gateway-router/names.ts';
import type { NetworkInput, PerFamily, UplinkInput } from './pipeline/bridge-input.ts';

/** What an uplink's flows and gateway routers are made from. */
export interface UplinkEnd {
  readonly uplink: string;
  /** The uplink's interface on the host. */
  readonly device: string;
  readonly bridge: string;
  /** Name of the bridge's physical port. */
  readonly physicalPort: string;
  readonly macAddress: string;
  /** Access VLAN; absent where it has none. */
  readonly vlan?: number;
  /** CIDR, at most one a family. */
  readonly ipAddresses: readonly string[];
  readonly defaultGateways: readonly string[];
}

/** What a network's half of OVN on the node is known by. */
export interface NetworkEnd {
  /** Name of the ClusterUserDefinedNetwork. */
  readonly network: string;
  readonly networkName: string;
  readonly networkId: number;
  readonly families: readonly (4 | 6)[];
  /** CIDR. */
  readonly clusterSubnets: readonly string[];
  /** CIDR; empty for the usual ones. */
  readonly joinSubnets: readonly string[];
  /** MTU in bytes of its pods. */
  readonly mtu: number;
  /** Whether RouteAdvertisements advertise its pods on the node. */
  readonly isAdvertised: boolean;
  /** Absent while the Node has none. */
  readonly nodeId: number | undefined;
  /** Subnets of its pods on the node, CIDR. */
  readonly podSubnets: readonly string[];
  readonly node: string;
  /** The node's chassis. */
  readonly chassis: string;
  /** Masquerade subnets of the cluster, CIDR. */
  readonly masqueradeSubnets: readonly string[];
  /** Addresses of the cluster's nodes. */
  readonly clusterNodeAddresses: PerFamily<readonly string[]>;
  /** Addresses of the uplinks that are in its routing domain on the node. */
  readonly domainAddresses: readonly string[];
}

/** What the Node's annotations do not say: its id, or subnets of the network's pods on it. */
export interface MissingAnnotation {
  readonly annotation: 'node-id' | 'node-subnets';
}

/** A topology whose gateway routers this version does not make. */
export interface UnsupportedTopology {
  readonly topology: string;
}

/** Why it is not known what the packets of a network need. */
export type UnknownDatapath = MissingAnnotation | UnsupportedTopology;

/** What the packets of a network need on the node. */
export interface NetworkDatapath {
  readonly router: GatewayRouterInput;
  readonly uplink: Omit<UplinkInput, 'firstZone' | 'neighbours' | 'networks'>;
  /** Next routers of the uplink. */
  readonly gateways: readonly string[];
  readonly network: NetworkInput;
  /** The physical port, as a word of flows. */
  readonly physicalPort: string;
}

const withoutLength = (cidr: string) => cidr.split('/')[0] ?? '';

function ofFamily(addresses: readonly string[], family: 4 | 6): readonly string[] {
  return addresses.filter((address) => familyOf(address) === family);
}

/** The address from which the network's gateway router sends, with the prefix length of the masquerade subnet. */
function masqueradeAddress({ networkId, masqueradeSubnets }: NetworkEnd, family: 4 | 6): string | undefined {
  const [subnet] = ofFamily(masqueradeSubnets, family);
  const address = subnet && addressAt(subnet, NETWORK_MASQUERADE_BASE + 2 * networkId - 1);
  return address === undefined ? undefined : `${address}/${prefixLengthOf(subnet ?? '')}`;
}

function routerFamily(
  end: NetworkEnd,
  { ipAddresses, defaultGateways }: UplinkEnd,
  nodeId: number,
  family: 4 | 6,
): GatewayRouterFamily | undefined {
  const [masqueradeSubnet = ''] = ofFamily(end.masqueradeSubnets, family);
  const [joinSubnet = ''] = ofFamily(end.joinSubnets.length === 0 ? DEFAULT_JOIN_SUBNETS : end.joinSubnets, family);
  const [podSubnet = ''] = ofFamily(end.podSubnets, family);
  const uplinkAddresses = ofFamily(ipAddresses, family);
  const masquerade = masqueradeAddress(end, family);
  const joinAddress = addressAt(joinSubnet, nodeId);
  const clusterRouterAddress = addressAt(joinSubnet, CLUSTER_ROUTER_OFFSET);
  const managementAddress = addressAt(podSubnet, MANAGEMENT_PORT_OFFSET);
  if (
    uplinkAddresses.length === 0 ||
    masquerade === undefined ||
    joinAddress === undefined ||
    clusterRouterAddress === undefined ||
    managementAddress === undefined
  ) {
    return undefined;
  }
  const { host, dummyNextHop } = MASQUERADE_OFFSETS;
  const own = new Set(uplinkAddresses.map(withoutLength));
  return {
    uplinkAddresses,
    otherUplinkAddresses: ofFamily(end.domainAddresses, family).filter((address) => !own.has(address)),
    gateways: ofFamily(defaultGateways, family),
    masqueradeAddress: masquerade,
    hostAddresses: [host, dummyNextHop].flatMap((offset) => addressAt(masqueradeSubnet, offset) ?? []),
    joinAddress: `${joinAddress}/${prefixLengthOf(joinSubnet)}`,
    clusterRouterAddress,
    clusterSubnets: ofFamily(end.clusterSubnets, family),
    nodeSubnets: ofFamily(end.podSubnets, family),
    managementAddress,
    clusterNodeAddresses: end.clusterNodeAddresses[family] ?? [],
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

/** The port of the host interface, as a word of flows. */
function hostPort({ device, bridge }: UplinkEnd): string {
  return device === bridge ? 'LOCAL' : portWord(device);
}

/** What the packets of a network need on a node, or what the Node does not say yet. */
export function networkDatapath(end: NetworkEnd, uplink: UplinkEnd): NetworkDatapath | MissingAnnotation {
  const { network, networkName, networkId, families, nodeId, podSubnets, isAdvertised } = end;
  if (nodeId === undefined) return { annotation: 'node-id' };
  if (families.length === 0 || families.some((family) => ofFamily(podSubnets, family).length === 0)) {
    return { annotation: 'node-subnets' };
  }
  const { bridge, macAddress, vlan } = uplink;
  const tag = vlan === undefined ? {} : { vlan };
  const router: GatewayRouterInput = {
    networkName,
    node: end.node,
    chassis: end.chassis,
    bridge,
    macAddress,
    ...tag,
    mtu: end.mtu,
    isAdvertised,
    families: perFamily(families, (family) => routerFamily(end, uplink, nodeId, family)),
  };
  const { localnetPort } = gatewayRouterNames(networkName, end.node, bridge);
  return {
    router,
    uplink: {
      uplink: uplink.uplink,
      hostPort: hostPort(uplink),
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
        const address = masqueradeAddress(end, family);
        return address === undefined ? undefined : withoutLength(address);
      }),
      advertisedSubnets: perFamily(families, (family) => (isAdvertised ? ofFamily(podSubnets, family) : undefined)),
    },
    physicalPort: portWord(uplink.physicalPort),
  };
}
