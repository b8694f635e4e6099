/**
 * Rows inside of a gateway router, towards the pods: its port to the network, the routes between, the policies of the pods' router.
 */
import { withoutLength } from '../../basics/addresses/ip-address.ts';
import { macOf, onRouter, onSwitch, policyOf, staticRoute } from '../northbound-parts.ts';
import { eachFamily, type RowMaker } from './row-parts.ts';

/** The port to the network, and its peer. */
export const insidePort: RowMaker = (input, { gatewayRouter, inside }) => {
  const { routerPort, peer, router: other, joinSwitch, podSwitch } = inside;
  const networks = eachFamily(input, ({ joinAddress, insideAddresses }) => [joinAddress, ...insideAddresses]);
  const mac = macOf(networks[0]);
  const key = { 'requested-tnl-key': String(input.nodeId) };
  const port = { table: 'Logical_Router_Port', name: routerPort, parents: [onRouter(gatewayRouter)] } as const;
  if (other !== undefined && joinSwitch === undefined) {
    const others = eachFamily(input, ({ between }) => (between === undefined ? [] : [between.routerPort]));
    return [
      { ...port, columns: { mac, networks, peer } },
      {
        table: 'Logical_Router_Port',
        name: peer,
        parents: [onRouter(other)],
        columns: { mac: macOf(others[0]), networks: others, peer: routerPort, options: key },
      },
    ];
  }
  return [
    { ...port, columns: { mac, networks } },
    {
      table: 'Logical_Switch_Port',
      name: peer,
      parents: [onSwitch(joinSwitch ?? podSwitch)],
      columns: {
        type: 'router',
        addresses: ['router'],
        // The ports of a switch that spans nodes have the same keys on all of them.
        options: { 'router-port': routerPort, ...(joinSwitch === undefined && key) },
      },
    },
  ];
};

/** Packets for pods go to the router between, which routes the packets of pods of this node to this router. */
export const routesBetween: RowMaker = (input, { gatewayRouter, inside: { router, routerPort } }) =>
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

/** Priority of the policies for the node's own addresses (OVN-Kubernetes, UDNHostCIDRPolicyPriority). */
const OWN_ADDRESS_PRIORITY = 1004;

/** Priority of the policy against loops, before all others: OVN-Kubernetes' highest is that of management ports (MGMTPortPolicyPriority). */
const LOOP_PRIORITY = 1006;

/**
 * Packets for addresses of the network that no node has are dropped. The gateway router has routes to all subnets of the network, and the cluster router
 * sends back what it has no route for, by the source: they would go round until their TTL is used up, with a packet-in for ovn-controller each. What
 * comes in by the uplink for pods leaves by another port.
 */
export const loopPolicy: RowMaker = (_, { inside: { router, joinRouterPort } }) => {
  if (router === undefined || joinRouterPort === undefined) return [];
  const match = `inport == "${joinRouterPort}" && outport == "${joinRouterPort}"`;
  return [policyOf(router, { priority: LOOP_PRIORITY, match, action: 'drop' })];
};

/**
 * Packets of pods to an uplink address of the node go to the host by the management port, without leaving the node. There is a policy for each
 * address, so that another uplink changes none of the existing ones.
 */
export const ownAddressPolicies: RowMaker = (input, { inside: { router, podRouterPort } }) =>
  eachFamily(input, ({ uplinkAddresses, otherUplinkAddresses, managementAddress }, number) => {
    // A gateway router on the switch of the pods takes packets for the uplink's address itself.
    if (router === undefined) return [];
    return [...uplinkAddresses.map(withoutLength), ...otherUplinkAddresses].map((address) => {
      const match = `inport == "${podRouterPort}" && ip${String(number)}.dst == ${address}`;
      return policyOf(router, {
        priority: OWN_ADDRESS_PRIORITY,
        match,
        action: 'reroute',
        nexthops: [managementAddress],
      });
    });
  });
