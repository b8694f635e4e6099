/**
 * The rows of OVN's Northbound database by which a network leaves by the node (docs/design/node-egress.md, "Rows"; ovn-nb(5)): its cluster router translates what
 * leaves by the management port, and has the default route there.
 */
import { familyOf, withoutLength } from '../../basics/addresses/ip-address.ts';
import { distinct } from '../../basics/names/ordering.ts';
import { nameOfUnnamed } from '../../datapath/northbound/row-name.ts';
import type { NorthboundRow } from '../../datapath/northbound/row.ts';
import { joinSubnet } from '../../network/allocation/addresses.ts';
import { type LogicalNetworkNames, logicalNetworkNames } from '../../network/names/logical-network.ts';
import type { AddressedNetwork } from '../logical-network/logical-network-rows.ts';
import { policyOf, staticRoute } from '../northbound-parts.ts';
import type { NetworkAddress } from './network-by-node.ts';

/** A network that leaves by the node. */
export interface LeavingNetwork {
  readonly addressed: AddressedNetwork;
  readonly networkAddresses: readonly NetworkAddress[];
  /** The chassis of the node. */
  readonly chassis: string;
  /** Destinations that no network reaches by its node, CIDR. */
  readonly unreached: readonly string[];
  /** Destinations among these that its pods on the node reach nevertheless, CIDR; none of them is in its subnets. */
  readonly opened: readonly string[];
}

/**
 * The priorities of policies: no node is a way out for pods of others; what no packet leaves for; before that, what no pod has (see `loopPolicy`) and what is opened. These two share
 * a priority, as no packet matches both: what is opened is in no subnet of the network.
 */
const PRIORITIES = { others: 100, othersOfNetwork: 101, unreached: 1005, unallocated: 1006, opened: 1006 } as const;

/** OVN translates on a router that is on all nodes only at a port that is on one of them (ovn-nb(5), Logical_Router, nat). Each zone has its own. */
function gatewayChassis(chassis: string, { nodeRouterPort }: LogicalNetworkNames): NorthboundRow {
  return {
    table: 'Gateway_Chassis',
    name: `${nodeRouterPort}-${chassis}`,
    parents: [{ table: 'Logical_Router_Port', name: nodeRouterPort, column: 'gateway_chassis' }],
    columns: { chassis_name: chassis, priority: 1 },
  };
}

/** Pods of this node get the address of the network where they leave by that port. */
function translation(router: string, podSubnet: string, address: string): NorthboundRow {
  const columns = { type: 'snat', external_ip: address, logical_ip: podSubnet, allowed_ext_ips: [] };
  return {
    table: 'NAT',
    name: nameOfUnnamed('NAT', columns, router),
    columns,
    parents: [{ table: 'Logical_Router', name: router, column: 'nat' }],
  };
}

/** The rows of an address family. */
function rowsOfFamily(
  { addressed: { network, addresses }, unreached, opened }: LeavingNetwork,
  { family, address }: NetworkAddress,
  { clusterRouter: router, nodeRouterPort, transitRouterPort }: LogicalNetworkNames,
): readonly NorthboundRow[] {
  const isOfFamily = (text: string) => familyOf(text) === family;
  const own = addresses.podSubnets.filter(isOfFamily);
  const ofNetwork = distinct(network.subnets.map(({ cidr }) => cidr).filter(isOfFamily));
  const join = joinSubnet(network.joinSubnets, family);
  const to = (subnet: string) => `ip${family}.dst == ${subnet}`;
  const [nexthop] = addresses.managementAddresses.filter(isOfFamily).map(withoutLength);
  const isAllocated = own.map((subnet) => ` && ip${family}.dst != ${subnet}`).join('');
  return [
    ...own.map((subnet) => translation(router, subnet, address)),
    ...(nexthop === undefined
      ? []
      : [staticRoute({ router, ip_prefix: family === 4 ? '0.0.0.0/0' : '::/0', nexthop })]),
    // Not by routes that discard them: such a route would share the packets of the only node with a subnet as large as that of the network (ECMP).
    ...ofNetwork
      .filter((subnet) => !own.includes(subnet))
      .map((subnet) => {
        const match = `outport == "${nodeRouterPort}" && ${to(subnet)}${isAllocated}`;
        return policyOf(router, { priority: PRIORITIES.unallocated, match, action: 'drop' });
      }),
    ...unreached
      .filter(isOfFamily)
      .map((subnet) => policyOf(router, { priority: PRIORITIES.unreached, match: to(subnet), action: 'drop' })),
    // Pods of other nodes have their own node for that.
    ...opened.filter(isOfFamily).map((subnet) => {
      const match = `inport == "${nodeRouterPort}" && ${to(subnet)}`;
      return policyOf(router, { priority: PRIORITIES.opened, match, action: 'allow' });
    }),
    ...[...ofNetwork, ...(join === undefined ? [] : [join])].map((subnet) =>
      policyOf(router, {
        priority: PRIORITIES.othersOfNetwork,
        match: `inport == "${transitRouterPort}" && ${to(subnet)}`,
        action: 'allow',
      }),
    ),
  ];
}

/** The rows by which a network leaves by the node, in an order in which they can be inserted: a row comes after the one that refers to it. */
export function egressRows(input: LeavingNetwork): readonly NorthboundRow[] {
  const { addressed, networkAddresses, chassis } = input;
  const { networkName } = addressed.network;
  const names = logicalNetworkNames(networkName, addressed.node.name);
  const rows = [
    gatewayChassis(chassis, names),
    ...networkAddresses.flatMap((address) => rowsOfFamily(input, address, names)),
    policyOf(names.clusterRouter, {
      priority: PRIORITIES.others,
      match: `inport == "${names.transitRouterPort}"`,
      action: 'drop',
    }),
  ];
  return rows.map((row) => ({ ...row, network: networkName, isOfZone: true }));
}
