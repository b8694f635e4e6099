/**
 * The rows of OVN's Northbound database that make a Layer3 network in the zone of a node (docs/design/networks.md, "Zones"; ovn-architecture(7),
 * "OVN Deployments Interconnection"): the switch of its pods, its cluster router, the switch to its gateway router, and the switch between the zones.
 *
 * Each node has a zone of its own, with databases that only its agent writes to. A row that is there for another node follows from that node's id,
 * so zones agree without talking to each other. The gateway router of the network is made by `gateway-router`.
 */
import { transitSwitchKey } from '../../network/names/numbers.ts';
import { familyOf, withoutLength } from '../../basics/addresses/ip-address.ts';
import type { NorthboundRow } from '../../datapath/northbound/row.ts';
import { macOf, onRouter, onSwitch, routesOf, staticRouteName } from '../northbound-parts.ts';
import {
  transitSwitchPort,
  type LogicalNetworkNames,
  logicalNetworkNames,
} from '../../network/names/logical-network.ts';
import type { NodeAddresses, LogicalNetwork, NumberedNode } from './node-addresses.ts';

/** A network and its addresses on a node. */
export interface AddressedNetwork {
  readonly network: LogicalNetwork;
  readonly node: NumberedNode;
  readonly addresses: NodeAddresses;
}

/** A network on another node. */
export interface PeerOfNetwork {
  readonly node: Pick<NumberedNode, 'name' | 'id'>;
  /** Name of its chassis. */
  readonly chassis: string;
  readonly addresses: Pick<NodeAddresses, 'podSubnets' | 'gatewayRouterAddresses' | 'transitAddresses'>;
}

/** A port of a router, and the switch port that it is connected to. */
function connection(
  [router, routerPort]: readonly [string, string],
  [ofSwitch, switchPort]: readonly [string, string],
  networks: readonly string[],
  options: Readonly<Record<string, string>> = {},
): readonly NorthboundRow[] {
  return [
    {
      table: 'Logical_Router_Port',
      name: routerPort,
      parents: [onRouter(router)],
      columns: { mac: macOf(networks[0]), networks },
    },
    {
      table: 'Logical_Switch_Port',
      name: switchPort,
      parents: [onSwitch(ofSwitch)],
      columns: { type: 'router', addresses: ['router'], options: { 'router-port': routerPort, ...options } },
    },
  ];
}

/** A MAC address and IP addresses, as column `addresses` of a switch port has them. */
function portAddresses(addresses: readonly string[]): string {
  return [macOf(addresses[0]), ...addresses].join(' ');
}

/** The key of a node's port on a transit switch, which all zones must agree on (ovn-nb(5), Logical_Switch_Port, requested-tnl-key). */
function portKey({ id }: PeerOfNetwork['node']): string {
  return String(id);
}

/** The cluster router, which answers for its own addresses only: those of pods and of other nodes are in the database. */
function clusterRouter({ clusterRouter: name }: LogicalNetworkNames): NorthboundRow {
  return { table: 'Logical_Router', name, columns: { options: { always_learn_from_arp_request: 'false' } } };
}

/** The switch between the zones. Zones recognise it by its key, which must be the same in all of them. */
function transitSwitch(
  { network: { networkId } }: AddressedNetwork,
  { transitSwitch: name }: LogicalNetworkNames,
): NorthboundRow {
  const options = { 'interconn-ts': name, 'requested-tnl-key': String(transitSwitchKey(networkId)) };
  return { table: 'Logical_Switch', name, columns: { other_config: options } };
}

/** The port of the node's management port, by which pods reach the host. */
function managementPort(
  { addresses: { managementAddresses } }: AddressedNetwork,
  names: LogicalNetworkNames,
): NorthboundRow {
  return {
    table: 'Logical_Switch_Port',
    name: names.managementPort,
    parents: [onSwitch(names.nodeSwitch)],
    columns: { type: '', addresses: [portAddresses(managementAddresses.map(withoutLength))] },
  };
}

/** The rows of a network that do not depend on other nodes, in an order in which they can be inserted: a row comes after the one that refers to it. */
export function logicalNetworkRows(input: AddressedNetwork): readonly NorthboundRow[] {
  const { network, node, addresses } = input;
  const names = logicalNetworkNames(network.networkName, node.name);
  const { nodeSwitch, joinSwitch, clusterRouter: router } = names;
  const rows: readonly NorthboundRow[] = [
    { table: 'Logical_Switch', name: nodeSwitch, columns: {} },
    { table: 'Logical_Switch', name: joinSwitch, columns: {} },
    transitSwitch(input, names),
    clusterRouter(names),
    ...connection([router, names.nodeRouterPort], [nodeSwitch, names.nodeSwitchPort], addresses.routerAddresses),
    managementPort(input, names),
    ...connection([router, names.joinRouterPort], [joinSwitch, names.joinSwitchPort], addresses.clusterRouterAddresses),
    ...connection(
      [router, names.transitRouterPort],
      [names.transitSwitch, transitSwitchPort(network.networkName, node.name)],
      addresses.transitAddresses,
      { 'requested-tnl-key': portKey(node) },
    ),
  ];
  return rows.map((row) => ({ ...row, network: network.networkName, isOfZone: true }));
}

/**
 * Makes the rows of a network for each other node: its port on the transit switch, and routes to its pods and its gateway router.
 *
 * A node has some of them for each network and each other node: they share what they have in common.
 */
export function peerRows({
  network: { networkName: network },
  node: own,
}: Pick<AddressedNetwork, 'network' | 'node'>): (peer: PeerOfNetwork) => readonly NorthboundRow[] {
  const { transitSwitch: name, clusterRouter: router } = logicalNetworkNames(network, own.name);
  const [onTransitSwitch, ofRouter] = [[onSwitch(name)], routesOf(router)];
  return ({ node, chassis, addresses: { podSubnets, gatewayRouterAddresses, transitAddresses } }) => {
    const nextHops = transitAddresses.map(withoutLength);
    const routes = [...podSubnets, ...gatewayRouterAddresses.map(withoutLength)].flatMap((ip_prefix) =>
      nextHops
        .filter((nexthop) => familyOf(nexthop) === familyOf(ip_prefix))
        .map((nexthop): NorthboundRow => {
          const columns = { ip_prefix, nexthop };
          const table = 'Logical_Router_Static_Route';
          return { table, name: staticRouteName(router, columns), columns, parents: ofRouter, network, isOfZone: true };
        }),
    );
    const port: NorthboundRow = {
      table: 'Logical_Switch_Port',
      name: transitSwitchPort(network, node.name),
      parents: onTransitSwitch,
      columns: {
        type: 'remote',
        addresses: [portAddresses(transitAddresses)],
        options: { 'requested-tnl-key': portKey(node), 'requested-chassis': chassis },
      },
      network,
      isOfZone: true,
    };
    return [port, ...routes];
  };
}
