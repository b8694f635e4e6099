/**
 * Rows outside of a gateway router, towards the bridge: the external switch, the routes that leave, translations, neighbours.
 */
import { macAddressOf, withoutLength } from '../../basics/addresses/ip-address.ts';
import { nameOfUnnamed } from '../../datapath/northbound/row-name.ts';
import { onRouter, onSwitch, staticRoute } from '../northbound-parts.ts';
import { virtualMacOf } from '../pipeline/virtual-mac.ts';
import type { GatewayRouterFamily, GatewayRouterInput } from './gateway-router-input.ts';
import { eachFamily, type RowMaker } from './row-parts.ts';

/** The switch between the router and the bridge. Its port to the router has no `nat-addresses`: OVN would announce them on the wire. */
export const externalSwitch: RowMaker = ({ networkName, macAddress, vlan }, names) => {
  const { externalSwitch: name, externalSwitchPort, externalRouterPort, localnetPort } = names;
  const parents = [onSwitch(name)];
  return [
    { table: 'Logical_Switch', name, columns: {} },
    {
      table: 'Logical_Switch_Port',
      name: externalSwitchPort,
      parents,
      columns: { type: 'router', addresses: [macAddress], options: { 'router-port': externalRouterPort } },
    },
    {
      table: 'Logical_Switch_Port',
      name: localnetPort,
      parents,
      columns: {
        type: 'localnet',
        addresses: ['unknown'],
        options: { network_name: networkName },
        tag_request: vlan ?? [],
      },
    },
  ];
};

/** The port to the bridge. */
export const externalPort: RowMaker = (input, { gatewayRouter, externalRouterPort }) => [
  {
    table: 'Logical_Router_Port',
    name: externalRouterPort,
    parents: [onRouter(gatewayRouter)],
    columns: {
      mac: input.macAddress,
      networks: eachFamily(input, ({ uplinkAddresses, masqueradeAddress }) => [...uplinkAddresses, masqueradeAddress]),
      // The sender of a packet that is too long for pods gets an ICMP error, since nothing on the path would fragment it. The option is on this
      // port and not on the other one, so that the error contains the packet as translated by the bridge, which can then reverse the translation.
      options: { gateway_mtu: String(input.mtu) },
    },
    // Closed: packets must not leave before the bridge has its flows.
    initial: { enabled: false },
  },
];

/** Packets leave only by the gateways of the uplink. */
export const defaultRoutes: RowMaker = (input, { gatewayRouter, externalRouterPort }) =>
  eachFamily(input, ({ gateways }, number) =>
    gateways.map((nexthop) =>
      staticRoute({
        router: gatewayRouter,
        ip_prefix: number === 4 ? '0.0.0.0/0' : '::/0',
        nexthop,
        output_port: externalRouterPort,
      }),
    ),
  );

/** Whether pods are translated only towards the nodes of the cluster: of an advertised network, others have routes to the pods. */
function isTranslatedToNodes({ isAdvertised }: GatewayRouterInput, { clusterNodeAddresses }: GatewayRouterFamily) {
  return isAdvertised && clusterNodeAddresses.length > 0;
}

/** The nodes of the cluster, which need no routes to the pods of an advertised network. */
export const nodeAddressSets: RowMaker = (input, { nodeAddressSets: names }) =>
  eachFamily(input, (family, number) =>
    isTranslatedToNodes(input, family)
      ? [{ table: 'Address_Set', name: names[number], columns: { addresses: family.clusterNodeAddresses } }]
      : [],
  );

/** Packets of pods, and the router's errors about them, get the masquerade address, which the bridge translates further. */
export const translations: RowMaker = (input, { gatewayRouter, nodeAddressSets: sets }) =>
  eachFamily(input, (family, number) => {
    const { clusterSubnets, joinAddress, masqueradeAddress } = family;
    const snat = { type: 'snat', external_ip: withoutLength(masqueradeAddress) };
    const isToNodes = isTranslatedToNodes(input, family);
    const ofPods = clusterSubnets.map((logical_ip) => ({
      ...snat,
      logical_ip,
      allowed_ext_ips: isToNodes ? sets[number] : [],
    }));
    const ofRouter = { ...snat, logical_ip: withoutLength(joinAddress) };
    return [...(isToNodes || !input.isAdvertised ? ofPods : []), ofRouter].map((columns) => ({
      table: 'NAT',
      name: nameOfUnnamed('NAT', columns, gatewayRouter),
      columns,
      parents: [{ table: 'Logical_Router', name: gatewayRouter, column: 'nat' }],
    }));
  });

/**
 * Static MAC bindings: of the masquerade addresses of the host, which do not have the MAC address of the uplink that the router has too, and of the
 * gateways, by virtual MAC addresses (docs/design/flows.md, "Neighbours").
 */
export const neighbours: RowMaker = (input, { externalRouterPort: logical_port }) =>
  eachFamily(input, ({ hostAddresses, gateways }) =>
    [
      ...hostAddresses.map((ip) => ({ ip, mac: macAddressOf(ip) })),
      ...gateways.map((ip) => ({ ip, mac: virtualMacOf(ip) })),
    ].map((binding) => {
      const columns = { logical_port, ...binding, override_dynamic_mac: true };
      return { table: 'Static_MAC_Binding', name: nameOfUnnamed('Static_MAC_Binding', columns), columns };
    }),
  );
