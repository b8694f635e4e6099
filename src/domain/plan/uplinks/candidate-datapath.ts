/** The datapath of a network on an uplink of a node. */
import type { Network } from '../../network/network.ts';
import { CHASSIS_KEY } from '../../basics/conventions.ts';
import { type Inside, transitRouterName } from '../../network/names/gateway-router.ts';
import {
  type DatapathNetwork,
  type DatapathUplink,
  type NetworkDatapath,
  networkDatapath,
  type UnknownDatapath,
} from '../../dataplane/network-datapath.ts';
import { rowsByKey } from '../../datapath/ovsdb/row-transaction.ts';
import { lazyByText } from '../../basics/incremental/lazy.ts';
import { rowKey } from '../../datapath/northbound/row.ts';
import { podSubnetsOf } from '../../selection/node-network.ts';
import type { CandidateInput } from './candidate-input.ts';
import type { NodeInput } from '../node-input.ts';
import type { UplinkOnNode } from '../node-plan.ts';
import type { LogicalNetworkOnNode } from '../parts/part.ts';

/** Further input for the datapath of a network. */
export interface DatapathContext {
  /** The logical network; absent if another program provides it. */
  readonly logicalNetwork: LogicalNetworkOnNode | undefined;
  readonly isAdvertised: boolean;
  /** Addresses of the uplinks in its routing domain on the node. */
  readonly domainAddresses: readonly string[];
}

/** The part between the gateway router of a network and its pods: of a Layer2 network, what OVN-Kubernetes has made. */
function insideOf(network: Network, { snapshot }: NodeInput['node']): Inside {
  if (network.topology !== 'Layer2') return 'join-switch';
  const name = transitRouterName(network.networkName);
  return rowsByKey(snapshot.northbound).has(rowKey({ table: 'Logical_Router', name })) ? 'transit-router' : 'switch';
}

/** Subnets of the pods that leave by the node, CIDR: a Layer2 network has the same on all nodes. */
export function podSubnetsOn(
  object: NodeInput['object'],
  network: Network,
  logicalNetwork: LogicalNetworkOnNode | undefined,
): readonly string[] {
  if (logicalNetwork !== undefined) return logicalNetwork.podSubnets;
  return network.topology === 'Layer2'
    ? network.subnets.map(({ cidr }) => cidr)
    : podSubnetsOf(object, network.networkName);
}

/** The datapath of a network, or why it is unknown. */
export function datapathOf(
  { facts: { nodeId, nodeAddresses }, object, node, settings }: CandidateInput,
  network: Network,
  uplinkName: string,
  uplink: UplinkOnNode | undefined,
  { networkId, logicalNetwork, isAdvertised, domainAddresses }: DatapathContext & { readonly networkId: number },
): NetworkDatapath | UnknownDatapath | undefined {
  const { hostInterfaceName: device, facts: found = {} } = uplink ?? {};
  const { bridge, hostPort, macAddress, physicalInterface, vlan, ipAddresses, defaultGateways = [] } = found;
  const isKnown =
    device !== undefined &&
    bridge !== undefined &&
    hostPort !== undefined &&
    macAddress !== undefined &&
    physicalInterface !== undefined &&
    ipAddresses !== undefined;
  if (!settings.ovn || !isKnown) return undefined;
  const networkName = network.networkName;
  const end: Omit<DatapathNetwork, 'clusterNodeAddresses'> = {
    network: network.key,
    networkName,
    networkId,
    families: network.families,
    clusterSubnets: network.subnets.map(({ cidr }) => cidr),
    joinSubnets: network.joinSubnets,
    mtu: network.mtu ?? settings.defaultNetworkMtu,
    isAdvertised,
    domainAddresses,
    nodeId,
    inside: insideOf(network, node),
    podSubnets: podSubnetsOn(object, network, logicalNetwork),
    node: object.metadata.name,
    chassis: node.snapshot.switchExternalIds[CHASSIS_KEY] ?? object.metadata.name,
    masqueradeSubnets: settings.masqueradeSubnets,
  };
  const uplinkEnd: DatapathUplink = {
    uplink: uplinkName,
    hostPort,
    bridge,
    physicalPort: physicalInterface,
    macAddress,
    ...(vlan !== undefined && { vlan }),
    ipAddresses,
    defaultGateways,
  };
  return datapathsFor(JSON.stringify(nodeAddresses))(JSON.stringify([end, uplinkEnd]));
}

/** Number of networks whose datapaths are cached: more than a node has. */
const CACHED_DATAPATHS = 5000;

/** Datapaths by the addresses of the cluster's nodes, then by network and uplink: computed once for the same input, like the rows derived from them. */
const datapathsFor = lazyByText((nodeAddresses) => {
  const clusterNodeAddresses = JSON.parse(nodeAddresses) as DatapathNetwork['clusterNodeAddresses'];
  return lazyByText((ends) => {
    const [end, uplink] = JSON.parse(ends) as readonly [Omit<DatapathNetwork, 'clusterNodeAddresses'>, DatapathUplink];
    return networkDatapath({ ...end, clusterNodeAddresses }, uplink);
  }, CACHED_DATAPATHS);
}, 2);
