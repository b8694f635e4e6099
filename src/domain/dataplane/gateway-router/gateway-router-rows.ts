import { withoutLength } from '../../basics/addresses/ip-address.ts';
import type { NorthboundRow } from '../../datapath/northbound/row.ts';
import type { GatewayRouterInput } from './gateway-router-input.ts';
import { insidePort, loopPolicy, ownAddressPolicies, routesBetween } from './inside-rows.ts';
import { gatewayRouterNames } from '../../network/names/gateway-router.ts';
import {
  defaultRoutes,
  externalPort,
  externalSwitch,
  neighbours,
  nodeAddressSets,
  translations,
} from './outside-rows.ts';
import { eachFamily, type RowMaker } from './row-parts.ts';

const router: RowMaker = (input, { gatewayRouter }) => [
  {
    table: 'Logical_Router',
    name: gatewayRouter,
    columns: {
      options: {
        always_learn_from_arp_request: 'false',
        chassis: input.chassis,
        disable_garp_rarp: 'true',
        dynamic_neigh_routers: 'false',
        // A Layer2 network has several routers with the address of its pods' gateway.
        lb_force_snat_ip:
          input.inside === 'join-switch'
            ? 'router_ip'
            : eachFamily(input, ({ joinAddress }) => [withoutLength(joinAddress)]).join(' '),
        mac_binding_age_threshold: '300',
      },
    },
    externalIds: {
      physical_ips: eachFamily(input, ({ masqueradeAddress }) => [withoutLength(masqueradeAddress)]).join(','),
    },
  },
];

/**
 * The rows of OVN's Northbound database by which a network leaves by its uplink, in an order in which they can be inserted: a row comes after
 * the one that refers to it. The rows that OVN-Kubernetes makes for the network must exist.
 */
export function gatewayRouterRows(input: GatewayRouterInput): readonly NorthboundRow[] {
  const names = gatewayRouterNames(input.networkName, input.node, input.bridge, input.inside);
  const parts = [
    router,
    externalSwitch,
    externalPort,
    insidePort,
    defaultRoutes,
    routesBetween,
    nodeAddressSets,
    translations,
    loopPolicy,
    ownAddressPolicies,
    neighbours,
  ];
  return parts.flatMap((part) => part(input, names)).map((row) => ({ ...row, network: input.networkName }));
}
