/**
 * Entities that a network which ovn-uplinks provides needs on the host of a node, apart from its uplink: its management port, in a VRF of its own, so that networks
 * with the same subnets do not meet (docs/design/networks.md, "The host"; OKEP-5193, "Local Gateway Mode").
 *
 * Some of what OVN-Kubernetes adds there (udn gateway, computeRoutesForUDN and constructUDNVRFIPRules) is left out, since it is for what ovn-uplinks does
 * not provide: routes and rules for the masquerade addresses to which its cluster router translates pods that reach the host, and for services.
 */
import type { Entity } from '../../entities/entity-kinds.ts';
import { routeEntity } from '../../entities/kernel/route.ts';
import { vrfSignature } from '../../network/names/vrf-signature.ts';
import {
  addressFamilies,
  familyOf,
  networkOf,
  prefixLengthOf,
  withoutLength,
} from '../../basics/addresses/ip-address.ts';
import { distinct } from '../../basics/names/ordering.ts';
import { managementPortName } from '../../network/names/management-port.ts';
import type { Route } from '../../snapshot/node-snapshot.ts';
import { enabledIpv6 } from '../ipv6-setting.ts';
import { macOf } from '../northbound-parts.ts';
import { fallbackRoute, ownRoute } from '../routes.ts';
import { type HostSetting, settingOf } from './host-settings.ts';
import { logicalNetworkNames } from '../../network/names/logical-network.ts';
import type { NodeAddresses, LogicalNetwork, NumberedNode } from './node-addresses.ts';

/** A network on the host of a node. */
export interface NetworkOnHost {
  readonly network: Pick<LogicalNetwork, 'networkName' | 'networkId' | 'subnets'>;
  readonly node: Pick<NumberedNode, 'name'>;
  readonly addresses: Pick<NodeAddresses, 'podSubnets' | 'routerAddresses' | 'managementAddresses'>;
  /** MTU in bytes of the network. */
  readonly mtu: number;
  /** The VRF of the network. */
  readonly vrf: { readonly name: string; readonly table: number };
  /** OVN's integration bridge. */
  readonly bridge: string;
  /** The settings of devices that its kernel has, of those that management ports need. */
  readonly settings: readonly HostSetting[];
  /** The devices of the network on which IPv6 has to be enabled. */
  readonly withoutIpv6: readonly string[];
}

/**
 * The host reaches the pods of other nodes by the router on the management port; those of the own node are in the subnet of its address. Packets to
 * all other destinations never use another table.
 */
function routesOf({ network: { subnets, networkId }, addresses, vrf: { table } }: NetworkOnHost): readonly Route[] {
  const device = managementPortName(networkId);
  const own = new Set(addresses.podSubnets.map(networkOf));
  const clusterSubnets = distinct(subnets.flatMap(({ cidr }) => networkOf(cidr) ?? [])).filter(
    (cidr) => !own.has(cidr),
  );
  return addressFamilies.flatMap((family) => {
    const router = addresses.routerAddresses.find((address) => familyOf(address) === family);
    if (router === undefined) return [];
    const ofFamily = clusterSubnets.filter((cidr) => familyOf(cidr) === family);
    return [
      ...ofFamily.map((destination): Route => ({
        ...ownRoute(family, table, destination),
        type: 'unicast',
        nextHops: [{ device, gateway: withoutLength(router) }],
      })),
      fallbackRoute(family, table),
    ];
  });
}

/** The entities of a network on the host of a node, in the order in which they can be added. */
export function hostEntities(input: NetworkOnHost): readonly Entity[] {
  const { network, node, addresses, mtu, vrf, bridge, settings, withoutIpv6 } = input;
  const { networkName, networkId } = network;
  const device = managementPortName(networkId);
  const { managementPort: logicalPort } = logicalNetworkNames(networkName, node.name);
  const { managementAddresses } = addresses;
  return [
    { kind: 'vrf', ...vrf, alias: vrfSignature(networkName), up: true },
    {
      kind: 'management-port',
      device,
      bridge,
      type: 'internal',
      logicalPort,
      // That of its logical port: to another one, OVN delivers nothing.
      macAddress: macOf(managementAddresses[0]),
      mtu,
      network: networkName,
    },
    ...withoutIpv6.map(enabledIpv6),
    ...settings.map((setting) => settingOf(device, setting)),
    { kind: 'membership', device, vrf: vrf.name, table: vrf.table, network: networkName },
    { kind: 'link-up', device },
    ...managementAddresses.map((cidr) => ({
      kind: 'address' as const,
      device,
      address: {
        address: withoutLength(cidr),
        prefixLength: prefixLengthOf(cidr),
        scope: 'global',
        // It follows from the id of the node, so that no other one can have it: detection would only delay it.
        flags: familyOf(cidr) === 6 ? ['nodad'] : [],
      },
    })),
    ...routesOf(input).map(routeEntity),
  ];
}
