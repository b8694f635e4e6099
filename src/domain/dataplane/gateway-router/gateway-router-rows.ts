import { macAddressOf } from '../../ip-address.ts';
import type { PerFamily } from '../pipeline/bridge-input.ts';
import { virtualMacOf } from '../pipeline/virtual-mac.ts';
import { gatewayRouterNames, type GatewayRouterNames, type Inside } from './names.ts';
import { nameOfUnnamed } from '../../snapshot/northbound-names.ts';
import type { NorthboundParent, NorthboundRow } from '../../snapshot/northbound-row.ts';

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

const withoutLength = (cidr: string) => cidr.split('/')[0] ?? '';

/** The MAC address of a port whose first address is this, CIDR. */
const macOf = (cidr = '') => macAddressOf(withoutLength(cidr));

const onRouter = (name: string): NorthboundParent => ({ table: 'Logical_Router', name, column: 'ports' });

type Part = (input: GatewayRouterInput, names: GatewayRouterNames) => readonly NorthboundRow[];

function eachFamily<Row>(
  { families }: GatewayRouterInput,
  make: (family: GatewayRouterFamily, number: 4 | 6) => readonly Row[],
): readonly Row[] {
  return ([4, 6] as const).flatMap((number) => {
    const family = families[number];
    return family === undefined ? [] : make(family, number);
  });
}

const router: Part = (input, { gatewayRouter }) => [
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

/** The switch between the router and the bridge. Its port to the router has no `nat-addresses`: OVN would announce them on the wire. */
const externalSwitch: Part = ({ networkName, macAddress, vlan }, names) => {
  const { externalSwitch: name, externalSwitchPort, externalRouterPort, localnetPort } = names;
  const parent = { table: 'Logical_Switch', name, column: 'ports' } as const;
  return [
    { table: 'Logical_Switch', name, columns: {} },
    {
      table: 'Logical_Switch_Port',
      name: externalSwitchPort,
      parent,
      columns: { type: 'router', addresses: [macAddress], options: { 'router-port': externalRouterPort } },
    },
    {
      table: 'Logical_Switch_Port',
      name: localnetPort,
      parent,
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
const externalPort: Part = (input, { gatewayRouter, externalRouterPort }) => [
  {
    table: 'Logical_Router_Port',
    name: externalRouterPort,
    parent: onRouter(gatewayRouter),
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

/** The port to the network, and its peer. */
const insidePort: Part = (input, { gatewayRouter, inside }) => {
  const { routerPort, peer, router: other, joinSwitch, podSwitch } = inside;
  const networks = eachFamily(input, ({ joinAddress, insideAddresses }) => [joinAddress, ...insideAddresses]);
  const mac = macOf(networks[0]);
  const key = { 'requested-tnl-key': String(input.nodeId) };
  const port = { table: 'Logical_Router_Port', name: routerPort, parent: onRouter(gatewayRouter) } as const;
  if (other !== undefined && joinSwitch === undefined) {
    const others = eachFamily(input, ({ between }) => (between === undefined ? [] : [between.routerPort]));
    return [
      { ...port, columns: { mac, networks, peer } },
      {
        table: 'Logical_Router_Port',
        name: peer,
        parent: onRouter(other),
        columns: { mac: macOf(others[0]), networks: others, peer: routerPort, options: key },
      },
    ];
  }
  return [
    { ...port, columns: { mac, networks } },
    {
      table: 'Logical_Switch_Port',
      name: peer,
      parent: { table: 'Logical_Switch', name: joinSwitch ?? podSwitch, column: 'ports' },
      columns: {
        type: 'router',
        addresses: ['router'],
        // The ports of a switch that spans nodes have the same keys on all of them.
        options: { 'router-port': routerPort, ...(joinSwitch === undefined && key) },
      },
    },
  ];
};

interface StaticRoute {
  readonly router: string;
  readonly ip_prefix: string;
  readonly nexthop: string;
  readonly output_port?: string;
  readonly policy?: 'src-ip';
}

/** A static route. Routes to one subnet by different next hops share the packets. */
function staticRoute({ router: name, ...columns }: StaticRoute): NorthboundRow {
  return {
    table: 'Logical_Router_Static_Route',
    name: nameOfUnnamed('Logical_Router_Static_Route', columns, name),
    columns,
    parent: { table: 'Logical_Router', name, column: 'static_routes' },
  };
}

/** Packets leave only by the gateways of the uplink. */
const defaultRoutes: Part = (input, { gatewayRouter, externalRouterPort }) =>
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

/** Packets for pods go to the router between, which routes the packets of pods of this node to this router. */
const routesBetween: Part = (input, { gatewayRouter, inside: { router, routerPort } }) =>
  eachFamily(input, ({ clusterSubnets, nodeSubnets, joinAddress, between }) => {
    if (router === undefined || between === undefined) return [];
    const toPods = withoutLength(between.routerPort);
    const nexthop = withoutLength(between.gatewayRouter);
    return [
      ...clusterSubnets.map((ip_prefix) =>
        staticRoute({ router: gatewayRouter, ip_prefix, nexthop: toPods, output_port: routerPort }),
      ),
      ...nodeSubnets.map((ip_prefix) => staticRoute({ router, ip_prefix, nexthop, policy: 'src-ip' })),
      staticRoute({ router, ip_prefix: withoutLength(joinAddress), nexthop }),
    ];
  });

/** Whether pods are translated only towards the nodes of the cluster: of an advertised network, others have routes to the pods. */
function isTranslatedToNodes({ isAdvertised }: GatewayRouterInput, { clusterNodeAddresses }: GatewayRouterFamily) {
  return isAdvertised && clusterNodeAddresses.length > 0;
}

/** The nodes of the cluster, which need no routes to the pods of an advertised network. */
const nodeAddressSets: Part = (input, { nodeAddressSets: names }) =>
  eachFamily(input, (family, number) =>
    isTranslatedToNodes(input, family)
      ? [{ table: 'Address_Set', name: names[number], columns: { addresses: family.clusterNodeAddresses } }]
      : [],
  );

/** Packets of pods, and the router's errors about them, get the masquerade address, which the bridge translates further. */
const translations: Part = (input, { gatewayRouter, nodeAddressSets: sets }) =>
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
      parent: { table: 'Logical_Router', name: gatewayRouter, column: 'nat' },
    }));
  });

/** Priority of the policies for the node's own addresses (OVN-Kubernetes, UDNHostCIDRPolicyPriority). */
const OWN_ADDRESS_PRIORITY = 1004;

/**
 * Packets of pods to an uplink address of the node go to the host by the management port, without leaving the node. There is a policy for each
 * address, so that another uplink changes none of the existing ones.
 */
const policies: Part = (input, { inside: { router, podRouterPort } }) =>
  eachFamily(input, ({ uplinkAddresses, otherUplinkAddresses, managementAddress }, number) => {
    // A gateway router on the switch of the pods takes packets for the uplink's address itself.
    if (router === undefined) return [];
    return [...uplinkAddresses.map(withoutLength), ...otherUplinkAddresses].map((address) => {
      const match = `inport == "${podRouterPort}" && ip${String(number)}.dst == ${address}`;
      const columns = { priority: OWN_ADDRESS_PRIORITY, match, action: 'reroute', nexthops: [managementAddress] };
      return {
        table: 'Logical_Router_Policy',
        name: nameOfUnnamed('Logical_Router_Policy', columns, router),
        columns,
        parent: { table: 'Logical_Router', name: router, column: 'policies' },
      };
    });
  });

/**
 * Static MAC bindings: of the masquerade addresses of the host, which do not have the MAC address of the uplink that the router has too, and of the
 * gateways, by virtual MAC addresses (docs/design/flows.md, "Neighbours").
 */
const neighbours: Part = (input, { externalRouterPort: logical_port }) =>
  eachFamily(input, ({ hostAddresses, gateways }) =>
    [
      ...hostAddresses.map((ip) => ({ ip, mac: macAddressOf(ip) })),
      ...gateways.map((ip) => ({ ip, mac: virtualMacOf(ip) })),
    ].map((binding) => {
      const columns = { logical_port, ...binding, override_dynamic_mac: true };
      return { table: 'Static_MAC_Binding', name: nameOfUnnamed('Static_MAC_Binding', columns), columns };
    }),
  );

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
    policies,
    neighbours,
  ];
  return parts.flatMap((part) => part(input, names)).map((row) => ({ ...row, network: input.networkName }));
}
